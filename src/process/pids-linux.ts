import { readdirSync } from "node:fs";

const processesPerTurn = 100;

/** Every process, a hundred at a time, so that other runs can have a turn in between. */
export function* listPids(): Generator<number[]> {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  for (let at = 0; at < pids.length; at += processesPerTurn) yield pids.slice(at, at + processesPerTurn);
}
