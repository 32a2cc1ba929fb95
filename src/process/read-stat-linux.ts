import { closeSync, openSync, readSync } from "node:fs";

/** What a process says about itself in one line is shorter: the longest name has 15 bytes, the rest are numbers. */
const buffer = Buffer.allocUnsafeSlow(4096);

/** What `/proc/<pid>/stat` says after the name, and the name. Undefined if the process is gone or hidden. */
export interface ProcessStat {
  name: string;
  /** state ppid pgrp … starttime */
  fields: string[];
}

/** Every second this is read for every process that was started after us; `readFileSync` takes half as long again. */
export function readStat(pid: number): ProcessStat | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, "r");
    // pid (name) state ppid pgrp … starttime; the name may contain anything, including brackets and line feeds.
    const stat = buffer.toString("latin1", 0, readSync(file, buffer));
    const nameEnd = stat.lastIndexOf(")");
    return {
      name: stat.slice(stat.indexOf("(") + 1, nameEnd),
      fields: stat.slice(nameEnd + 2).split(" ", 20),
    };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
