/**
 * Ids for prompts. Claude Code keeps them in its session file, so they must differ from those of earlier sessions that are
 * resumed: `seed` is random and belongs to this session. It cannot be read from the ids.
 */
export function createUuids(seed: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const digits = [1, 2, 3, 4].map((part) => hash(`${part} ${count} ${seed}`)).join("");
    const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) % 4];
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join("-");
  };
}

/** FNV-1a with a final mix, as eight hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
