import { asInteger, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { OpenCall, Operation, Sink } from "../../contract.js";
import type { Dialect, FinishedCall } from "./dialect.js";
import { operationsOf } from "./operations.js";
import { emitSubagents } from "./subagents.js";

/**
 * `tool_use`: printed once, when the tool is done, so the start and the end of the call come from one record. Returns
 * the refusal if the call needed a permission that nobody was there to grant: such a call ends the run.
 */
export function translateCall(record: JsonObject, dialect: Dialect, out: Sink): { refusal?: string } {
  const part = asObject(record["part"]) ?? record;
  const state = asObject(part["state"]) ?? part;
  const name = firstText(part, ["tool", "toolName", "name"]);
  if (name === undefined) {
    out.emit({ type: "unknown", raw: record });
    return {};
  }
  const input = state["input"] ?? part["input"] ?? part["arguments"] ?? undefined;
  const metadata = metadataOf(state);
  const callId = firstText(part, ["callID", "callId", "call_id", "id"]) ?? `line-${out.lineNumber}`;
  const isSuccess = succeeded(name, state["status"], metadata);
  const error = asText(state["error"]);
  const call: FinishedCall = { callId, name, input: asObject(input) ?? {}, metadata, isSuccess, error };

  const subagents = own(dialect.subagentTools, name)?.(call) ?? [];
  const operations = operationsOf(call, dialect.tools, out.cwd);
  const started = metadata["status"] === "running" ? operations.filter(isCommand) : [];
  const open: OpenCall = { callId, name, input, native: record, operations };
  if (subagents.length + started.length > 0) open.isSilent = true;
  out.open(open);
  const output = state["output"] ?? state["error"] ?? undefined;
  out.finish(open, { isSuccess, output, exitCode: asInteger(metadata["exit"]), native: record });
  emitSubagents(subagents, call, out);
  // Commands that go on in the background. Their call succeeded, and no record says how they end.
  for (const operation of started) out.emit({ ...operation, callId });
  return error !== undefined && isRefusal.test(error) ? { refusal: error } : {};
}

/** What the tool itself says about the call. OpenCode 2 keeps it one level deeper, beside what the provider said. */
function metadataOf(state: JsonObject): JsonObject {
  const metadata = asObject(state["metadata"]) ?? {};
  return asObject(metadata["metadata"]) ?? metadata;
}

function isCommand(operation: Operation): operation is Operation & { type: "command" } {
  return operation.type === "command";
}

/**
 * The message of a permission that was requested and rejected, in OpenCode 1 and 2. If a rule denies, the message is another,
 * and the run goes on.
 */
const isRefusal = /^The user (?:rejected permission|declined this tool call)\b/;

const statuses: Readonly<Record<string, boolean>> = {
  completed: true,
  success: true,
  done: true,
  ok: true,
  error: false,
  failed: false,
  failure: false,
  cancelled: false,
  canceled: false,
};

/**
 * An invalid call of the model is a tool named `invalid` with the status `completed`. Every shell command has the status
 * `completed` too. Its exit code decides, which is null if the command timed out (1.18.33). OpenCode 2 leaves it out then and says
 * `timeout`. Code that calls tools and fails says `error` (both).
 */
function succeeded(name: string, status: JsonValue | undefined, metadata: JsonObject): boolean | undefined {
  if (name === "invalid") return false;
  const isCompleted = own(statuses, asText(status) ?? "");
  if (isCompleted !== true) return isCompleted;
  if (metadata["timeout"] === true || metadata["error"] === true) return false;
  return metadata["exit"] === undefined || metadata["exit"] === 0;
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
