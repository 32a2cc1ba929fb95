import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { recordAtEnd } from "../shared/glued-record.js";
import { createBanner } from "./banner.js";
import { createCalls } from "./calls.js";
import { createMessages } from "./messages.js";
import { fail } from "./own-voice.js";
import { todoTool } from "./tools.js";
import { setUsage } from "./usage.js";

/** Goose `run --output-format stream-json` (recorded with 1.52.0). */
export function createGooseMapping(options: TranslatorOptions): Mapping {
  const banner = createBanner();
  const calls = createCalls();
  const messages = createMessages(banner.model, calls);

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
      setUsage(record, { isResumed, hasSeveralSteps: calls.hasResults() }, out);
      out.consume("complete: the usage");
    },
    notification: calls.notify,
    /** Before 1.29, if one model plans and another one works. */
    model_change(record, out) {
      const model = asText(record["model"]);
      if (model !== undefined) out.session({ model });
    },
  };

  function record(value: JsonObject, out: Sink): void {
    const type = asText(value["type"]) ?? "";
    if (Object.hasOwn(records, type)) records[type]?.(value, out);
  }

  return {
    record,
    /** If Goose is interrupted, it prints a message of its own and the next record on one line. */
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
    todoTools: { todo__todo_write: todoTool },
  };
}
