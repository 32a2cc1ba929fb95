import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capturesDirectory } from "../support/captures.js";

/** The built command. `npm test` builds it first. */
export const commandPath = fileURLToPath(new URL("../../dist/cli/main.cjs", import.meta.url));

export interface CommandResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number | null;
}

export interface CommandOptions {
  stdin?: string | Buffer;
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs `harness` as a user does, with a home of its own. */
export function harness(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [commandPath, ...args], {
      cwd: options.cwd ?? tmpdir(),
      env: { ...ownEnvironment(), NO_COLOR: "1", ...homeEnvironment(), ...options.env },
    });
    const stdout: Buffer[] = [];
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ stdout: Buffer.concat(stdout), stderr, exitCode }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.stdin ?? "");
  });
}

/** A command that runs until it ends or is stopped. */
export interface StartedCommand {
  child: ChildProcess;
  ended: Promise<CommandResult>;
  /** Resolves when standard output has the words, and also if the command ends without them. */
  says(words: string): Promise<void>;
}

export function startHarness(
  args: readonly string[],
  options: Omit<CommandOptions, "stdin"> = {},
): StartedCommand {
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...ownEnvironment(), NO_COLOR: "1", ...homeEnvironment(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const watchers: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const watch of watchers) watch();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<CommandResult>((resolve) => {
    child.on("close", (exitCode) => resolve({ stdout: Buffer.from(stdout), stderr, exitCode }));
  });
  const isSaid = (words: string): Promise<void> =>
    new Promise((resolve) => {
      const watch = (): void => {
        if (stdout.includes(words)) resolve();
      };
      watchers.push(watch);
      watch();
    });
  const says = (words: string): Promise<void> => Promise.race([isSaid(words), ended.then(() => undefined)]);
  return { child, ended, says };
}

/** These tests may be run by an agent that harness runs, or where everything is trusted. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const { HARNESS_RUN_ID, HARNESS_RUN_MARKS, HARNESS_TRUST, HARNESS_QUEUE, HARNESS_VIEW_TOKEN, ...env } =
    process.env;
  return env;
}

/** Trusts the `harness.toml` of a project, as its user does. */
export async function trust(project: string, env: Record<string, string> = {}): Promise<void> {
  const { exitCode, stderr } = await harness(["trust", "--yes", project], { env });
  if (exitCode !== 0) throw new Error(stderr);
}

/** A home that belongs to one test run: no configuration, no recordings of the user's. */
export function homeEnvironment() {
  home ??= temporaryDirectory();
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_STATE_HOME: join(home, "state"),
  };
}

let home: string | undefined;

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "harness-test-"));
}

/** A real executable that prints a capture and ends as it did. */
export function programThatReplays(agent: string, scenario: string): string {
  const directory = `${capturesDirectory}${agent}/${scenario}/`;
  return program(`
    const { readFileSync, writeSync } = require("node:fs");
    const write = (fd, file) => { for (let data = readFileSync(file), at = 0; at < data.length; ) at += writeSync(fd, data, at); };
    write(2, ${JSON.stringify(`${directory}stderr.txt`)});
    write(1, ${JSON.stringify(`${directory}stdout.jsonl`)});
    const [code, signal] = readFileSync(${JSON.stringify(`${directory}exit.txt`)}, "utf8").trim().split(/\\s+/);
    if (code === "null") process.kill(process.pid, signal.replace("signal=", ""));
    else process.exitCode = Number(code);
  `);
}

/** A real executable with this JavaScript in it. */
export function program(script: string): string {
  const path = join(temporaryDirectory(), "agent.cjs");
  writeFileSync(path, `#!/usr/bin/env node\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

export function jsonLines(text: Buffer | string): Record<string, unknown>[] {
  return text
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
