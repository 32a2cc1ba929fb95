import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/**
 * The flags of V8 that commands change, and their values when Node 20 starts. Where another version has other values, compiled code
 * is not kept by a command that has changed them.
 */
const defaults = {
  "heap-growing-percent": 0,
  "semi-space-growth-factor": 2,
  "interrupt-budget": 66 * 1024,
} as const;
type V8Flag = keyof typeof defaults;

const changed = new Map<V8Flag, number>();
/** V8's number for its version and flags, as long as they are those that it was started with. */
let firstTag: number | undefined;

export function setV8Flag(flag: V8Flag, value: number): void {
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
