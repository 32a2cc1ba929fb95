import { asCount, asFlag, asObject, asText, firstText, joinTextBlocks } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { resolvePath } from "../../../text/paths.js";
import type { Finished, Sink } from "../../contract.js";

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
  };
}

/** True if the call has returned and its command goes on in the background. No record says how the command ends. */
export function isStillRunning(record: JsonObject): boolean {
  return asText(asObject(record["tool_use_result"])?.["backgroundTaskId"]) !== undefined;
}

/** No field holds the exit code. The output of a failed command begins with `Exit code 3`. */
function exitCodeIn(output: JsonValue | undefined): number | undefined {
  const match = typeof output === "string" ? /^Exit code (\d{1,3})(?:\n|$)/.exec(output) : null;
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** A result without its call. It is a read if it holds a file, else `unknown`. */
export function recoverRead(
  block: JsonObject,
  record: JsonObject,
  parentCallId: string | undefined,
  out: Sink,
): void {
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
    path: resolvePath(path, out.cwd),
    startLine,
    endLine,
    isSuccess: asFlag(block["is_error"]) !== true,
    callId,
  });
}
