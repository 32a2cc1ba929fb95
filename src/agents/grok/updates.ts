import type { TokenCounts } from "../../events/usage.js";
import { asCount, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { newCall } from "../shared/call-shapes.js";
import { createMessageIds } from "../shared/message-ids.js";
import { countTokens } from "../shared/tokens.js";
import { toOperations, toolRuleOf } from "../shared/tool-table.js";
import { typedResult } from "./call-result.js";
import { failureOf } from "./failure.js";
import type { GrokSubagents } from "./subagents.js";
import { grokTools, spawnTool } from "./tools.js";

/** `--output-format streaming-json`. It names neither model nor directory, and the session only in its last record. */
export interface Updates {
  readonly records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>>;
  /** Emits the message that was not complete when the stream ended. */
  flush(out: Sink): void;
}

type EndCall = (call: OpenCall, how: Finished, result: JsonObject | undefined, out: Sink) => void;

/** `denied` returns Grok's message about the call that was denied last. */
export function createUpdates(
  subagents: GrokSubagents,
  endCall: EndCall,
  denied: () => string | undefined,
): Updates {
  const speech = createSpeech();
  /** The call whose subagent sends the current answer. Calls follow the text and the tokens of the answer. */
  let author: string | undefined;

  function endAnswer(out: Sink): void {
    speech.complete(author, out);
    author = subagents.speaker;
  }

  const records: Updates["records"] = {
    available_commands: (_record, out) => out.consume("available_commands"),
    text(record, out) {
      author = subagents.speaker;
      const delta = record["data"];
      if (typeof delta === "string") speech.add(delta, author, out);
    },
    thought(record, out) {
      author = subagents.speaker;
      const delta = asText(record["data"]);
      if (delta === undefined) return out.consume("thought: empty");
      out.emit({ type: "thinking", delta, parentCallId: author });
    },
    usage(record, out) {
      endAnswer(out);
      out.emit({ type: "usage", parentCallId: author, ...tokensOf(record["usage"]), scope: "step" });
    },
    tool_call(record, out) {
      speech.complete(author, out);
      const call = callOf(record, author, out.cwd);
      if (call === undefined) return;
      out.open(call);
      if (call.name === spawnTool) subagents.started(call, out);
    },
    tool_call_update(record, out) {
      const status = asText(record["status"]);
      if (status !== "completed" && status !== "failed")
        return out.consume("tool_call_update: still running");
      const call = out.call(asText(record["toolCallId"]) ?? "");
      if (call === undefined) return;
      const how = { isSuccess: status === "completed", output: record["content"], native: record };
      endCall(call, how, typedResult(record["rawOutput"]), out);
    },
    max_turns_reached(_record, out) {
      const message = "Reached the maximum number of turns";
      out.run.failure = { message, kind: "max_turns", isReported: true };
      out.emit({ type: "error", message, code: "max_turns_reached" });
    },
    end(record, out) {
      endAnswer(out);
      out.identify(asText(record["sessionId"]));
      endRun(record, denied(), out);
    },
    error(record, out) {
      speech.complete(author, out);
      const failure = failureOf(asText(record["message"]) ?? "no reason given");
      out.run.terminal = "failure";
      out.run.terminalLine = out.lineNumber;
      out.run.failure = failure;
      out.emit({ type: "error", message: failure.message, code: failure.code });
    },
  };

  return { records, flush: (out) => speech.complete(author, out) };
}

function callOf(
  record: JsonObject,
  parentCallId: string | undefined,
  cwd: string | undefined,
): OpenCall | undefined {
  const callId = asText(record["toolCallId"]);
  const name = asText(record["toolName"]) ?? asText(record["title"]);
  if (callId === undefined || name === undefined) return undefined;
  const input = record["rawInput"] ?? undefined;
  const rule = toolRuleOf(grokTools, name);
  const operations = rule && toOperations(rule, input, cwd);
  return newCall({
    callId,
    name,
    input,
    parentCallId,
    operations,
    native: record,
    isSilent: name === spawnTool,
  });
}

/** Reasons why Grok ends a run early. Standard error says more. */
const failedReasons: ReadonlySet<string | undefined> = new Set([
  "cancelled",
  "refusal",
  "max_tokens",
  "max_turn_requests",
]);

function endRun(record: JsonObject, denied: string | undefined, out: Sink): void {
  out.run.terminalLine = out.lineNumber;
  out.run.usage = { ...tokensOf(record["usage"]), scope: "run", line: out.lineNumber };
  const reason = asText(record["stopReason"]);
  const isFailure = failedReasons.has(reason);
  out.run.terminal = isFailure ? "failure" : "success";
  if (!isFailure) return out.consume("end: the run's usage");
  const { message, kind } = failureOf(reason ?? "", reason, denied);
  // Without a kind of its own, standard error explains the outcome.
  if (kind !== undefined) out.run.failure = { message, kind, isReported: false };
  out.consume("end: the run ended early");
}

function tokensOf(usage: JsonValue | undefined): TokenCounts {
  const fields = asObject(usage) ?? {};
  return countTokens({
    input: asCount(fields["input_tokens"]),
    cacheRead: asCount(fields["cache_read_input_tokens"]),
    cacheWrite: asCount(fields["cache_creation_input_tokens"]),
    output: asCount(fields["output_tokens"]),
    reasoning: asCount(fields["reasoning_tokens"]),
  });
}

/** Text arrives only in pieces. A message is complete when the tokens of the answer, a call or the end follow. */
function createSpeech() {
  const ids = createMessageIds();
  let pieces: string[] = [];
  let line = 0;
  return {
    add(delta: string, speaker: string | undefined, out: Sink): void {
      if (delta === "") return out.consume("text: empty");
      pieces.push(delta);
      line = out.lineNumber;
      out.emit({ type: "text", delta, messageId: ids.current(speaker), parentCallId: speaker });
    },
    complete(speaker: string | undefined, out: Sink): void {
      if (pieces.length === 0) return;
      const message = pieces.join("");
      pieces = [];
      if (speaker === undefined) out.run.text = message;
      out.emit({ type: "agent", message, messageId: ids.end(speaker), parentCallId: speaker, line });
    },
  };
}
