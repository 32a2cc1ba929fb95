import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap of this process small, for good. Whatever a line gives is garbage a moment later; left alone, V8 lets
 * the heap grow to three times what is needed and is no faster for it (bench/README.md, "memory").
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}
