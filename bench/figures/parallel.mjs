import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { capturedAgents } from "../inputs/captures.mjs";
import { directory } from "../inputs/file.mjs";
import { longRun } from "../inputs/long-run.mjs";
import { bestOfEach, cli, runCommand, runNode } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/** How many cores' worth of work n cores should do, for each of them. */
const leastShare = 0.8;
/** Recordings of one agent. */
const copies = 4;

/** More than for one translation: each worker has to start and to compile for itself. */
const timesAsMuch = 3;

/**
 * `harness translate DIR` with all cores, against one core: to standard output and to a file for each run. One job alone is not one core:
 * V8 collects garbage and compiles in other threads. So it is kept on one with `taskset`, and a row of its own says what it does
 * with all of them.
 */
export async function parallel({ megabytes }) {
  const jobs = availableParallelism();
  const { place, bytes } = makeRecordings(timesAsMuch * megabytes);
  const into = join(directory, "parallel-out");
  const translate = (count, ...flags) =>
    runNode([cli, "translate", place, "--jobs", String(count), ...flags]);
  const onOneCore = (...flags) =>
    runCommand("taskset", ["-c", "0", process.execPath, cli, "translate", place, "--jobs", "1", ...flags]);
  const files = ["--output", `events=${into}/`];
  const times = await bestOfEach(
    {
      one: () => onOneCore("--format", "ndjson"),
      alone: () => translate(1, "--format", "ndjson"),
      all: () => translate(jobs, "--format", "ndjson"),
      oneToFiles: () => onOneCore(...files),
      allToFiles: () => translate(jobs, ...files),
    },
    rounds,
  );
  const row = (figure, one, all) => ({
    figure: `harness translate DIR, ${figure}`,
    value: Math.round(bytes / 1000 / all),
    baseline: Math.round(bytes / 1000 / one),
    unit: "MB/s",
    ratio: one / all,
  });
  const cores = `${jobs} cores / 1 core`;
  const goal = { ratio: { least: leastShare * jobs } };
  return [
    { ...row(`ndjson: ${cores}`, times.one, times.all), goal },
    { ...row(`events, a file for each run: ${cores}`, times.oneToFiles, times.allToFiles), goal },
    row(`ndjson, ${jobs} cores: ${jobs} jobs / 1 job`, times.alone, times.all),
  ];
}

/** A directory of recordings of every agent, of about `megabytes` together. */
function makeRecordings(megabytes) {
  const place = join(directory, "parallel");
  const startedAt = "2026-01-01T00:00:00.000Z";
  let bytes = 0;
  for (const agent of capturedAgents) {
    const { file } = longRun(agent, megabytes / capturedAgents.length / copies);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const text = lines
      .map((line) => `${JSON.stringify({ timestamp: startedAt, stream: "stdout", line })}\n`)
      .join("");
    for (let copy = 1; copy <= copies; copy++) {
      const runId = `${agent}-${copy}`;
      mkdirSync(join(place, runId), { recursive: true });
      writeFileSync(join(place, runId, "raw.jsonl"), text);
      const meta = { runId, agent, cwd: "/", prompt: "x", startedAt };
      writeFileSync(join(place, `${runId}.meta.json`), JSON.stringify(meta));
      bytes += Buffer.byteLength(text);
    }
  }
  return { place, bytes };
}
