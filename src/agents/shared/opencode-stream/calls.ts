import { asArray, asInteger, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { resolvePath } from "../../../text/paths.js";
import type { OpenCall, Operation, Sink } from "../../contract.js";
import { toOperations } from "../tool-table.js";
import type { Dialect, FinishedCall } from "./dialect.js";
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
  const metadata = asObject(state["metadata"]) ?? {};
  const callId = firstText(part, ["callID", "callId", "call_id", "id"]) ?? `line-${out.lineNumber}`;
  const isSuccess = succeeded(name, state["status"], metadata);
  const call: FinishedCall = { callId, name, input: asObject(input) ?? {}, metadata, isSuccess };

  const subagents = own(dialect.subagentTools, name)?.(call) ?? [];
  const operations = operationsOf(call, dialect, out);
  const started = metadata["status"] === "running" ? operations : [];
  const open: OpenCall = { callId, name, input, native: record, operations };
  if (subagents.length + started.length > 0) open.isSilent = true;
  out.open(open);
  const output = state["output"] ?? state["error"] ?? undefined;
  out.finish(open, { isSuccess, output, exitCode: asInteger(metadata["exit"]), native: record });
  emitSubagents(subagents, call, out);
  emitStarted(started, callId, out);

  const error = asText(state["error"]);
  return error !== undefined && isRefusal.test(error) ? { refusal: error } : {};
}

/** Commands that go on in the background. Their call succeeded, and no record says how they end. */
function emitStarted(operations: readonly Operation[], callId: string, out: Sink): void {
  for (const operation of operations) if (operation.type === "command") out.emit({ ...operation, callId });
}

/** The message of a permission that was requested and rejected. If a rule denies, the message is another, and the run goes on. */
const isRefusal = /^The user rejected permission\b/;

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
 * `completed` too. Its exit code decides, which is null if the command timed out (1.18.33).
 */
function succeeded(name: string, status: JsonValue | undefined, metadata: JsonObject): boolean | undefined {
  if (name === "invalid") return false;
  const isCompleted = own(statuses, asText(status) ?? "");
  if (isCompleted !== true) return isCompleted;
  return metadata["exit"] === undefined || metadata["exit"] === 0;
}

function operationsOf(call: FinishedCall, dialect: Dialect, out: Sink): Operation[] {
  const rule = own(dialect.tools, call.name.toLowerCase());
  if (rule === undefined) return [];
  const operations = toOperations(rule, call.input, out.cwd);
  if (rule.as === "skill") return operations.map((operation) => inSkillDirectory(operation, call, out));
  if (rule.as === "patch" && operations.length === 0) return patchedFiles(call, out);
  return operations;
}

/** The result of a loaded skill names its directory. */
function inSkillDirectory(operation: Operation, call: FinishedCall, out: Sink): Operation {
  const directory = asText(call.metadata["dir"]);
  if (operation.type !== "skill" || directory === undefined) return operation;
  return { ...operation, path: resolvePath(`${directory}/SKILL.md`, out.cwd) };
}

/** The files of a patch whose text has no markers. A moved file is named in both places. */
function patchedFiles(call: FinishedCall, out: Sink): Operation[] {
  const files = (asArray(call.metadata["files"]) ?? []).flatMap((value) => {
    const file = asObject(value) ?? {};
    return [asText(file["filePath"]), asText(file["movePath"])].filter((path) => path !== undefined);
  });
  return [...new Set(files)].map((path) => ({ type: "write", path: resolvePath(path, out.cwd) }));
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
