#!/usr/bin/env node
import { exitCodes } from "./exit-codes.js";
import { hasAbandonedOutput, hasOutputFailed } from "./output.js";

// Whoever closes standard error does not want to hear of it.
process.stderr.on("error", () => undefined);

/** The entry: sets the exit code and lets the streams drain, for as long as anybody may still read them. */
const { runProgram } = await import("./program.js");
const exitCode = await runProgram(process.argv).catch((error: unknown) => {
  process.stderr.write(`harness: ${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.runFailed;
});
process.exitCode = exitCode === exitCodes.success && hasOutputFailed() ? exitCodes.notWritten : exitCode;
if (hasAbandonedOutput()) process.exit();
