import type { JsonValue } from "../../text/json.js";
import type { Draft } from "../contract.js";
import type { EventWriter } from "./event-writer.js";
import type { Writable } from "./writable.js";

/** Makes sure that the current line is not lost: it gives events, or a rule consumes it. */
export interface LineAccount {
  /** The rule that consumed the line; undefined if it gave events. */
  readonly rule: string | undefined;
  /** A new line begins. */
  open(): void;
  /** Only the first rule counts. */
  consume(rule: string): void;
  /** Runs one step of the line. If it emits nothing and names no rule, or throws, `raw` becomes `unknown`. */
  run<T extends JsonValue>(raw: T, step: (raw: T) => void): void;
}

export function createLineAccount(emit: (draft: Draft) => void, writer: EventWriter): LineAccount {
  const account: Writable<LineAccount> = {
    rule: undefined,
    open() {
      account.rule = undefined;
    },
    consume(name) {
      account.rule ??= name;
    },
    run(raw, step) {
      const before = writer.count;
      try {
        step(raw);
      } catch (error) {
        const message = `could not translate a line: ${String(error)}`;
        emit({ type: "warning", code: "translator_error", message });
        emit({ type: "unknown", raw });
        return;
      }
      if (writer.count === before && account.rule === undefined) emit({ type: "unknown", raw });
    },
  };
  return account;
}
