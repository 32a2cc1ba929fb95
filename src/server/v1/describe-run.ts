import type * as v from "valibot";
import { isHarnessError, messageOf } from "../../errors.js";
import type { Recording } from "../../runs/archive/recording.js";
import { toAbout, toRow } from "../run-row.js";
import type { Services } from "./route.js";
import type { components } from "./schemas.js";

/** The run as its sidecar and, after its end, its events have it. */
export async function describeRun(
  recording: Recording,
  { index, known, reports }: Services,
): Promise<v.InferOutput<typeof components.RunDetail>> {
  const found = known.find(recording);
  const { row, ...about } = toAbout(
    recording,
    toRow(recording, index.ownKind(recording.id)),
    found.isUnknown,
  );
  const run = recording.outcome === "running" ? (index.row(recording.id) ?? row) : row;
  if (recording.outcome === "running") return { run, ...about };
  try {
    const report = await reports.of(recording, found);
    if (report === undefined) return { run, ...about };
    return { run, ...about, report: { ...report, recording: recording.paths.ndjson } };
  } catch (error) {
    // Only the sidecar is left.
    if (!isHarnessError(error)) throw error;
    return { run, ...about, problem: about.problem ?? messageOf(error) };
  }
}
