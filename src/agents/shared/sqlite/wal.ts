import type { ReadBytes } from "./pages.js";

const headerBytes = 32;
const frameBytes = 24;
const bigEndianMagic = 0x377f0683;
const littleEndianMagic = 0x377f0682;

/**
 * Where the newest pages are in a write-ahead log: offsets by page number. Only transactions that were committed count. What an earlier use
 * of the file has left behind has other salts, and a frame that is being written has no valid checksum: reading ends there.
 */
export function readWal(read: ReadBytes, pageSize: number): ReadonlyMap<number, number> {
  const committed = new Map<number, number>();
  const header = read(0, headerBytes);
  if (header.length < headerBytes) return committed;
  const view = viewOf(header);
  const magic = view.getUint32(0);
  if (magic !== bigEndianMagic && magic !== littleEndianMagic) return committed;
  if (view.getUint32(8) !== pageSize) return committed;
  const isLittle = magic === littleEndianMagic;
  const salts = [view.getUint32(16), view.getUint32(20)];
  let sum = addChecksum([0, 0], header.subarray(0, 24), isLittle);
  if (!isSum(sum, view, 24)) return committed;

  let pending: [page: number, offset: number][] = [];
  for (let at = headerBytes; ; at += frameBytes + pageSize) {
    const frame = read(at, frameBytes + pageSize);
    if (frame.length < frameBytes + pageSize) return committed;
    const about = viewOf(frame);
    if (about.getUint32(8) !== salts[0] || about.getUint32(12) !== salts[1]) return committed;
    sum = addChecksum(sum, frame.subarray(0, 8), isLittle);
    sum = addChecksum(sum, frame.subarray(frameBytes), isLittle);
    if (!isSum(sum, about, 16)) return committed;
    pending.push([about.getUint32(0), at + frameBytes]);
    if (about.getUint32(4) === 0) continue;
    for (const [page, offset] of pending) committed.set(page, offset);
    pending = [];
  }
}

type Sum = [first: number, second: number];

function addChecksum([first, second]: Sum, bytes: Uint8Array, isLittle: boolean): Sum {
  const view = viewOf(bytes);
  let [a, b] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}

function isSum([first, second]: Sum, view: DataView, at: number): boolean {
  return view.getUint32(at) === first && view.getUint32(at + 4) === second;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
