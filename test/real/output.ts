import type { ChildProcess } from "node:child_process";
import type { HarnessEvent } from "../../src/events/event.js";

/** The output of a program so far. */
export interface Output {
  stderr(): string;
  /** The complete lines so far. */
  events(): HarnessEvent[];
  /** The time of its last output, or of its start. */
  lastAt(): number;
}

export function readOutput(child: ChildProcess): Output {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let lastAt = Date.now();
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout.push(chunk);
    lastAt = Date.now();
  });
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  return {
    stderr: () => Buffer.concat(stderr).toString("utf8"),
    events(): HarnessEvent[] {
      const lines = Buffer.concat(stdout).toString("utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    lastAt: () => lastAt,
  };
}
