import * as v from "valibot";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { RunCheck } from "../../events/run-check.js";

/**
 * What `--check` found out after a recorded run. A sidecar may be damaged, or written by another program: what is not a check is
 * left out.
 */
export function checkOfRecording({ check }: Pick<RecordingMeta, "check">): RunCheck | undefined {
  if (check === undefined) return undefined;
  const parsed = v.safeParse(RunCheck, check);
  return parsed.success ? parsed.output : undefined;
}
