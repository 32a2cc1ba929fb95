import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { HarnessError } from "../errors.js";
import { listMarkedEarlier } from "../process/marks-linux.js";
import { monotonicTime } from "../process/monotonic-time.js";
import { runDirectory } from "../runs/run-files.js";
import type { LedgerLine } from "./model/ledger-line.js";
import { removeLeftWorkspaces } from "./workspace/open-workspace.js";

/** The watchdog of a harness that was killed needs less. */
const maxWaitMs = 10_000;

/** Runs that were under way in this process when harness was killed. Those of workers go on. */
export function openRuns(lines: readonly LedgerLine[]): string[] {
  const open = new Map<string, string>();
  for (const line of lines) {
    if (line.type === "started" && line.worker === undefined) open.set(line.cellId, line.runId);
    else if (line.type === "done" || line.type === "retrying") open.delete(line.cellId);
  }
  return [...open.values()];
}

/**
 * Removes what a harness that was killed has left: workspaces, and the homes of its runs. The watchdog has ended the
 * agents or is about to, so this waits for them: an agent that is still alive would write into the directories again.
 */
export async function cleanUp(runIds: readonly string[], work: string): Promise<string[]> {
  const left = await waitForEnd(new Set(runIds));
  for (const runId of runIds) rmSync(runDirectory(runId), { recursive: true, force: true, maxRetries: 3 });
  await removeLeftWorkspaces(work);
  return left.map((runId) => `processes of the earlier run ${runId} are still alive`);
}

/** The runs that still have processes. Empty on systems where they cannot be seen. */
async function waitForEnd(runIds: ReadonlySet<string>): Promise<string[]> {
  if (process.platform !== "linux" || runIds.size === 0) return [];
  for (const end = monotonicTime() + maxWaitMs; ; await sleep(50)) {
    const marked = await listMarkedEarlier();
    const left = [...marked.keys()].filter((runId) => runIds.has(runId));
    if (left.length === 0 || monotonicTime() > end) return left;
  }
}

/** Makes the directory of the workspaces. Throws if somebody else has made it: its name can be guessed. */
export function makeWorkDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(path);
  const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  if (isOwn && lstatSync(path).isDirectory()) return;
  const message = `${path} cannot be used for workspaces: others can read or change it; choose another directory`;
  throw new HarnessError("unwritable_file", message);
}
