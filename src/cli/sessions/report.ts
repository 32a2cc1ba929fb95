import type { Recording } from "../../runs/archive/recording.js";
import { durationBetween } from "../../story/recorded-summary.js";

/** A recording as `--json` prints it. */
export function toReport({ id, outcome, meta, paths }: Recording): object {
  const { outcome: ended, harness, runId, counts, durationMs, ...facts } = meta;
  const observed = durationBetween(meta.startedAt, meta.endedAt);
  return {
    id,
    outcome,
    ...(ended?.failure !== undefined && { failure: ended.failure }),
    ...facts,
    ...(observed !== undefined && { durationMs: observed }),
    ...(harness !== undefined && outcome === "running" && { pid: harness.pid }),
    files: { meta: paths.meta, ndjson: paths.ndjson, raw: paths.raw, events: paths.events },
  };
}
