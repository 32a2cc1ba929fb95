import { type FSWatcher, statSync, watch } from "node:fs";

export interface DirectoryWatchOptions {
  /** Files that were added, changed or removed; at most once in a while, all that there were. */
  onNames(names: readonly string[]): void;
  /** Anything may have changed. */
  onChange(): void;
}

/** What happens within this time is told together. */
const gatherMs = 30;
/** More names than these are not told one by one. */
const manyNames = 2000;
/** How often the directory's own time is looked at: one call of the system. */
const pollMs = 400;
/** The system may drop what it has to tell when there is too much of it: this often the directory is looked at after a change. */
const checkMs = 60_000;
/** Looking at the directory takes at most this part of the time. */
const share = 1 / 20;
/** File systems tell times to two seconds: a change so close to another cannot be seen. */
const settleMs = 2000;

/**
 * Tells of changes of a directory until it is closed: the system does, if it can. Where it cannot (network disks, a directory
 * that is not there yet), the directory's time does.
 */
export function watchDirectory(directory: string, { onNames, onChange }: DirectoryWatchOptions): () => void {
  let watcher: FSWatcher | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let names = new Set<string>();
  let hasBeenTold = false;
  let seen = timeOf(directory)?.text;
  let inode = timeOf(directory)?.inode;
  let restUntil = 0;
  let lastCheck = performance.now();

  function open(): void {
    if (watcher !== undefined) return;
    try {
      watcher = watch(directory, { persistent: false }, (event, name) => {
        // Of a file that grows the directory's time says nothing.
        if (event === "rename") hasBeenTold = true;
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
    // Without a name it is told as more than can be named.
    if (name !== null && !name.endsWith(sidecar)) return;
    if (name === null) lastCheck = Number.NEGATIVE_INFINITY;
    else if (names.size <= manyNames) names.add(name);
    gathering ??= setTimeout(tell, gatherMs).unref();
  }

  function tell(): void {
    gathering = undefined;
    const told = names;
    names = new Set();
    if (told.size > manyNames) look();
    else if (told.size > 0) onNames([...told]);
  }

  function look(): void {
    const start = performance.now();
    const time = timeOf(directory);
    seen = time !== undefined && Date.now() - time.ms < settleMs ? undefined : time?.text;
    // One that was removed and made again is not the one that is watched.
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
    const isReported = wasWatching && hasBeenTold;
    if (isReported && now - lastCheck < checkMs) return;
    hasBeenTold = false;
    look();
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
