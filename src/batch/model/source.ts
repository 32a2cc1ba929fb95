/**
 * What the workspaces of a task are made from, as it was when the batch began. It goes into the cells' ids, so another commit
 * or another content is another cell.
 */
export type Source =
  /** A checkout of this commit. `directory`: the agent begins in this directory of it, instead of at the top. */
  | { kind: "git"; repository: string; commit: string; directory?: string | undefined }
  /** A copy of the snapshot that was taken when the batch began. `hash` is that of its content. */
  | { kind: "copy"; from: string; hash: string }
  | { kind: "empty" };
