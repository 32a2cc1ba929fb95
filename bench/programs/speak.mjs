#!/usr/bin/env node
/** An agent that prints timestamped lines: BENCH_LINES lines, BENCH_PAUSE_MS apart. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stampedLine } from "../stamped-line.mjs";

await sleep(300);
for (let n = 0; n < Number(process.env.BENCH_LINES); n++) {
  writeSync(1, stampedLine(process.hrtime.bigint()));
  await sleep(Number(process.env.BENCH_PAUSE_MS));
}
