import type { Pages } from "./pages.js";

/** The largest row that is read. A text of a conversation is far smaller. */
const largest = 64 * 1024 * 1024;

/** Reads a number of 1 to 9 bytes. Undefined if it is not complete, or larger than a safe integer. */
export function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let count = 0; count < 9; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) return undefined;
    if (count === 8) value = value * 256 + byte;
    else value = value * 128 + (byte & 0x7f);
    if (count === 8 || byte < 0x80) {
      return Number.isSafeInteger(value) ? { value, next: at + count + 1 } : undefined;
    }
  }
  return undefined;
}

/** The content of a row. Only as much of it is read as is asked for. */
export interface Payload {
  readonly length: number;
  /** The first bytes of it. Less if the file is damaged. */
  first(length: number): Uint8Array;
}

/** The content of a cell in a leaf of a table. What does not fit into the page continues on others. */
export function payloadOf(page: Uint8Array, at: number, length: number, pages: Pages): Payload | undefined {
  if (length > largest) return undefined;
  const local = localBytes(length, pages.usable);
  const start = page.subarray(at, at + local);
  if (local === length) return { length, first: (count) => start.subarray(0, count) };
  let loaded: Uint8Array | undefined;
  return {
    length,
    first(count) {
      if (count <= start.length) return start.subarray(0, count);
      loaded ??= join(start, length, nextPage(page, at + local), pages);
      return loaded.subarray(0, count);
    },
  };
}

/** How many bytes of a row of this length are in the leaf itself, by the rule of the file format. */
function localBytes(length: number, usable: number): number {
  const most = usable - 35;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((length - least) % (usable - 4));
  return local <= most ? local : least;
}

/** Pages that name each other in a circle end the row: otherwise a small file would have rows of any length. */
function join(start: Uint8Array, length: number, firstPage: number, pages: Pages): Uint8Array {
  const parts = [start];
  const seen = new Set<number>();
  let filled = start.length;
  for (let number = firstPage; filled < length && number !== 0 && !seen.has(number); ) {
    seen.add(number);
    const page = pages.page(number);
    if (page === undefined) break;
    const part = page.subarray(4, Math.min(pages.usable, 4 + length - filled));
    parts.push(part);
    filled += part.length;
    number = nextPage(page, 0);
  }
  const whole = new Uint8Array(filled);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function nextPage(page: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = page.subarray(at, at + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}
