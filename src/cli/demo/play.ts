/**
 * The program that `harness demo` runs in place of the agent. It prints a recording (`raw.jsonl`) line by line, with
 * the pauses of the run, and exits as the agent did. It is a process of its own, so that the demo goes through
 * everything a real run goes through.
 *
 *     node demo-player.cjs RECORDING SPEED
 */
import { readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Longer pauses are shortened: nobody wants to watch them. */
const longestPauseMs = 1500;

interface PlayedRecord {
  timestamp: string;
  stream: string;
  line?: string;
  exitCode?: number | null;
}

const [, , recording = "", speed = "1"] = process.argv;
void play(recording, Number(speed));

async function play(path: string, factor: number): Promise<void> {
  const records = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): PlayedRecord => JSON.parse(line));
  let last = Date.parse(records[0]?.timestamp ?? "");
  for (const record of records) {
    const now = Date.parse(record.timestamp);
    const pause = Math.min(now - last, longestPauseMs) / factor;
    last = now;
    if (pause >= 1) await sleep(pause);
    if (record.stream === "stdout") writeSync(1, `${record.line}\n`);
    if (record.stream === "stderr") writeSync(2, `${record.line}\n`);
    if (record.stream === "exit") process.exitCode = record.exitCode ?? 1;
  }
}
