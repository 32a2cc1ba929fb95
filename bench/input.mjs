import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const captures = fileURLToPath(new URL("../test/fixtures/captures/", import.meta.url));

/**
 * A native stream of about `megabytes` MB, as one long run would print it: the real captures of an agent
 * that ended well, without the records that begin and end a run, repeated. `only`
 * picks scenarios; `longline` (one line of a megabyte) is left out unless asked for, since it would be
 * most of the bytes.
 */
export function buildInput(agent, megabytes, only) {
  const scenarios = readdirSync(join(captures, agent)).filter((scenario) => {
    if (only !== undefined) return only.includes(scenario);
    return (
      scenario !== "longline" &&
      readFileSync(join(captures, agent, scenario, "exit.txt"), "utf8").trim() === "0"
    );
  });
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

/** Records that a real run has once, at its start or end; short captures would be mostly these. */
function isFrameOfRun(line) {
  const { type, subtype } = JSON.parse(line);
  return ["thread.started", "turn.started", "turn.completed", "result"].includes(type) || subtype === "init";
}
