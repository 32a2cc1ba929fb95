import { formatCount } from "../../../src/text/numbers.js";

/** `+12 −3`. */
export function LineCounts({ insertions, deletions }: { insertions: number; deletions: number }) {
  // A binary file, or one that was only renamed.
  if (insertions === 0 && deletions === 0) return null;
  return (
    <span class="line-counts">
      <span class="plus" title={`${formatCount(insertions)} lines added`}>
        +{formatCount(insertions)}
      </span>{" "}
      <span class="minus" title={`${formatCount(deletions)} lines removed`}>
        −{formatCount(deletions)}
      </span>
    </span>
  );
}
