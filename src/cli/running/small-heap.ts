import { getHeapSpaceStatistics } from "node:v8";
import { setV8Flag } from "../v8-flags.js";

/*
 * Everything made for a line is garbage a moment later, so the heap of a run, or of a translation, can be small. V8 lets it grow
 * to 180 MB all the same if an agent prints lines of a MB. `--optimize-for-size` is no answer: it makes the space for new objects smaller again and
 * again, and a run then takes 5 to 13 % more processor time with ordinary lines, and 60 % more with long ones.
 * So the two parts of the heap are bounded here.
 */

/** Old objects are collected when they have grown by this much, instead of by up to 300 %. */
const growingPercent = 30;
/** Half of what V8 takes for new objects by default. Less is slower, more is not faster. */
const newObjectsBytes = 16 * 1024 * 1024;

/**
 * Keeps the heap of this process small, for good. Returns a function to call for each batch of lines: the size of the space for
 * new objects can be set only when Node starts, so its growth is stopped when it is large enough. A look takes 3 µs; a batch of a few
 * lines takes hardly more, so with these most batches go without one.
 */
export function keepHeapSmall({ batchesBetweenLooks = 16 } = {}): () => void {
  setV8Flag("heap-growing-percent", growingPercent);
  let batches = 0;
  let isBounded = false;
  return () => {
    batches += 1;
    if (isBounded || batches % batchesBetweenLooks !== 0) return;
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    if (space === undefined || space.space_size < newObjectsBytes) return;
    isBounded = true;
    setV8Flag("semi-space-growth-factor", 1);
  };
}
