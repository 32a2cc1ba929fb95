import * as v from "valibot";
import { common, text } from "./event-parts.js";

/*
 * What a run changed in the files of its workspace, whoever changed them: the agent, its commands, or a person meanwhile.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const FileChange = v.strictObject({
  /** Relative to `root`. */
  path: text,
  kind: v.picklist(["added", "modified", "deleted", "renamed"]),
  /** The path before a renaming. */
  from: v.exactOptional(text),
  /** Lines. Both are 0 for a binary file. */
  insertions: count,
  deletions: count,
  isBinary: v.exactOptional(v.literal(true)),
});
export type FileChange = v.InferOutput<typeof FileChange>;

const facts = {
  /** The top directory of the repository, absolute. */
  root: text,
  /** The commit that was checked out at the start. Absent in a repository without commits. */
  commit: v.exactOptional(text),
  /** Sorted by path. */
  files: v.array(FileChange),
  /** Lines in all files. */
  insertions: count,
  deletions: count,
  /** How many changed files are not listed, because there are too many. */
  moreFiles: v.exactOptional(count),
  /** `changes.patch` does not have all of it. */
  isCut: v.exactOptional(v.literal(true)),
};

/** The difference between the workspace at the start of a run and now. What was changed before the run is not part of it. */
export const WorkspaceChanges = v.strictObject(facts);
export type WorkspaceChanges = v.InferOutput<typeof WorkspaceChanges>;

/**
 * The changes since the start of the run: at its end, and after each turn of a live session. The last one counts. Only in a
 * git workspace.
 */
export const ChangesEvent = v.strictObject({ type: v.literal("changes"), ...common, ...facts });

/** In `raw.jsonl`. */
export const ChangesRecord = v.strictObject({
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  stream: v.literal("changes"),
  /** The turn that has just ended. */
  turnId: v.exactOptional(text),
  ...facts,
});
export type ChangesRecord = v.InferOutput<typeof ChangesRecord>;
