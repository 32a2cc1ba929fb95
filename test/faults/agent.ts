import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Path of a little program of this suite. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/** Whom the agent starts, from harmless to hidden. */
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
/** How the agent goes on when it has said its lines. */
export type Manner =
  | "stay"
  | "deaf"
  | "ticks"
  | "exit"
  | "told"
  | "fail"
  | "linger"
  | "half"
  | "stopped"
  | `die-${number}`;

export interface Behaviour {
  helpers: Helpers;
  manner: Manner;
  /** How many lines it says first. */
  lines: number;
}

let tokens = 0;
const firstToken = Date.now() % 10_000_000;

/** A number that shows in the arguments of all processes of one try, and of no other. */
export function createToken(): string {
  tokens += 1;
  return `${firstToken}${String(tokens).padStart(5, "0")}`;
}

/** The arguments that make the agent behave so. */
export function toArguments({ helpers, manner, lines }: Behaviour, token: string): string[] {
  return [helpers, manner, token, String(lines)];
}

/** Does something with a directory that is gone afterwards. */
export async function inDirectory<T>(action: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "harness-fault-"));
  try {
    return await action(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
