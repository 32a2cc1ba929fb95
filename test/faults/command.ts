import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

let folder: string | undefined;

/** Builds the current command as it is shipped, in a folder from which its packages can be resolved. */
export async function buildCommand(): Promise<void> {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules/.cache/harness-faults-"));
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  const options = ["--outDir", join(folder, "compiled"), "--declaration", "false"];
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(root, "tsconfig.build.json"), ...options]);
  } catch {
    // Types are checked elsewhere. The compiler emits files in spite of type errors.
  }
  const input = join(folder, "compiled/cli/main.js");
  const bundle = await rolldown({
    input,
    platform: "node",
    external: [/^node:/, "bullmq", "ioredis"],
    logLevel: "silent",
  });
  await bundle.write({
    dir: join(folder, "dist/cli"),
    format: "cjs",
    entryFileNames: "main.cjs",
    chunkFileNames: "[name]-[hash].cjs",
  });
  await bundle.close();
}

/** The path of the built command. */
export function commandPath(): string {
  if (folder === undefined) throw new Error("the command has not been built");
  return join(folder, "dist/cli/main.cjs");
}

export function removeCommand(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export interface CommandOptions {
  args: readonly string[];
  /** The home and data directory of the command. */
  directory: string;
  env?: Record<string, string>;
  /** Called for each line of standard output, with the number of lines so far. */
  onLine?(line: string, count: number): void;
}

export interface StartedCommand {
  child: ChildProcess;
  /** Its output, and how it ended. */
  ended: Promise<CommandEnd>;
}

export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  lines: string[];
  stderr: string;
}

/** Starts the command like a user, with a home of its own. */
export function startCommand({ args, directory, env, onLine }: CommandOptions): StartedCommand {
  const child = spawn(process.execPath, [commandPath(), ...args], {
    cwd: directory,
    env: { ...process.env, ...environmentOf(directory), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, ended: endOf(child, onLine) };
}

/** An environment without the user's own configuration and recordings. */
export function environmentOf(directory: string): Record<string, string> {
  return {
    HOME: directory,
    XDG_DATA_HOME: join(directory, "data"),
    XDG_CONFIG_HOME: join(directory, "config"),
    XDG_CACHE_HOME: join(directory, "cache"),
    NO_COLOR: "1",
  };
}

async function endOf(child: ChildProcess, onLine: CommandOptions["onLine"]): Promise<CommandEnd> {
  const lines: string[] = [];
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      onLine?.(line, lines.length);
    });
  }
  const [exitCode, signal] = await once(child, "close");
  return { exitCode, signal, lines, stderr };
}

/** The recordings directory of a command with this home. */
export function sessionsIn(directory: string): string {
  return join(directory, "data", "harness", "sessions");
}

/** The ids of the recorded runs. */
export function recordedRuns(directory: string): string[] {
  try {
    return readdirSync(sessionsIn(directory)).flatMap((name) =>
      name.endsWith(".meta.json") ? name.slice(0, -".meta.json".length) : [],
    );
  } catch {
    return [];
  }
}
