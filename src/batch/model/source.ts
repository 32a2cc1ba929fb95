/**
 * What the workspaces of a task are made from, as it was when the batch began. It goes into the cells' ids, so another commit
 * or another content is another cell.
 */
export type Source =
  /** A worktree at this commit of the repository. */
  | { kind: "git"; repository: string; commit: string }
  /** A copy of the snapshot that was taken when the batch began. `hash` is that of its content. */
  | { kind: "copy"; from: string; hash: string }
  | { kind: "empty" };

/** A workspace of one attempt. Nobody else uses it. */
export interface OpenedWorkspace {
  directory: string;
}
