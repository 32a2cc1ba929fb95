import { asInteger, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { FinishedCall } from "./dialect.js";

export type CallOutcome = Pick<FinishedCall, "metadata" | "isSuccess" | "exitCode" | "isInBackground">;

/** How a call ended: its status, unless the tool's own report contradicts it. */
export function readCallOutcome(
  { name, state, input }: { name: string; state: JsonObject; input: JsonObject },
  processKey: string | undefined,
): CallOutcome {
  const metadata = metadataOf(state);
  const isCompleted = isCompletedStatus(state["status"]);
  const exitCode = asInteger(metadata["exit"]) ?? asInteger(metadata["exitCode"]);
  const isStart = processKey !== undefined && asText(input["command"]) !== undefined;
  const hasFailed =
    name === "invalid" || saysFailure(metadata) || (isStart && !isProcess(metadata, processKey));
  const isSuccess = isCompleted === true && hasFailed ? false : isCompleted;
  const isInBackground = isSuccess === true && (isStart || metadata["status"] === "running");
  return { metadata, isSuccess, exitCode, isInBackground };
}

/** OpenCode 2 keeps what the tool says one level deeper, beside what the provider said. */
function metadataOf(state: JsonObject): JsonObject {
  const metadata = asObject(state["metadata"]) ?? {};
  return asObject(metadata["metadata"]) ?? metadata;
}

const statuses: ReadonlyMap<string, boolean> = new Map([
  ["completed", true],
  ["success", true],
  ["done", true],
  ["ok", true],
  ["error", false],
  ["failed", false],
  ["failure", false],
  ["cancelled", false],
  ["canceled", false],
]);

function isCompletedStatus(status: JsonValue | undefined): boolean | undefined {
  return statuses.get(asText(status) ?? "");
}

/**
 * Every shell command has the status `completed`. Its exit code decides, which is null if the command timed out (1.18.33).
 * After a timeout OpenCode 2 leaves it out and says `timeout`. Other tools that completed without a result say `error`: code that
 * calls tools, and Kilo's own.
 */
function saysFailure(metadata: JsonObject): boolean {
  const { exit = metadata["exitCode"], error, timeout } = metadata;
  if (error === true || asText(error) !== undefined || timeout === true) return true;
  return exit !== undefined && exit !== 0;
}

/** Without an id nothing was started: the input was wrong, or Kilo's sandbox forbade it. */
function isProcess(metadata: JsonObject, processKey: string): boolean {
  return asText(metadata[processKey]) !== undefined && metadata["status"] !== "failed";
}
