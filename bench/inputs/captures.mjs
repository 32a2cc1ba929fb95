import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readStdout } from "../../test/support/capture-stdout.mjs";

const captures = fileURLToPath(new URL("../../test/fixtures/captures/", import.meta.url));

/** The agents that streams can be built for. The plain text of unknown programs is not a stream of records. */
export const capturedAgents = readdirSync(captures).filter((agent) => agent !== "generic");

/**
 * What an agent printed in each of its successful captures: the lines that a long run would repeat, and the lines that begin and
 * end a run. Lines that are no records are left out.
 */
export function capturesOf(agent) {
  return successful(agent)
    .map((scenario) => {
      const lines = readStdout(join(captures, agent, scenario))
        .split("\n")
        .filter(isRecord);
      const frames = lines.map(isFrameOfRun);
      const first = frames.indexOf(false);
      const last = frames.lastIndexOf(false);
      return {
        scenario,
        begin: first === -1 ? [] : lines.slice(0, first),
        lines: lines.filter((_line, at) => !frames[at]),
        end: lines.slice(last + 1),
      };
    })
    .filter(({ lines }) => lines.length > 0);
}

/** The lines of all captures of an agent that a long run would repeat. */
export function linesOf(agent) {
  return capturesOf(agent).flatMap(({ lines }) => lines);
}

function successful(agent) {
  return readdirSync(join(captures, agent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((scenario) => {
      const events = readFileSync(join(captures, agent, scenario, "expected", "full.jsonl"), "utf8");
      return JSON.parse(events.trimEnd().split("\n").at(-1)).reason === "completed";
    });
}

function isRecord(line) {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** Records that a real run has once, at its start or end. Short captures consist mostly of these. */
function isFrameOfRun(line) {
  const record = JSON.parse(line);
  return framing.has(record.type ?? record.event) || record.subtype === "init" || isBareResult(record);
}

/** The only record of Antigravity's `--output-format json`. */
function isBareResult({ type, event, status, response }) {
  return (type ?? event) === undefined && status !== undefined && response !== undefined;
}

const framing = new Set([
  "agent_end",
  "agent_settled",
  "agent_start",
  "available_commands",
  "complete",
  "completion",
  "end",
  "init",
  "result",
  "run_aborted",
  "run_result",
  "session",
  "session.mcp_servers_loaded",
  "session.resume_hint",
  "session.skills_loaded",
  "session.tools_updated",
  "system.version",
  "thread.started",
  "turn.completed",
  "turn.started",
]);
