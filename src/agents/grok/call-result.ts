import { asArray, asCount, asFlag, asObject, asText, firstText, isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, OpenCall, Operation, Sink, TodoTool } from "../contract.js";
import { finishRunning } from "../shared/finish-running.js";
import { readTodos } from "../shared/todos.js";
import { shellOperations } from "../shared/tool-table.js";
import { monitorTool } from "./tools.js";

/**
 * What a call returned: a record whose `type` names the kind of result, such as `Bash` or `ReadFile`. Kinds with variants have a
 * field named like the variant (`FileContent`, `FileNotFound`). In `streaming-messages-json` the record is JSON text.
 */
export function typedResult(content: JsonValue | undefined): JsonObject | undefined {
  const value = typeof content === "string" ? parseJson(content) : content;
  return isObject(value) ? value : undefined;
}

/**
 * Ends a call and returns its output. The call itself has neither the exit code of a command nor absolute paths. The typed result
 * has both.
 */
export function endCall(
  call: OpenCall,
  how: Finished,
  result: JsonObject | undefined,
  out: Sink,
): JsonValue | undefined {
  const output = outputOf(result) ?? contentText(how.output);
  finishTyped(call, { ...how, output, details: result }, result, out);
  return output;
}

function finishTyped(call: OpenCall, ended: Finished, result: JsonObject | undefined, out: Sink): void {
  if (result?.["type"] === "Bash") return endCommand(call, ended, result, out);
  const isStarted =
    result?.["type"] === "BackgroundTaskStarted" || (call.name === monitorTool && ended.isSuccess !== false);
  if (isStarted && call.operations?.length) return finishRunning(call, ended, out);
  // A search that could not be made is not called an error (1.0.41). 1 means that nothing was found.
  const isFailedSearch = result?.["type"] === "GrepSearch" && (asCount(result["exit_code"]) ?? 0) > 1;
  const path = firstText(variantOf(result) ?? {}, ["absolute_path", "absolute_root_path", "file_path"]);
  if (path !== undefined) call.operations = call.operations?.map((operation) => located(operation, path));
  out.finish(call, isFailedSearch ? { ...ended, isSuccess: false } : ended);
}

function endCommand(call: OpenCall, how: Finished, result: JsonObject, out: Sink): void {
  const exitCode = asCount(result["exit_code"]);
  const isCut = asFlag(result["timed_out"]) === true || asText(result["signal"]) !== undefined;
  const directory = asText(result["current_dir"]);
  const command = asText(asObject(call.input)?.["command"]);
  if (directory !== undefined && directory !== out.cwd && command !== undefined)
    call.operations = shellOperations(command, { base: directory, workingDirectory: directory });
  const isSuccess = how.isSuccess !== false && !isCut && (exitCode ?? 0) === 0;
  out.finish(call, { ...how, isSuccess, exitCode: isCut ? undefined : exitCode });
}

/** The path that Grok reports wins over the one that was asked for. */
function located(operation: Operation, path: string): Operation {
  const hasPath = operation.type === "read" || operation.type === "write" || operation.type === "list";
  return hasPath ? { ...operation, path: resolvePath(path, undefined) } : operation;
}

/** Where the text of a result is. A kind that is not listed has it in its variant. */
const texts: Readonly<Record<string, (result: JsonObject) => JsonValue | undefined>> = {
  Bash: (result) => textOfBytes(result["output"]) ?? result["output_for_prompt"],
  GrepSearch: (result) => textOfBytes(result["stdout"]),
  MCP: (result) => Object.values(asObject(result["output"]) ?? {})[0],
  SubagentCompleted: (result) => result["output"],
  BackgroundTaskStarted: (result) => result["summary"],
  Text: (result) => result["text"],
};

const textFields = [
  "raw_output",
  "tool_output_for_prompt",
  "content",
  "summary_for_prompt",
  "message",
  "output",
];

/** The output for people. A result without a text is kept as it is. */
function outputOf(result: JsonObject | undefined): JsonValue | undefined {
  if (result === undefined) return undefined;
  const type = asText(result["type"]) ?? "";
  const known = Object.hasOwn(texts, type) ? texts[type]?.(result) : undefined;
  if (typeof known === "string") return known;
  const sentence = Object.entries(result).find(
    ([key, value]) => key !== "type" && typeof value === "string",
  )?.[1];
  const words = type === "" ? asText(result["message"]) : undefined;
  return firstText(variantOf(result) ?? {}, textFields) ?? words ?? sentence ?? result;
}

function variantOf(result: JsonObject | undefined): JsonObject | undefined {
  return Object.values(result ?? {}).find((value): value is JsonObject => isObject(value));
}

/** The output of commands and searches is a list of bytes. */
function textOfBytes(value: JsonValue | undefined): string | undefined {
  const bytes = asArray(value);
  if (bytes === undefined || !bytes.every((byte) => typeof byte === "number")) return undefined;
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** `todo_write` may change only some entries. Its typed result has the whole list. */
export const todoTool: TodoTool = {
  read: ({ details }, before) =>
    readTodos(asObject(asObject(details)?.["TodosUpdated"])?.["todos"]) ?? before,
};

/** A tool that could not be called returns a list of texts. In `streaming-messages-json` the list is JSON text. */
function contentText(output: JsonValue | undefined): JsonValue | undefined {
  const items = asArray(typeof output === "string" ? parseJson(output) : output);
  const parts = items?.map((item) => asText(asObject(asObject(item)?.["content"])?.["text"]));
  return parts?.length && parts.every((part) => part !== undefined) ? parts.join("\n") : output;
}
