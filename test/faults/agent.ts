import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a program of this suite. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/** The processes that the agent starts, from harmless to hidden. */
export type Helpers =
  | "none"
  | "session"
  | "daemon"
  | "hidden"
  | "holder"
  | "deaf"
  | "user"
  | "vanished"
  | "storm"
  | "noise";
/** What the agent does after it has printed its lines. */
export type Manner =
  | "stay"
  | "deaf"
  | "ticks"
  | "exit"
  | "signalled"
  | "fail"
  | "linger"
  | "half"
  | "stopped"
  | `die-${number}`;

export interface Behaviour {
  helpers: Helpers;
  manner: Manner;
  /** The number of lines that it prints first. */
  lines: number;
}

let tokens = 0;
const firstToken = Date.now() % 10_000_000;

/** A number in the arguments of all processes of one try, and of no other process. */
export function createToken(): string {
  tokens += 1;
  return `${firstToken}${String(tokens).padStart(5, "0")}`;
}

/** The agent's arguments for this behaviour. */
export function toArguments({ helpers, manner, lines }: Behaviour, token: string): string[] {
  return [helpers, manner, token, String(lines)];
}

/** Calls back with a directory that is removed afterwards. */
export async function inDirectory<T>(action: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "harness-fault-"));
  try {
    return await action(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
