import { formatCount, formatNumberOf } from "../../../src/text/numbers.js";

/** `+12 −3`. */
export function LineCounts({ insertions, deletions }: { insertions: number; deletions: number }) {
  // A binary file, or one that was only renamed.
  if (insertions === 0 && deletions === 0) return null;
  return (
    <span class="line-counts">
      {insertions > 0 && (
        <span class="plus" title={`${formatNumberOf(insertions, "line")} added`}>
          +{formatCount(insertions)}
        </span>
      )}
      {insertions > 0 && deletions > 0 && " "}
      {deletions > 0 && (
        <span class="minus" title={`${formatNumberOf(deletions, "line")} removed`}>
          −{formatCount(deletions)}
        </span>
      )}
    </span>
  );
}
