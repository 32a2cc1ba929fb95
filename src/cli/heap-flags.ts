import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** The flags of V8 that a run changes, and their values when Node starts. */
const defaults = { "heap-growing-percent": 0, "semi-space-growth-factor": 2 } as const;
type HeapFlag = keyof typeof defaults;

const changed = new Map<HeapFlag, number>();
/** V8's number for its version and flags, as long as they are those that it was started with. */
let firstTag: number | undefined;

export function setHeapFlag(flag: HeapFlag, value: number): void {
  firstTag ??= cachedDataVersionTag();
  changed.set(flag, value);
  setFlagsFromString(`--${flag}=${value}`);
}

/**
 * Calls `work` with the flags that V8 was started with: it refuses code that was kept under others. If they cannot be
 * restored, `work` is not called.
 */
export function withFirstFlags(work: () => void): void {
  if (firstTag === undefined) return work();
  for (const flag of changed.keys()) setFlagsFromString(`--${flag}=${defaults[flag]}`);
  try {
    if (cachedDataVersionTag() === firstTag) work();
  } finally {
    for (const [flag, value] of changed) setFlagsFromString(`--${flag}=${value}`);
  }
}
