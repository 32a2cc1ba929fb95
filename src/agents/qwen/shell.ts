import { asObject, asText } from "../../text/fields.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { finishRunning } from "../shared/claude-stream/calls.js";

/** Ends the calls that run commands. */
export interface Shell {
  /** The version that `init` names. */
  identify(version: string | undefined): void;
  end(call: OpenCall, how: Finished, out: Sink): void;
}

/**
 * The result of a command is what it printed. If it printed nothing, the result is a sentence or a summary about how it ended.
 * Up to 0.19 `is_error` is false whatever the exit code was, so a command that printed something has no outcome there. Since
 * 0.20 `is_error` is true if the exit code means a failure, and the result is the summary then.
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
      const isInBackground = call.name === "monitor" || started.test(output);
      const isCertain = how.isSuccess === false || exitCode === 0 || (reportsFailures && !isInBackground);
      if (isCertain) return out.finish(call, { ...how, exitCode });
      if (exitCode !== undefined || failures.some((failure) => failure.test(output)))
        return out.finish(call, { ...how, isSuccess: false, exitCode });
      finishRunning(call, call.operations ?? [], how, out);
    },
  };
}

/** `Command: …`, then the directory, output and error, and at the end how it ended. */
const summary = /\nExit Code: (\d{1,3})\nSignal: .*\nProcess Group PGID: .*(?:\n\n[\s\S]*)?$/;
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
  const code = (isSummary ? summary : sentence).exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}
