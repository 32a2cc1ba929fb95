import {
  asCount,
  asFlag,
  asObject,
  asText,
  firstText,
  joinTextBlocks,
  numberIn,
} from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { resolvePath } from "../../../text/paths.js";
import type { Finished, OpenCall, Sink } from "../../contract.js";

/** How a call ended. Only Bash and failed calls send `is_error`. Without it the call succeeded. */
export function finishedOf(block: JsonObject, record: JsonObject): Finished {
  const details = asObject(record["tool_use_result"]);
  const output = joinTextBlocks(block["content"]);
  const isInterrupted = asFlag(details?.["interrupted"]) === true;
  return {
    isSuccess: asFlag(block["is_error"]) !== true && !isInterrupted,
    output,
    exitCode: asFlag(block["is_error"]) === true ? exitCodeIn(output) : undefined,
    native: block,
    details,
  };
}

/**
 * True if the call has returned and its command goes on in the background. No record says how the command ends. Lines of
 * subagents lack `tool_use_result`, so the input and the words of the result count too.
 */
export function isStillRunning(call: OpenCall, record: JsonObject, how: Finished): boolean {
  const details = asObject(record["tool_use_result"]);
  if (asText(details?.["backgroundTaskId"]) !== undefined) return true;
  if (how.isSuccess !== true) return false;
  if (asFlag(asObject(call.input)?.["run_in_background"]) === true) return true;
  return asText(details?.["stdout"]) === undefined && movedToBackground.test(asText(how.output) ?? "");
}

const movedToBackground =
  /^Command (?:running in background with ID:|was manually backgrounded |was moved to the background |did not complete within its \S+ timeout and was moved to the background )/;

/** No field holds the exit code. The output of a failed command begins with `Exit code 3`. */
function exitCodeIn(output: JsonValue | undefined): number | undefined {
  return typeof output === "string" ? numberIn(output, /^Exit code (\d{1,3})(?:\n|$)/) : undefined;
}

/** A result without its call. It is a read if it holds a file, else `unknown`. */
export function recoverRead(
  block: JsonObject,
  record: JsonObject,
  thread: { parentCallId: string | undefined; directory: string | undefined },
  out: Sink,
): void {
  const { parentCallId, directory } = thread;
  const file = asObject(asObject(record["tool_use_result"])?.["file"]);
  const path = file && firstText(file, ["filePath", "file_path", "path"]);
  if (path === undefined) return out.emit({ type: "unknown", parentCallId, raw: block });
  const startLine = asCount(file?.["startLine"]) || undefined;
  const count = asCount(file?.["numLines"]);
  const endLine = startLine !== undefined && count ? startLine + count - 1 : undefined;
  const callId = asText(block["tool_use_id"]);
  out.emit({
    type: "read",
    parentCallId,
    path: resolvePath(path, directory),
    startLine,
    endLine,
    isSuccess: asFlag(block["is_error"]) !== true,
    callId,
  });
}
