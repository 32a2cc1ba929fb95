import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readStdout } from "../../test/support/capture-stdout.mjs";
import { writeInto } from "./file.mjs";

const captures = fileURLToPath(new URL("../../test/fixtures/captures/", import.meta.url));

/** The agents that streams can be built for. The plain text of unknown programs is not a stream of records. */
export const capturedAgents = readdirSync(captures).filter((agent) => agent !== "generic");

/**
 * A native stream of about `megabytes` MB, as one long run would print it. It repeats the successful captures of an agent,
 * without the records that begin and end a run, with new ids each time.
 */
export function fromCaptures(agent, megabytes) {
  return repeat(`${agent}.jsonl`, linesOf(agent), megabytes);
}

/**
 * The same without the few lines of unusual length. They are one line in a thousand, and most of the bytes.
 */
export function fromOrdinaryLines(agent, megabytes) {
  const lines = linesOf(agent).filter((line) => line.length <= longestOrdinaryLine);
  return repeat(`${agent}-ordinary.jsonl`, lines, megabytes);
}

function repeat(name, lines, megabytes) {
  const pieces = `${lines.join("\n")}\n`.split(idsIn(lines));
  let repetition = 0;
  return writeInto(name, megabytes, () => {
    repetition += 1;
    return pieces.map((piece, at) => (at % 2 === 1 ? `${piece}${repetition}` : piece)).join("");
  });
}

const longestOrdinaryLine = 65_536;

/** Matches the ids of calls and messages in these lines, in any format. The session id stays, since a run has one session. */
function idsIn(lines) {
  const ids = new Set();
  const collect = (key, value) => {
    const isId = typeof value === "string" && value !== "" && /(^|_)id$|I[dD]$/.test(key);
    if (isId && !/session|thread|model|provider|project|extension/i.test(key)) ids.add(value);
    return value;
  };
  for (const line of lines) JSON.parse(line, collect);
  const quoted = [...ids].map((id) =>
    JSON.stringify(id)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  return new RegExp(`(?<=")(${quoted.join("|") || "(?!)"})(?=")`);
}

/** The lines of an agent's captures that a long run would repeat. */
export function linesOf(agent) {
  return scenariosOf(agent)
    .flatMap((scenario) => readStdout(join(captures, agent, scenario)).split("\n"))
    .filter((line) => line !== "" && !isFrameOfRun(line));
}

/** This agent's share of all captured bytes. */
export function shareOf(agent) {
  const bytes = (one) => Buffer.byteLength(linesOf(one).join("\n"));
  return bytes(agent) / capturedAgents.reduce((sum, one) => sum + bytes(one), 0);
}

function scenariosOf(agent) {
  return readdirSync(join(captures, agent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((scenario) => readFileSync(join(captures, agent, scenario, "exit.txt"), "utf8").trim() === "0");
}

/** Records that a real run has once, at its start or end. Short captures consist mostly of these. */
function isFrameOfRun(line) {
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    return true;
  }
  return framing.has(record.type ?? record.event) || record.subtype === "init";
}

const framing = new Set([
  "init",
  "thread.started",
  "turn.started",
  "turn.completed",
  "result",
  "session",
  "run_result",
  "complete",
]);
