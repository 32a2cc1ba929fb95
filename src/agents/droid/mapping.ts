import type { FailureKind } from "../../events/failure.js";
import { asCount, asInteger, asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { createRecent } from "../../text/recent.js";
import type { Mapping, Sink } from "../contract.js";
import { countTokens } from "../shared/tokens.js";
import { endCall, startCall } from "./calls.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * `droid exec --output-format stream-json` (recorded with 0.225.2). Only `completion` means success: Droid also exits with
 * 0 when a signal has ended it.
 */
export function createDroidMapping(): Mapping {
  /** The reasoning that was emitted. Droid prints each one twice. Few are remembered, because their texts are long. */
  const reasoned = createRecent<string>(500);

  const records: Readonly<Record<string, Handle>> = {
    system(record, out) {
      if (record["subtype"] !== "init") return;
      out.session({ model: asText(record["model"]), cwd: asText(record["cwd"]) });
    },
    message(record, out) {
      const message = asText(record["text"]);
      if (record["role"] === "user") return out.consume("message: the prompt");
      if (record["role"] !== "assistant") return;
      if (message === undefined || message.trim() === "") return out.consume("message: empty");
      if (ownFailures.some(([words]) => words.test(message))) return fail(message, out);
      out.run.text = message;
      out.emit({ type: "agent", message, messageId: asText(record["id"]) });
    },
    reasoning(record, out) {
      const message = asText(record["text"]);
      if (message === undefined) return out.consume("reasoning: empty");
      const key = JSON.stringify([record["id"] ?? null, message]);
      if (reasoned.delete(key)) return out.consume("reasoning: a second time");
      reasoned.set(key, true);
      out.emit({ type: "thinking", message });
    },
    tool_call: startCall,
    tool_result: endCall,
    completion,
    error,
  };

  return {
    record(record, out) {
      out.identify(asText(record["session_id"]));
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
  };
}

/** The terminal record of a success. Its usage is the sum of the run; the input excludes what was read from a cache. */
function completion(record: JsonObject, out: Sink): void {
  const { run } = out;
  const usage = asObject(record["usage"]);
  if (usage !== undefined) {
    const counts = countTokens({
      input: asCount(usage["input_tokens"]),
      cacheRead: asCount(usage["cache_read_input_tokens"]),
      cacheWrite: asCount(usage["cache_creation_input_tokens"]),
      output: asCount(usage["output_tokens"]),
    });
    run.usage = { ...counts, scope: "run", line: out.lineNumber };
  }
  const text = asText(record["finalText"]);
  const isNew = text !== undefined && run.text === undefined;
  run.terminal = "success";
  run.terminalLine = out.lineNumber;
  run.failure = undefined;
  run.durationMs = asInteger(record["durationMs"]);
  run.text = text ?? run.text;
  if (isNew) return out.emit({ type: "agent", message: text });
  out.consume("completion: the run's usage");
}

/** Two of these end a failed run: the cause (source `agent_loop`), then `Exec failed` (source `cli`). */
function error(record: JsonObject, out: Sink): void {
  const message = asText(record["message"]);
  if (message === undefined) return;
  const { run } = out;
  run.terminal = "failure";
  run.terminalLine = out.lineNumber;
  if (record["source"] === "cli" && run.failure !== undefined)
    return out.consume("error: the cause was already reported");
  fail(message, out);
}

/** Droid's own words when it gives up. They are printed as an ordinary answer before the error (0.225.2). */
const ownFailures: readonly (readonly [words: RegExp, kind: FailureKind])[] = [
  [
    /^Exec ended early: (?:insufficient permission|MCP tool [^\n]* requires higher autonomy) to proceed\./,
    "permission",
  ],
];

function fail(message: string, out: Sink): void {
  out.run.failure = {
    message,
    status: numberIn(message, /^([45]\d\d) /),
    kind: ownFailures.find(([words]) => words.test(message))?.[1],
    isReported: true,
  };
  out.emit({ type: "error", message });
}
