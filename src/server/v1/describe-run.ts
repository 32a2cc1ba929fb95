import type * as v from "valibot";
import { isHarnessError, messageOf } from "../../errors.js";
import { jsonFormat } from "../../outputs/json/output.js";
import type { RunReport } from "../../outputs/json/schema.js";
import type { Recording } from "../../runs/archive/recording.js";
import { createReplay } from "../../runs/archive/replay.js";
import { toAbout, toRow } from "../run-row.js";
import type { Services } from "./route.js";
import type { components } from "./schemas.js";

/** The run as its sidecar and, after its end, its events have it. */
export async function describeRun(
  recording: Recording,
  { index, known }: Services,
): Promise<v.InferOutput<typeof components.RunDetail>> {
  const { agent, isUnknown } = known.find(recording);
  const { row, ...about } = toAbout(recording, toRow(recording, index.ownKind(recording.id)), isUnknown);
  const run = recording.outcome === "running" ? (index.row(recording.id) ?? row) : row;
  if (recording.outcome === "running") return { run, ...about };
  try {
    const steps = createReplay(recording, { agent, asRecorded: isUnknown }).batches();
    const report = await reportOf(steps);
    if (report === undefined) return { run, ...about };
    return { run, ...about, report: { ...report, recording: recording.paths.ndjson } };
  } catch (error) {
    // Only the sidecar is left.
    if (!isHarnessError(error)) throw error;
    return { run, ...about, problem: about.problem ?? messageOf(error) };
  }
}

async function reportOf(
  batches: ReturnType<ReturnType<typeof createReplay>["batches"]>,
): Promise<RunReport | undefined> {
  const view = jsonFormat.create();
  let report: RunReport | undefined;
  for await (const steps of batches) for (const { events } of steps) report = view.push(events)[0] ?? report;
  return report;
}
