import type { JsonValue } from "../../text/json.js";
import type { Draft } from "../contract.js";
import type { EventWriter } from "./event-writer.js";

/** Keeps account of the line at hand, so that no line is lost: it gives events, or a rule consumes it. */
export interface LineAccount {
  /** The rule that consumed the line; undefined if it gave events. */
  readonly rule: string | undefined;
  /** A new line. */
  open(): void;
  /** The first rule counts. */
  consume(rule: string): void;
  /** Runs one step of the line. If it emits nothing and names no rule, or throws, `raw` becomes `unknown`. */
  run(raw: JsonValue, step: () => void): void;
}

export function createLineAccount(emit: (draft: Draft) => void, writer: EventWriter): LineAccount {
  let rule: string | undefined;
  return {
    get rule() {
      return rule;
    },
    open() {
      rule = undefined;
    },
    consume(name) {
      rule ??= name;
    },
    run(raw, step) {
      const before = writer.count;
      try {
        step();
      } catch (error) {
        const message = `could not translate a line: ${String(error)}`;
        emit({ type: "warning", code: "translator_error", message });
        emit({ type: "unknown", raw });
        return;
      }
      if (writer.count === before && rule === undefined) emit({ type: "unknown", raw });
    },
  };
}
