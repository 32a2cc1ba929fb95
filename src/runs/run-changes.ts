import { readFile } from "node:fs/promises";
import { isHarnessError, messageOf, systemCode } from "../errors.js";
import type { FileChange, WorkspaceChanges } from "../events/changes.js";
import { findGitWorkspace, type GitWorkspace } from "./changes/find-workspace.js";
import { beginWatch, type ChangeWatch, type FoundChanges } from "./changes/watch-changes.js";
import { toDuration, unknownChangesNotice } from "./notices.js";
import type { Plan } from "./plan.js";
import { countsOfChanges } from "./run-meta.js";
import type { RunStream } from "./run-stream.js";

/** What a run or a session changes in its git workspace: read before the agent starts, compared and recorded afterwards. */
export interface WatchedChanges {
  /** Reads the state before the agent starts. Undefined: there is nothing to wait for. Never rejects. */
  begin(): Promise<void> | undefined;
  /** The same promise, once there is one. */
  readonly begun: Promise<void> | undefined;
  /** A turn has ended. Undefined: there is nothing to wait for. Never rejects. */
  endTurn(turnId: string): Promise<void> | undefined;
  /** The last comparison. Undefined: there is nothing to wait for. Never rejects. */
  end(): Promise<void> | undefined;
  /** The run is being stopped: if the agent has not started yet, its start is not waited for. */
  stopStarting(): void;
  /** Somebody wants the run to stop. After the end of the agent, or the second time, they do not wait for a comparison. */
  cancel(isAgain: boolean): void;
}

/** `0`: nothing is compared, unless a task asks for it. */
const changesVariable = "HARNESS_CHANGES";

/** How long a run waits for git. A repository that takes longer is so large that people would notice. */
export interface ChangeLimits {
  startMs: number;
  endMs: number;
}

const usual: ChangeLimits = { startMs: 5000, endMs: 10_000 };

export function watchRunChanges(plan: Plan, stream: () => ChangesStream, limits = usual): WatchedChanges {
  const skipped = new AbortController();
  let phase: "before" | "beginning" | "running" | "ending" = "before";
  let watch: ChangeWatch | undefined;
  let isUnknown = false;
  /** What was recorded last. */
  let lastId: string | undefined;
  let busy: Promise<void> = Promise.resolve();
  let begun: Promise<void> | undefined;

  /** Says once why the changes are not known. */
  function giveUp(error: unknown): void {
    if (isUnknown) return;
    isUnknown = true;
    if (isWithoutGit(error) || (skipped.signal.aborted && phase === "beginning")) return;
    stream().notice(unknownChangesNotice(plan.redact(messageOf(error))));
  }

  async function begin(workspace: GitWorkspace): Promise<void> {
    try {
      watch = await bounded(limits.startMs, skipped.signal, (signal) =>
        beginWatch(workspace, { signal, isTextOnly: plan.redactor !== undefined }),
      );
    } catch (error) {
      giveUp(error);
    }
    phase = "running";
  }

  async function compare(turnId: string | undefined): Promise<void> {
    if (watch === undefined || isUnknown) return;
    try {
      const found = await bounded(limits.endMs, skipped.signal, watch.compare);
      await keep(found, turnId);
    } catch (error) {
      giveUp(error);
    }
  }

  async function keep({ changes, id, patchPath }: FoundChanges, turnId: string | undefined): Promise<void> {
    const isNothing = changes.files.length === 0 && changes.moreFiles === undefined;
    // Between turns, nothing is said until something has changed.
    if (id === lastId || (turnId !== undefined && lastId === undefined && isNothing)) return;
    lastId = id;
    await publish(stream(), plan, { changes, patchPath, turnId });
  }

  /** One comparison at a time. */
  function next(act: () => Promise<void>): Promise<void> {
    busy = busy.then(act);
    return busy;
  }

  return {
    begin() {
      const workspace = workspaceOf(plan);
      if (workspace === undefined) return undefined;
      phase = "beginning";
      begun = begin(workspace);
      return begun;
    },
    get begun() {
      return begun;
    },
    endTurn: (turnId) => (watch === undefined || isUnknown ? undefined : next(() => compare(turnId))),
    end() {
      phase = "ending";
      const { end } = watch ?? {};
      return end === undefined ? undefined : next(() => compare(undefined).then(end));
    },
    stopStarting() {
      if (phase === "beginning") skipped.abort(new Error("the run was stopped"));
    },
    cancel(isAgain) {
      if (isAgain || phase === "ending") skipped.abort(new Error("the comparison was cancelled"));
    },
  };
}

function workspaceOf({ task, cwd }: Plan): GitWorkspace | undefined {
  const { changes = process.env[changesVariable] !== "0" } = task;
  return changes ? findGitWorkspace(cwd) : undefined;
}

/** Without git there are only the edits. */
function isWithoutGit(error: unknown): boolean {
  return isHarnessError(error) && systemCode(error.cause) === "ENOENT";
}

async function publish(
  stream: ChangesStream,
  plan: Plan,
  found: { changes: WorkspaceChanges; patchPath: string; turnId: string | undefined },
): Promise<void> {
  const { changes, patchPath, turnId } = found;
  const shown = masked(changes, plan.redact);
  stream.keepPatch(maskedPatch(await readFile(patchPath), plan));
  stream.record({ stream: "changes", ...(turnId !== undefined && { turnId }), ...shown });
  if (turnId !== undefined) stream.note({ changes: countsOfChanges({ source: "git", ...shown }) });
}

type ChangesStream = Pick<RunStream, "record" | "notice" | "keepPatch" | "note">;

/** Stops waiting after a while, or when that is asked for, whatever hangs. */
async function bounded<Result>(
  ms: number,
  skipped: AbortSignal,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, skipped]);
  const timer = setTimeout(
    () => late.abort(new Error(`to compare the files took longer than ${toDuration(ms)}`)),
    ms,
  );
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([act(signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function masked(changes: WorkspaceChanges, redact: (text: string) => string): WorkspaceChanges {
  const maskedFile = ({ path, from, ...rest }: FileChange): FileChange => ({
    path: redact(path),
    ...(from !== undefined && { from: redact(from) }),
    ...rest,
  });
  return { ...changes, root: redact(changes.root), files: changes.files.map(maskedFile) };
}

/** Bytes that are not valid UTF-8 are masked as if each were a character. */
function maskedPatch(patch: Buffer, { redactor }: Plan): Uint8Array {
  if (redactor === undefined) return patch;
  const text = patch.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(patch);
  const encoding = isText ? "utf8" : "latin1";
  return Buffer.from(redactor.text(isText ? text : patch.toString("latin1")), encoding);
}
