import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Operation, Sink } from "../../contract.js";
import { readCallOutcome } from "./call-outcome.js";
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
  const fields = asObject(input) ?? {};
  const callId = firstText(part, ["callID", "callId", "call_id", "id"]) ?? `line-${out.lineNumber}`;
  const outcome = readCallOutcome({ name, state, input: fields }, own(dialect.backgroundTools ?? {}, name));
  const error = asText(state["error"]);
  const call: FinishedCall = { callId, name, input: fields, error, ...outcome };

  const subagents = own(dialect.subagentTools, name)?.(call) ?? [];
  const operations = operationsOf(call, dialect.tools, out.cwd);
  const started = call.isInBackground ? operations.filter(isCommand) : [];
  const open: OpenCall = { callId, name, input, native: record, operations };
  if (subagents.length + started.length > 0) open.isSilent = true;
  out.open(open);
  const output = state["output"] ?? state["error"] ?? undefined;
  const { isSuccess, exitCode } = call;
  out.finish(open, { isSuccess, output, exitCode, native: record });
  emitSubagents(subagents, call, out);
  // Commands that go on in the background. Their call succeeded, and no record says how they end.
  for (const { command, workingDirectory } of started)
    out.emit({ type: "command", command, workingDirectory, callId });
  return error !== undefined && isRefusal.test(error) ? { refusal: error } : {};
}

function isCommand(operation: Operation): operation is Operation & { type: "command" } {
  return operation.type === "command";
}

/**
 * The message of a permission that was requested and rejected, in OpenCode 1 and 2. If a rule denies the call, the message
 * is different and the run goes on.
 */
const isRefusal = /^The user (?:rejected permission|declined this tool call)\b/;

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
