#!/usr/bin/env node
import { exitCodes } from "./exit-codes.js";

/** The entry: sets the exit code and lets the streams drain, never `process.exit()`. */
const { runProgram } = await import("./program.js");
process.exitCode = await runProgram(process.argv).catch((error: unknown) => {
  process.stderr.write(`harness: ${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.runFailed;
});
