#!/usr/bin/env node
// Prints a file in chunks of random sizes, with pauses between some of them. Variables: CHUNK_FILE, CHUNK_SEED.
import { readFileSync, writeSync } from "node:fs";

const bytes = readFileSync(process.env.CHUNK_FILE);
let state = Number(process.env.CHUNK_SEED);

function below(end) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * end);
}

const pause = new Int32Array(new SharedArrayBuffer(4));
const largest = [2, 50, 3000, 100_000][below(4)];
// Tiny chunks of a long text would take forever, so after a while they may be larger.
for (let at = 0, pieces = 0; at < bytes.length; pieces++) {
  const end = at + 1 + below(pieces < 2000 ? largest : 100_000);
  for (let from = at; from < Math.min(end, bytes.length); ) {
    try {
      from += writeSync(1, bytes, from, Math.min(end, bytes.length) - from);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
  at = end;
  if (below(pieces < 50 ? 3 : 100) === 0) Atomics.wait(pause, 0, 0, 1);
}
