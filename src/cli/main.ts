#!/usr/bin/env node
import { readVersion } from "./version.js";

/** The entry: sets the exit code and lets the streams drain, never `process.exit()`. */
if (["--version", "-V"].includes(process.argv[2] ?? "")) {
  // Asked for by scripts, often: it loads nothing else.
  process.stdout.write(`${readVersion()}\n`);
} else {
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(process.argv).catch((error: unknown) => {
    process.stderr.write(`harness: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
}
