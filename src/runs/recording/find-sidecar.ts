import { basename, dirname, resolve } from "node:path";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { readMeta } from "./meta.js";
import { type RecordingPaths, rawFileName, recordingPaths } from "./paths.js";

/** The sidecar of the recording that a `raw.jsonl` is part of; undefined for a copy that has none. */
export function findSidecar(rawPath: string): { meta: RecordingMeta; paths: RecordingPaths } | undefined {
  const path = resolve(rawPath);
  const folder = dirname(path);
  if (basename(path) !== rawFileName) return undefined;
  const paths = recordingPaths(dirname(folder), basename(folder));
  try {
    const meta = readMeta(paths.meta);
    return meta.runId === basename(folder) ? { meta, paths } : undefined;
  } catch {
    return undefined;
  }
}
