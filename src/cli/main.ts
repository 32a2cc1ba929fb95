#!/usr/bin/env node
import { writeSync } from "node:fs";
import { keepIgnoringHangup } from "./hangup.js";
import { readVersion } from "./package-files.js";

if (["--version", "-V"].includes(process.argv[2] ?? "")) printVersion();
else {
  ignoreClosedOutput();
  keepIgnoringHangup();
  if (process.pid === 1 && process.platform === "linux") void runAsFirstProcess();
  else void runCommand();
}

/** Scripts often ask for the version, so nothing else is loaded for it: not even Node's streams, which take 2 ms. */
function printVersion(): void {
  const line = `${readVersion()}\n`;
  try {
    writeSync(1, line);
  } catch {
    // Nobody reads it, or it is a pipe that is full and does not block.
    ignoreClosedOutput();
    process.stdout.write(line);
  }
}

/** A reader that closes the output is not an error (`harness --help | head -1`). */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** In a container we may be the first process, which adopts orphans. */
async function runAsFirstProcess(): Promise<void> {
  const { runBelowFirst } = await import("../process/first-process-linux.js");
  const exitCode = await runBelowFirst([process.execPath, ...process.argv.slice(1)]);
  if (exitCode === undefined) await runCommand();
  else process.exit(exitCode);
}

/** Runs the command, sets the exit code and lets the streams drain, unless a reader was given up on. */
async function runCommand(): Promise<void> {
  const { useCodeCache } = await import("./code-cache.js");
  useCodeCache(process.env);
  const { runProgram } = await import("./program.js");
  const exitCode = await runProgram(process.argv).catch(async (error: unknown) => {
    const { complain } = await import("./complain.js");
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  });
  const { exitCodeOfOutput, hasAbandonedOutput } = await import("./output.js");
  process.exitCode = exitCodeOfOutput(exitCode);
  if (hasAbandonedOutput()) process.exit();
  // Nothing is left to do. Without this, Node would take its heap apart first, which takes 3 ms.
  process.once("beforeExit", () => process.exit());
}
