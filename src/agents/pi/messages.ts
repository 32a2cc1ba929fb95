import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { createMessageIds } from "../shared/message-ids.js";
import type { HeldError } from "./held-error.js";
import { emitUpdate, isKnownUpdate, type Update } from "./updates.js";
import { createUsage } from "./usage.js";

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
  /** No end of the open answer follows: what it said so far is all that it said. */
  cut(out: Sink): void;
}

export function createMessages(error: HeldError): Messages {
  const addUsage = createUsage();
  const ids = createMessageIds();
  let model: string | undefined;
  let unannounced: { cwd?: string | undefined } | undefined;
  let hasThinking = false;
  /** The pieces of the open answer, and the line of the last one. */
  let said: string[] = [];
  let saidAt = 0;

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

  function say(message: string, out: Sink, line?: number): void {
    said = [];
    if (message === "") return;
    out.run.text = message;
    out.emit({ type: "agent", message, messageId: ids.end(), line });
  }

  function remember({ type, delta }: Update, line: number): void {
    if (!delta) return;
    if (type === "thinking_delta") hasThinking = true;
    if (type !== "text_delta") return;
    said.push(delta);
    saidAt = line;
  }

  function cut(out: Sink): void {
    say(said.join(""), out, saidAt);
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
      hasThinking = false;
      if (message["role"] === "assistant") {
        cut(out);
        ids.begin();
        meet(message, out);
      }
      out.consume("message_start");
    },
    update(update, out) {
      if (!isKnownUpdate(update)) return false;
      announce(out);
      remember(update, out.lineNumber);
      emitUpdate(update, ids.current(), out);
      return true;
    },
    end(record, out) {
      const message = asObject(record["message"]);
      if (message === undefined) return;
      if (message["role"] !== "assistant") return out.consume("message_end: not the assistant's");
      meet(message, out);
      const { text, thinking } = partsOf(message["content"]);
      if (thinking !== "" && !hasThinking) out.emit({ type: "thinking", message: thinking });
      if (text === "") cut(out);
      else say(text, out);
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
    cut,
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
