/**
 * Writes the output of many agents at once: `write-pipes.mjs LINES_PER_SECOND SECONDS PIPE…`. Starts when standard input
 * ends, and writes the lines that are due to every pipe, a hundred times a second.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stampedLine } from "../stamped-line.mjs";

const [, , rate, seconds, ...pipes] = process.argv;
// Opened for reading too: a pipe can then be opened before its agent exists.
const files = pipes.map((pipe) => openSync(pipe, constants.O_RDWR));
for await (const _ of process.stdin);

const perSecond = 100;
const linesAtOnce = Number(rate) / perSecond;
const start = performance.now();
for (let turn = 0; turn < Number(seconds) * perSecond; turn++) {
  const due = start + (turn * 1000) / perSecond;
  const wait = due - performance.now();
  if (wait > 1) await sleep(wait);
  for (const file of files) writeSync(file, stampedLine(process.hrtime.bigint()).repeat(linesAtOnce));
}
for (const file of files) closeSync(file);
