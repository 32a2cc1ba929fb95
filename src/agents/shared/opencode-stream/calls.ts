import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { OpenCall, Operation, Sink } from "../../contract.js";
import { newCall } from "../call-shapes.js";
import { readCallOutcome } from "./call-outcome.js";
import type { Dialect, FinishedCall } from "./dialect.js";
import { operationsOf } from "./operations.js";
import { emitSubagents, type Subagents, subagentsOf } from "./subagents.js";

/** A call as one record reports it, which may be its end or a state before it. */
export interface ReadCall extends FinishedCall {
  /** The input as it was given, also if it is not an object. */
  given: JsonValue | undefined;
  output: JsonValue | undefined;
  record: JsonObject;
}

/**
 * `tool_use`: printed once, when the tool is done, so the start and the end of the call come from one record. Returns
 * the refusal if the call needed a permission that nobody was there to grant: such a call ends the run.
 */
export function translateCall(record: JsonObject, dialect: Dialect, out: Sink): { refusal?: string } {
  const part = asObject(record["part"]) ?? record;
  const call = readCall(part, record, dialect, `line-${out.lineNumber}`);
  if (call === undefined) {
    out.emit({ type: "unknown", raw: record });
    return {};
  }
  return finishCall(openCall(call, dialect, out), call, dialect, out);
}

/** Undefined: the part does not name its tool. */
export function readCall(
  part: JsonObject,
  record: JsonObject,
  dialect: Dialect,
  otherId: string,
): ReadCall | undefined {
  const state = asObject(part["state"]) ?? part;
  const name = firstText(part, ["tool", "toolName", "name"]);
  if (name === undefined) return undefined;
  const given = state["input"] ?? part["input"] ?? part["arguments"] ?? undefined;
  const input = asObject(given) ?? {};
  const callId = firstText(part, ["callID", "callId", "call_id", "id"]) ?? otherId;
  const outcome = readCallOutcome({ name, state, input }, own(dialect.backgroundTools ?? {}, name));
  const error = asText(state["error"]);
  const output = state["output"] ?? state["error"] ?? undefined;
  return { callId, name, input, error, ...outcome, given, output, record };
}

export function openCall(
  call: ReadCall,
  dialect: Dialect,
  out: Sink,
  parentCallId?: string | undefined,
): OpenCall {
  const { callId, name, given, record } = call;
  const operations = operationsOf(call, dialect.tools, out.cwd);
  const open = newCall({ callId, name, input: given, native: record, operations, parentCallId });
  out.open(open);
  return open;
}

/** The end of a call says most about what it did: its tool names files by their absolute paths. */
export function finishCall(
  open: OpenCall,
  call: ReadCall,
  dialect: Dialect,
  out: Sink,
  known?: Subagents,
): { refusal?: string } {
  const { callId, isSuccess, exitCode, output, error, record } = call;
  const { parentCallId } = open;
  const subagents = subagentsOf(call, dialect.subagentTools);
  const operations = operationsOf(call, dialect.tools, out.cwd);
  const started = call.isInBackground ? operations.filter(isCommand) : [];
  open.operations = operations;
  if (subagents.length + started.length > 0) open.isSilent = true;
  out.finish(open, { isSuccess, output, exitCode, native: record });
  emitSubagents(subagents, { ...call, parentCallId }, out, known);
  // Commands that go on in the background. Their call succeeded, and no record says how they end.
  for (const { command, workingDirectory } of started)
    out.emit({ type: "command", command, workingDirectory, callId, parentCallId });
  return error !== undefined && isRefusal.test(error) ? { refusal: error } : {};
}

function isCommand(operation: Operation): operation is Operation & { type: "command" } {
  return operation.type === "command";
}

/**
 * The message of a permission that was requested and rejected, in OpenCode 1 and 2. If a rule denies the call, the message
 * is different and the run goes on. So it does if the rejection has a reason, which the model gets.
 */
const isRefusal =
  /^The user (?:rejected permission|declined this tool call)\b(?!.* with the following feedback:)/;

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
