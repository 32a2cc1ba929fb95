import { asFlag, asObject, numberIn } from "../../text/fields.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { finishRunning } from "../shared/finish-running.js";

/**
 * Ends a shell call. Its status is `success` whatever the command's exit code was, and the exit code is missing (0.61.0).
 * The display text is the command's output. Only if there is no output, it is a sentence about how the command ended.
 * So a command that printed something is reported without `isSuccess`, and so is one that goes on in the background.
 */
export function finishShell(call: OpenCall, how: Finished, out: Sink): void {
  const { isSuccess, output } = how;
  const isOver = asFlag(asObject(call.input)?.["is_background"]) !== true;
  if (isSuccess !== true || typeof output !== "string" || (output === "" && isOver))
    return out.finish(call, how);
  if (failures.some((failure) => failure.test(output))) {
    return out.finish(call, { ...how, isSuccess: false, exitCode: numberIn(output, exitCode) });
  }
  finishRunning(call, how, out);
}

const exitCode = /^Command exited with code: (\d{1,3})$/;

const failures: readonly RegExp[] = [
  exitCode,
  /^Command terminated by signal: \S+$/,
  /^Command failed: /,
  /^Command (?:cancelled by user\.|was automatically cancelled )/,
  /^Blocked: command substitution detected/,
];
