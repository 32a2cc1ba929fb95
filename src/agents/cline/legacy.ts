import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";

/**
 * The flat `say`/`ask` stream of Cline before 3.0, read conservatively: words and errors. Its tool activity
 * is not reconstructed and stays `unknown`. It has no terminal record that every run sends.
 */
export interface Legacy {
  record(record: JsonObject, out: Sink): void;
  flush(out: Sink): void;
}

export function createLegacy(): Legacy {
  /** An error that was reported: the cause of the failure, unless the task is completed after it. */
  let cause: string | undefined;

  function say(message: string, out: Sink): void {
    if (message === out.run.text) return out.consume("say: an answer that was already told");
    out.run.text = message;
    out.emit({ type: "agent", message });
  }

  function fail(message: string, out: Sink): void {
    cause = message;
    out.emit({ type: "error", message });
  }

  const kinds: Readonly<Record<string, (text: string, out: Sink) => void>> = {
    "say text": say,
    "say completion_result"(text, out) {
      cause = undefined;
      out.run.terminal = "success";
      out.run.terminalLine = out.lineNumber;
      say(text, out);
    },
    "say reasoning": (text, out) => out.emit({ type: "thinking", message: text }),
    "say error": fail,
    "say api_req_failed": fail,
    "ask api_req_failed": fail,
    "ask followup": (text, out) => say(questionIn(text), out),
  };

  return {
    record(record, out) {
      out.run.needsTerminal = false;
      if (asFlag(record["partial"]) === true)
        return out.consume("say/ask: a piece that the whole message restates");
      const type = asText(record["type"]) ?? "";
      const kind = `${type} ${asText(record[type]) ?? ""}`;
      const text = asText(record["text"]) ?? asText(record["reasoning"]);
      if (text !== undefined && Object.hasOwn(kinds, kind)) kinds[kind]?.(text, out);
    },
    flush(out) {
      if (cause !== undefined) out.run.failure = { message: cause, isReported: true };
    },
  };
}

/** A question with options to choose from is JSON text. */
function questionIn(text: string): string {
  return asText(asObject(parseJson(text))?.["question"]) ?? text;
}
