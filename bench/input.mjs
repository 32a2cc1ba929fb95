import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const captures = fileURLToPath(new URL("../test/fixtures/captures/", import.meta.url));

/**
 * A native stream of about `megabytes` MB, as one long run would print it: the real captures of an agent that
 * ended well, without the records that begin and end a run, repeated. `without` leaves scenarios out.
 */
export function buildInput(agent, megabytes, without = []) {
  const scenarios = scenariosOf(agent).filter((scenario) => !without.includes(scenario));
  const bytes = Buffer.from(
    scenarios
      .flatMap((scenario) =>
        readFileSync(join(captures, agent, scenario, "stdout.jsonl"), "utf8").split("\n"),
      )
      .filter((line) => line !== "" && !isFrameOfRun(line))
      .map((line) => `${line}\n`)
      .join(""),
  );
  const file = join(mkdtempSync(join(tmpdir(), "harness-bench-")), `${agent}.jsonl`);
  const descriptor = openSync(file, "w");
  let written = 0;
  while (written < megabytes * 1e6) written += writeSync(descriptor, bytes);
  closeSync(descriptor);
  return { file, bytes: written, scenarios };
}

function scenariosOf(agent) {
  return readdirSync(join(captures, agent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((scenario) => readFileSync(join(captures, agent, scenario, "exit.txt"), "utf8").trim() === "0");
}

/** Records that a real run has once, at its start or end; short captures would be mostly these. */
function isFrameOfRun(line) {
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    return true;
  }
  return framing.has(record.type) || record.subtype === "init";
}

const framing = new Set([
  "thread.started",
  "turn.started",
  "turn.completed",
  "result",
  "session",
  "run_result",
  "complete",
]);
