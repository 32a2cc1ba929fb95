import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { createBanner } from "./banner.js";
import { createMessages } from "./messages.js";
import { fail } from "./own-voice.js";
import { bareName } from "./tools.js";
import { setUsage } from "./usage.js";

/**
 * Goose `run --output-format stream-json` (recorded with 1.52.0). Logs and progress of MCP servers (`notification`) are prose
 * and stay `unknown`.
 */
export function createGooseMapping(options: TranslatorOptions): Mapping {
  const banner = createBanner();
  const messages = createMessages(banner.model);

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    message: messages.record,
    error(record, out) {
      messages.flush(out);
      const error = record["error"];
      const message = asText(error) ?? asText(asObject(error)?.["message"]) ?? asText(record["message"]);
      fail(message ?? "Goose reported an error", {}, out);
    },
    /** Always printed, also after a failure that was reported as text. */
    complete(record, out) {
      messages.flush(out);
      out.run.terminal = out.run.failure === undefined ? "success" : "failure";
      out.run.terminalLine = out.lineNumber;
      const isResumed = options.isResumed === true || banner.isResumed();
      setUsage(record, { isResumed, hasSeveralSteps: messages.hasSeveralSteps() }, out);
      out.consume("complete: the usage");
    },
    /** `extension_id` is the id of the call (1.52.0). */
    notification(record, out) {
      const message = asText(asObject(record["log"])?.["message"]);
      const call = out.call(asText(record["extension_id"]) ?? "");
      const tool = call === undefined ? "" : bareName(call.name);
      if (message === undefined) return;
      if (tool === "delegate" || subagentLog.test(message))
        out.consume("notification: a subagent is at work");
      else if (tool === "shell") out.consume("notification: output of a command, restated by its result");
    },
  };

  function record(value: JsonObject, out: Sink): void {
    const type = asText(value["type"]) ?? "";
    if (Object.hasOwn(records, type)) records[type]?.(value, out);
  }

  return {
    record,
    text(line, out) {
      if (banner.read(line, out)) return;
      const failure = /^\s*error: (.+)$/.exec(line)?.[1];
      if (failure !== undefined) return fail(failure, {}, out);
      const glued = recordAtEnd(line);
      if (glued === undefined) return;
      out.emit({ type: "unknown", raw: glued.before });
      record(glued.record, out);
    },
    flush: messages.flush,
  };
}

/**
 * `[subagent:12] shell`: all that the stream has about a call of a subagent. It has no id, no input and no end, so it cannot
 * become a call. `delegate` reports the subagent itself.
 */
const subagentLog = /^\[subagent:[^\]\s]+\] \S/;

/** If Goose is interrupted, it prints a message of its own and the next record on one line. */
function recordAtEnd(line: string): { before: string; record: JsonObject } | undefined {
  const start = line.indexOf('{"type":"');
  if (start <= 0) return undefined;
  const record = asObject(parseJson(line.slice(start)));
  return record && { before: line.slice(0, start), record };
}
