import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { HarnessEvent } from "../../src/vocabulary/event.js";
import { program } from "../run/test-agent.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Compiles the project as it is, into a folder from which its packages can be found. */
export function compileProject(): { build: string; remove(): void } {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const build = mkdtempSync(join(root, "node_modules/.cache/harness-"));
  writeFileSync(join(build, "package.json"), '{ "type": "module" }');
  const compiler = join(root, "node_modules/.bin/tsc");
  try {
    execFileSync(compiler, [
      "-p",
      join(root, "tsconfig.build.json"),
      "--outDir",
      build,
      "--declaration",
      "false",
    ]);
  } catch {
    // The type check has its own place; what can be compiled is compiled.
  }
  return { build, remove: () => rmSync(build, { recursive: true, force: true }) };
}

export interface KillableHarness {
  child: ChildProcess;
  runId: string;
  events: AsyncIterable<HarnessEvent>;
}

/** Another process that runs a little program through the harness. */
export function startHarness(
  build: string,
  name: string,
  sessions: string,
  runId: string,
  args: readonly string[] = [],
): KillableHarness {
  const child = spawn(
    process.execPath,
    [program("harness-run.mjs"), build, program(name), sessions, runId, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, runId, events: eventsOf(child) };
}

async function* eventsOf(child: ChildProcess): AsyncGenerator<HarnessEvent> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
}
