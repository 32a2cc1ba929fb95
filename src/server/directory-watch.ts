import { type FSWatcher, statSync, watch } from "node:fs";

export interface DirectoryWatchOptions {
  /** Sidecars of these runs were added, changed or removed. Changes within a short time are reported together. */
  onIds(ids: readonly string[]): void;
  /** Anything may have changed. */
  onChange(): void;
}

/** Changes within this time are reported together. */
const gatherMs = 30;
/** More changes than these are reported as `onChange`. */
const manyIds = 2000;
/** How often the directory's modification time is checked: one system call. */
const pollMs = 400;
/** The system may drop notifications when there are too many, so a changed directory is still scanned this often. */
const checkMs = 60_000;
/** Scanning the directory takes at most this share of the time. */
const share = 1 / 20;
/** Some file systems store times in steps of two seconds: a second change within a step cannot be seen. */
const settleMs = 2000;

/**
 * Reports changes of a directory until the returned function is called. It uses the system's notifications. Where there are
 * none (network disks, a directory that does not exist yet), it checks the directory's modification time.
 */
export function watchDirectory(directory: string, { onIds, onChange }: DirectoryWatchOptions): () => void {
  let watcher: FSWatcher | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let ids = new Set<string>();
  let wasNotified = false;
  let seen = timeOf(directory)?.text;
  let inode = timeOf(directory)?.inode;
  let restUntil = 0;
  let lastCheck = performance.now();

  function open(): void {
    if (watcher !== undefined) return;
    try {
      watcher = watch(directory, { persistent: false }, (event, name) => {
        // A file that grows does not change the directory's modification time.
        if (event === "rename") wasNotified = true;
        gather(name);
      });
      watcher.on("error", close);
    } catch {
      watcher = undefined;
    }
  }

  function close(): void {
    watcher?.close();
    watcher = undefined;
  }

  function gather(name: string | null): void {
    if (name !== null && !name.endsWith(sidecar)) return;
    // A notification without a name can mean anything: the next poll may scan the directory at once.
    if (name === null) lastCheck = Number.NEGATIVE_INFINITY;
    else if (ids.size <= manyIds) ids.add(name.slice(0, -sidecar.length));
    gathering ??= setTimeout(report, gatherMs).unref();
  }

  function report(): void {
    gathering = undefined;
    const changed = ids;
    ids = new Set();
    if (changed.size > manyIds) scan();
    else if (changed.size > 0) onIds([...changed]);
  }

  function scan(): void {
    const start = performance.now();
    const time = timeOf(directory);
    seen = time !== undefined && Date.now() - time.ms < settleMs ? undefined : time?.text;
    // A directory that was removed and made again is not the one that is watched.
    if (time?.inode !== inode) close();
    inode = time?.inode;
    onChange();
    lastCheck = performance.now();
    restUntil = lastCheck + (lastCheck - start) / share;
  }

  function poll(): void {
    const wasWatching = watcher !== undefined;
    open();
    const now = performance.now();
    if (now < restUntil || timeOf(directory)?.text === seen) return;
    const isReported = wasWatching && wasNotified;
    if (isReported && now - lastCheck < checkMs) return;
    wasNotified = false;
    scan();
  }

  open();
  const timer = setInterval(poll, pollMs).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(gathering);
    close();
  };
}

const sidecar = ".meta.json";

function timeOf(directory: string): { text: string; ms: number; inode: bigint } | undefined {
  const stat = statSync(directory, { throwIfNoEntry: false, bigint: true });
  return stat && { text: `${stat.mtimeNs} ${stat.ino}`, ms: Number(stat.mtimeMs), inode: stat.ino };
}
