import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap of this process small, for good. Whatever a line gives is garbage a moment later; left alone, V8 lets
 * the room for such garbage grow to 48 MB and is no faster for it (bench/README.md, "memory").
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
