import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { MessageIds } from "../shared/message-ids.js";
import type { HeldError } from "./held-error.js";
import { createOpenAnswer } from "./open-answer.js";
import { isKnownUpdate, type Update } from "./updates.js";
import type { AddUsage } from "./usage.js";

/**
 * `session`, and `message_start`, `message_update`, `message_end`, of which only the assistant's are reported. The session is
 * reported when the first answer begins, because only the answer names the model. No event comes before it.
 */
export interface Messages {
  session(record: JsonObject, out: Sink): void;
  start(record: JsonObject, out: Sink): void;
  /** False if the type of the update is not known. */
  update(update: Update, out: Sink): boolean;
  end(record: JsonObject, out: Sink): void;
  /** Another event follows: the session comes first. */
  announce(out: Sink): void;
  /** The open answer has no end, so its pieces so far are the message. */
  cut(out: Sink): void;
}

export function createMessages(error: HeldError, addUsage: AddUsage, ids: MessageIds): Messages {
  const answer = createOpenAnswer(ids);
  let model: string | undefined;
  let unannounced: { cwd?: string | undefined } | undefined;

  function announce(out: Sink): void {
    if (unannounced === undefined) return;
    out.session({ model, ...unannounced });
    unannounced = undefined;
  }

  function meet(message: JsonObject, out: Sink): void {
    const named = asText(message["model"]) ?? model;
    if (unannounced === undefined && named !== model) unannounced = {};
    model = named;
    announce(out);
  }

  return {
    session(record, out) {
      out.identify(asText(record["id"]));
      unannounced = { cwd: asText(record["cwd"]) };
      out.consume("session: reported with the first answer");
    },
    start(record, out) {
      const message = asObject(record["message"]);
      if (message === undefined) return;
      if (message["role"] === "assistant") {
        meet(message, out);
        answer.begin(out);
      }
      out.consume("message_start");
    },
    update(update, out) {
      if (!isKnownUpdate(update)) return false;
      announce(out);
      answer.update(update, out);
      return true;
    },
    end(record, out) {
      const message = asObject(record["message"]);
      if (message === undefined) return;
      if (message["role"] !== "assistant") {
        // A tool that asks a model itself reports that with its result (1.4.0).
        addUsage(message["usage"], out);
        return out.consume("message_end: not the assistant's");
      }
      meet(message, out);
      const { text, thinking } = partsOf(message["content"]);
      if (thinking !== "" && !answer.hasThinking()) out.emit({ type: "thinking", message: thinking });
      answer.end(text, out);
      addUsage(message["usage"], out);
      const reason = asText(message["stopReason"]);
      if (reason === "error" || reason === "aborted") error.hold(message, text !== "", out);
      if (reason === "length") {
        out.emit({
          type: "warning",
          message: "the model reached its output token limit",
          code: "output_limit",
        });
      }
      out.consume("message_end: nothing said");
    },
    announce,
    cut: answer.cut,
  };
}

/** The text and the thinking of a message. Tool calls have their own records. */
function partsOf(content: JsonValue | undefined): { text: string; thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  const parts = (asArray(content) ?? []).map((part) => asObject(part) ?? {});
  const join = (key: string) =>
    parts.map((part) => (part["type"] === key ? (asText(part[key]) ?? "") : "")).join("");
  return { text: join("text"), thinking: join("thinking") };
}
