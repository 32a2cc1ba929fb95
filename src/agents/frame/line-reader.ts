import type { LineRecord } from "../../events/raw-record.js";
import { stripEscapes } from "../../text/clean-text.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Draft, Mapping, Sink } from "../contract.js";
import type { LineAccount } from "./line-account.js";
import type { OwnWords } from "./own-words.js";

/** Gives each line to the agent's mapping, in the form that fits it. */
export interface LineReader {
  stdout(line: string): void;
  stderr(line: string): void;
  /** A line that was longer than the limit: what is left of it. */
  cut(text: string, record: LineRecord): void;
}

interface Parts {
  mapping: Mapping;
  sink: Sink;
  account: LineAccount;
  words: OwnWords;
}

export function createLineReader({ mapping, sink, account, words }: Parts): LineReader {
  /** A mapping that throws on the unparsed line gets it again, parsed. */
  function isHandledUnparsed(text: string): boolean {
    try {
      return mapping.raw?.(text, sink) ?? false;
    } catch {
      return false;
    }
  }

  /** Made once, not for every line. */
  const mapRecord = (record: JsonObject): void => mapping.record(record, sink);

  function plainLine(text: string): void {
    account.run(text, () => mapping.text?.(text, sink));
    if (account.rule === undefined) words.plain(text);
  }

  return {
    stdout(line) {
      const text = withoutCarriageReturn(line);
      if (text.charCodeAt(0) !== brace && text.trim() === "") return account.consume("blank line");
      const skipped = mapping.skip?.(text);
      if (skipped !== undefined) return account.consume(skipped);
      if (isHandledUnparsed(text)) return;
      const value = parseJson(text);
      if (isObject(value)) account.run(value, mapRecord);
      else if (Array.isArray(value)) sink.emit({ type: "unknown", raw: value });
      // No agent prints bare numbers or strings as records: `42` is a plain line.
      else plainLine(text);
    },
    stderr(line) {
      const message = stripEscapes(line).trimEnd();
      words.diagnostic(message);
      if (message.trim() === "") return account.consume("blank line on standard error");
      account.run(message, () => {
        sink.emit({ type: "warning", message });
        mapping.diagnostic?.(message, sink);
      });
    },
    cut(text, record) {
      sink.emit(tooLongWarning(record));
      sink.emit({ type: "unknown", raw: text });
    },
  };
}

function tooLongWarning({ stream, droppedBytes }: LineRecord): Draft<"warning"> {
  return {
    type: "warning",
    code: "line_too_long",
    message: `a line on ${stream} was longer than the limit: ${droppedBytes} bytes of it were dropped`,
  };
}

const brace = 123;
const carriageReturn = 13;

function withoutCarriageReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === carriageReturn ? text.slice(0, -1) : text;
}
