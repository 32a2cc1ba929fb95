/** The ids of the spans of one run. The same run always gets the same ones, so a run that is sent twice is one trace. */
export interface SpanIds {
  readonly traceId: string;
  /** The id of the next span. The first one is that of the root. */
  next(): string;
}

export function createSpanIds(runId: string): SpanIds {
  let count = 0;
  return {
    traceId: hashOf(`trace ${runId}`, 4),
    next() {
      count += 1;
      return spanIdOf(runId, count);
    },
  };
}

/** The id of the span that is the whole run. It is known before the run has begun. */
export function rootSpanIdOf(runId: string): string {
  return spanIdOf(runId, 1);
}

function spanIdOf(runId: string, number: number): string {
  return hashOf(`span ${number} ${runId}`, 2);
}

const multipliers = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f];

/** A hash of so many words of 32 bits, in hexadecimal. Never all zeros: that would mean "no id". Not for secrets. */
function hashOf(text: string, words: number): string {
  let hash = "";
  for (let lane = 0; lane < words; lane += 1) hash += toHex(laneOf(text, multipliers[lane] ?? 1, lane));
  return /^0+$/.test(hash) ? hash.replace(/0$/, "1") : hash;
}

/** FNV-1a with another multiplier in each lane, and the last step of MurmurHash3, which spreads every bit. */
function laneOf(text: string, multiplier: number, lane: number): number {
  let hash = 0x811c_9dc5 ^ Math.imul(lane + 1, multiplier);
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash = Math.imul((hash << 13) | (hash >>> 19), multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function toHex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
