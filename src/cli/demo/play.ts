/**
 * The program that `harness demo` runs in the agent's place: prints a recording (`raw.jsonl`) line by line, with the
 * pauses of the run, and ends as it ended. A real process, so that everything behind it is the real thing.
 *
 *     node play.js RECORDING SPEED
 */
import { readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** No pause is worth more of a watcher's time. */
const longestPauseMs = 1500;

const [, , recording = "", speed = "1"] = process.argv;
const records = readFileSync(recording, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): PlayedRecord => JSON.parse(line));

interface PlayedRecord {
  timestamp: string;
  stream: string;
  line?: string;
  exitCode?: number | null;
}

let last = Date.parse(records[0]?.timestamp ?? "");
for (const record of records) {
  const now = Date.parse(record.timestamp);
  const pause = Math.min(now - last, longestPauseMs) / Number(speed);
  last = now;
  if (pause >= 1) await sleep(pause);
  if (record.stream === "stdout") writeSync(1, `${record.line}\n`);
  if (record.stream === "stderr") writeSync(2, `${record.line}\n`);
  if (record.stream === "exit") process.exitCode = record.exitCode ?? 1;
}
