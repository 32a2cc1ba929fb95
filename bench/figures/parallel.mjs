import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { capturedAgents } from "../inputs/captures.mjs";
import { directory } from "../inputs/file.mjs";
import { longRun } from "../inputs/long-run.mjs";
import { bestOfEach, cli, runNode } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/** How many cores' worth of work n cores should do, for each of them. */
const leastShare = 0.8;
/** Recordings of one agent. */
const copies = 4;

/** `harness translate DIR` with all cores, against one: to standard output and to a file for each run. */
export async function parallel({ megabytes }) {
  const jobs = availableParallelism();
  const { place, bytes } = makeRecordings(megabytes);
  const into = join(directory, "parallel-out");
  const translate = (count, ...flags) =>
    runNode([cli, "translate", place, "--jobs", String(count), ...flags]);
  const files = ["--output", `events=${into}/`];
  const times = await bestOfEach(
    {
      one: () => translate(1, "--format", "ndjson"),
      all: () => translate(jobs, "--format", "ndjson"),
      oneToFiles: () => translate(1, ...files),
      allToFiles: () => translate(jobs, ...files),
    },
    Math.max(rounds, 5),
  );
  const row = (figure, one, all) => ({
    figure: `harness translate DIR, ${figure}: ${jobs} jobs / 1 job`,
    value: Math.round(bytes / 1000 / all),
    baseline: Math.round(bytes / 1000 / one),
    unit: "MB/s",
    ratio: one / all,
    goal: { ratio: { least: leastShare * jobs } },
  });
  return [
    row("ndjson", times.one, times.all),
    row("events, a file for each run", times.oneToFiles, times.allToFiles),
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
