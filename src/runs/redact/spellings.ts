/** A text that represents a value. */
export interface Spelling {
  text: string;
  /** True: upper and lower case differ. */
  isExact: boolean;
}

/**
 * Encodings that change all characters of a value: base64 (at any offset), hexadecimal, and UTF-8 that was decoded byte by
 * byte.
 */
export function encodingsOf(value: string): Spelling[] {
  const bytes = new TextEncoder().encode(value);
  const plain = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = [0, 1, 2].map((offset) => innerBase64(plain, offset));
  const exact = new Set([...base64, ...base64.map(toUrlAlphabet)]);
  const all = [
    { text: hex, isExact: false },
    { text: plain, isExact: false },
    ...Array.from(exact, (text) => ({ text, isExact: true })),
  ];
  return all.filter(({ text }) => text !== value && text.length >= shortest);
}

const shortest = 8;

/** The base64 digits that depend on the value alone, if `offset` bytes precede it. */
function innerBase64(plain: string, offset: number): string {
  const digits = btoa("\0".repeat(offset) + plain).replace(/=+$/, "");
  const isWhole = (offset + plain.length) % 3 === 0;
  const first = Math.ceil((offset * 8) / 6);
  return digits.slice(first, isWhole ? undefined : -1);
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
