import { asArray, asFlag, asInteger, asObject, asText, joinTextBlocks } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { newCall } from "../shared/call-shapes.js";
import { isGivingUp } from "./own-voice.js";
import { createSubagents } from "./subagents.js";
import {
  bareName,
  finalOutput,
  isDelegation,
  isSilentTool,
  operationsOf,
  withSkillDirectory,
} from "./tools.js";

/** `toolRequest` and `toolResponse` blocks. */
export interface Calls {
  request(block: JsonObject, out: Sink): void;
  respond(block: JsonObject, out: Sink): void;
  /** The answer of a recipe was delivered: the text that follows is that answer. */
  hasFinalOutput(): boolean;
  /** The model was asked again with the result of a call. */
  hasResults(): boolean;
  /** `notification`: what a call logs while it runs. `extension_id` is the id of the call (1.52.0). */
  notify(record: JsonObject, out: Sink): void;
}

export function createCalls(): Calls {
  const subagents = createSubagents();
  let hasFinalOutput = false;
  let hasResults = false;

  function request(block: JsonObject, out: Sink): void {
    const callId = asText(block["id"]);
    const toolCall = asObject(block["toolCall"]);
    if (callId === undefined || toolCall === undefined) return out.emit({ type: "unknown", raw: block });
    if (out.call(callId) !== undefined) return out.consume("toolRequest: restated");
    const value = asObject(toolCall["value"]);
    const name = asText(value?.["name"]) ?? nameIn(toolCall["error"]);
    const input = value?.["arguments"];
    const operations = operationsOf(name, input, out.cwd);
    const isSilent = isDelegation(name) || isSilentTool(name);
    const call = newCall({ callId, name, input, native: block, operations, isSilent });
    out.open(call);
    if (isDelegation(name)) subagents.started(call, out);
  }

  function respond(block: JsonObject, out: Sink): void {
    const call = out.call(asText(block["id"]) ?? "");
    const result = asObject(block["toolResult"]);
    if (call === undefined || result === undefined) return out.emit({ type: "unknown", raw: block });
    hasResults = true;
    const value = asObject(result["value"]);
    const how = finishedOf(call, result, value, block);
    const outcome = { value, isSuccess: how.isSuccess === true && !hasGivenUp(how.output) };
    const tool = bareName(call.name);
    if (isDelegation(call.name)) {
      out.finish(call, { ...how, isSuccess: outcome.isSuccess });
      return subagents.returned(call, outcome, out);
    }
    call.operations = withSkillDirectory(call.operations ?? [], how.output);
    if (tool === "load" && asObject(value?.["_meta"])?.["task_status"] !== undefined) call.isSilent = true;
    if (call.name === finalOutput) hasFinalOutput ||= how.isSuccess === true;
    out.finish(call, how);
    if (tool === "load") subagents.loaded(call, outcome, out);
  }

  /** The logs of a subagent belong to the call that started it. Those of other tools are prose. */
  function notify(record: JsonObject, out: Sink): void {
    const call = out.call(asText(record["extension_id"]) ?? "");
    if (call !== undefined && bareName(call.name) === "shell" && asObject(record["log"]) !== undefined)
      return out.consume("notification: output of a command, restated by its result");
    out.emit({ type: "unknown", parentCallId: call && subagents.awaitedBy(call), raw: record });
  }

  return {
    request,
    respond,
    notify,
    hasFinalOutput: () => hasFinalOutput,
    hasResults: () => hasResults,
  };
}

/**
 * How a call ended. `status: "success"` only means that there is a result: `isError` and the exit code are in
 * it. In chat mode tools are not run, and the result of a call is an instruction for the model. Before 1.27 the shell
 * does not report exit codes, so whether a command succeeded is not known.
 */
function finishedOf(
  call: OpenCall,
  result: JsonObject,
  value: JsonObject | undefined,
  native: JsonObject,
): Finished {
  const details = asObject(value?.["structuredContent"]);
  const isShell = bareName(call.name) === "shell";
  const exitCode = isShell ? asInteger(details?.["exit_code"]) : undefined;
  const output = value === undefined ? result["error"] : (outputOf(value["content"]) ?? details);
  const hasFailed = result["status"] === "error" || value === undefined || asFlag(value["isError"]) === true;
  if (hasFailed || (exitCode ?? 0) !== 0 || isSkipped(output))
    return { isSuccess: false, output, exitCode, native };
  return { isSuccess: isShell && exitCode === undefined ? undefined : true, output, exitCode, native };
}

/**
 * The text of a result. Before 1.27 the tools answer twice: for the model, and for people, with the output again or a
 * longer report. The output is what the model got, unless only the copy for people is text.
 */
function outputOf(content: JsonValue | undefined): JsonValue | undefined {
  const blocks = asArray(content) ?? [];
  const forPeople = blocks.filter(isForPeople);
  const forModel = blocks.filter((block) => !isForPeople(block));
  if (forModel.length === 0 || forPeople.length === 0) return joinTextBlocks(content);
  const texts = [forModel, forPeople].map(joinTextBlocks);
  return texts.find((text) => typeof text === "string") ?? forModel;
}

function isForPeople(block: JsonValue): boolean {
  const audience = asArray(asObject(asObject(block)?.["annotations"])?.["audience"]);
  return audience?.length === 1 && audience[0] === "user";
}

function isSkipped(output: JsonValue | undefined): boolean {
  return (
    typeof output === "string" &&
    output.startsWith("Let the user know the tool call was skipped in goose chat mode.")
  );
}

/** A subagent that could not reach its model returns Goose's own message as its answer. */
function hasGivenUp(output: JsonValue | undefined): boolean {
  return typeof output === "string" && isGivingUp(output.replace(reportHead, ""));
}

/** The text before the answer of a subagent in the background. */
const reportHead = /^# Background Task Result[\s\S]*?\n## Output\n\n/;

/** A call that Goose refused has no name, except in the message of the refusal. */
function nameIn(error: JsonValue | undefined): string {
  return /^[^']*\bTool '([^']+)'/.exec(asText(error) ?? "")?.[1] ?? "invalid";
}
