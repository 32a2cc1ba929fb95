import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** V8's number for its version and flags, as long as they are those that it was started with. */
let firstTag: number | undefined;

/**
 * Keeps the heap of this process small, for good. Everything made for a line is garbage a moment later. By default V8
 * lets the heap grow to three times the size, which is not faster (bench/README.md, "memory").
 */
export function keepHeapSmall(): void {
  firstTag ??= cachedDataVersionTag();
  setFlagsFromString("--optimize-for-size");
}

/**
 * Calls `work` with the flags that V8 was started with: it refuses code that was kept under others. If they cannot be
 * restored, `work` is not called.
 */
export function withFirstFlags(work: () => void): void {
  if (firstTag === undefined) return work();
  setFlagsFromString("--no-optimize-for-size");
  // The other flag has set this one. 0 is the default: as V8 likes it.
  setFlagsFromString("--max-semi-space-size=0");
  try {
    if (cachedDataVersionTag() === firstTag) work();
  } finally {
    setFlagsFromString("--optimize-for-size");
  }
}
