import type { Sink } from "../../translator/contract.js";
import { asArray, asObject, asText } from "../../translator/fields.js";
import type { JsonObject, JsonValue } from "../../vocabulary/json.js";
import type { HeldError } from "./held-error.js";
import { tellUpdate, type Update } from "./updates.js";
import { createUsage } from "./usage.js";

/** `message_start`, `message_update`, `message_end`: only the assistant's are told. */
export interface Messages {
  start(record: JsonObject, out: Sink): void;
  /** False when the update is of no known type. */
  update(update: Update, out: Sink): boolean;
  end(record: JsonObject, out: Sink): void;
}

export function createMessages(error: HeldError): Messages {
  const addUsage = createUsage();
  let model: string | undefined;
  let hasThinking = false;

  return {
    start(record, out) {
      const message = asObject(record["message"]);
      if (message === undefined) return;
      hasThinking = false;
      const named = message["role"] === "assistant" ? asText(message["model"]) : undefined;
      if (named === undefined || named === model) return out.consume("message_start");
      model = named;
      out.session({ model });
    },
    update(update, out) {
      if (update.type === "thinking_delta") hasThinking = true;
      return tellUpdate(update, out);
    },
    end(record, out) {
      const message = asObject(record["message"]);
      if (message === undefined) return;
      if (message["role"] !== "assistant") return out.consume("message_end: not the assistant's");
      const { text, thinking } = partsOf(message["content"]);
      if (thinking !== "" && !hasThinking) out.emit({ type: "thinking", message: thinking });
      if (text !== "") {
        out.run.text = text;
        out.emit({ type: "agent", message: text });
      }
      addUsage(message["usage"], out);
      const reason = asText(message["stopReason"]);
      if (reason === "error" || reason === "aborted") error.hold(message, out);
      if (reason === "length") {
        out.emit({
          type: "warning",
          message: "the model reached its output token limit",
          code: "output_limit",
        });
      }
      out.consume("message_end: nothing said");
    },
  };
}

/** What a message says and thinks. Tool calls have records of their own. */
function partsOf(content: JsonValue | undefined): { text: string; thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  const parts = (asArray(content) ?? []).map((part) => asObject(part) ?? {});
  const join = (key: string) =>
    parts.map((part) => (part["type"] === key ? (asText(part[key]) ?? "") : "")).join("");
  return { text: join("text"), thinking: join("thinking") };
}
