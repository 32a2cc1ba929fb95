import { asObject, asText, numberIn } from "../../text/fields.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { finishRunning } from "../shared/finish-running.js";

/** Ends the calls that run commands. */
export interface Shell {
  /** The version that `init` names. */
  identify(version: string | undefined): void;
  end(call: OpenCall, how: Finished, out: Sink): void;
}

/**
 * The result of a command is what it printed. If it printed nothing, the result is a sentence or a summary about how it ended.
 * Up to 0.19 `is_error` is false whatever the exit code was, so a command that printed something has no outcome. Since 0.20
 * `is_error` is true if the exit code means a failure, and then the result is the summary.
 */
export function createShell(): Shell {
  let reportsFailures = false;
  return {
    identify(version) {
      const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
      reportsFailures = major > 0 || minor >= 20;
    },
    end(call, how, out) {
      const output = typeof how.output === "string" ? how.output : "";
      const exitCode = exitCodeIn(output, call);
      if (how.isSuccess === false || exitCode === 0) return out.finish(call, { ...how, exitCode });
      if (isInBackground(call, output)) return finishRunning(call, how, out);
      if (reportsFailures) return endSound(call, how, exitCode, out);
      if (exitCode !== undefined || failures.some((failure) => failure.test(output)))
        return out.finish(call, { ...how, isSuccess: false, exitCode });
      finishRunning(call, how, out);
    },
  };
}

/**
 * A command that Qwen Code does not call a failure (0.24.4). It may have exited with 1 if that is an answer, as with `grep` and
 * `test`. The command may also have printed the sentence about its exit code itself, so only a search is certain.
 */
function endSound(call: OpenCall, how: Finished, exitCode: number | undefined, out: Sink): void {
  const foundNothing = call.operations?.at(-1)?.exitsOneOnNoMatch === true;
  if (exitCode !== 1) out.finish(call, how);
  else if (foundNothing) out.finish(call, { ...how, exitCode });
  else finishRunning(call, how, out);
}

/** The command goes on, and no record says how it ends. */
function isInBackground({ name, input }: OpenCall, output: string): boolean {
  return name === "monitor" || (asObject(input)?.["is_background"] === true && started.test(output));
}

/** `Command: …`, then the directory, output and error, and at the end how it ended. */
const summary = /^[\s\S]*\nExit Code: (\d{1,3})\nSignal: .*\nProcess Group PGID: .*(?:\n\n[\s\S]*)?$/;
const sentence = /^Command exited with code: (\d{1,3})$/;
const started = /^Background shell \S+ started\b/;

const failures: readonly RegExp[] = [
  /^Command terminated by signal: \S+$/,
  /^Command failed: /,
  /^Command cancelled by user\.$/,
  /^Command timed out after \d+ ?ms/,
];

function exitCodeIn(output: string, call: OpenCall): number | undefined {
  const command = asText(asObject(call.input)?.["command"]);
  const isSummary = command !== undefined && output.startsWith(`Command: ${command}\n`);
  return numberIn(output, isSummary ? summary : sentence);
}
