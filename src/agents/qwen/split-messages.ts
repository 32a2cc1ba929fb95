import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";

/**
 * One answer of the model is printed as several messages: reasoning, text, calls. Each whole message has its own id, but only
 * the first streamed one is announced. So the others get ids made from the first: `id-2`, `id-3` …
 */
export interface SplitMessages {
  /** The record that announces the message whose pieces follow `record`, if Qwen Code does not announce it. */
  announce(record: JsonObject): JsonObject | undefined;
  /** An `assistant` record with the id that its pieces had. */
  named(record: JsonObject): JsonObject;
}

interface Answer {
  id: string;
  count: number;
  /** The current message was printed whole. */
  isWhole: boolean;
}

export function createSplitMessages(): SplitMessages {
  const answers = new Map<string | undefined, Answer>();

  return {
    announce(record) {
      const thread = asText(record["parent_tool_use_id"]);
      const event = asObject(record["event"]);
      const answer = answers.get(thread);
      if (event?.["type"] === "message_stop") answers.delete(thread);
      if (event?.["type"] === "message_start") {
        const id = asText(asObject(event["message"])?.["id"]);
        if (id !== undefined) answers.set(thread, { id, count: 1, isWhole: false });
      }
      if (event?.["type"] !== "content_block_start" || answer?.isWhole !== true) return undefined;
      answer.count += 1;
      answer.isWhole = false;
      return { ...record, event: { type: "message_start", message: { id: idOf(answer) } } };
    },
    named(record) {
      const answer = answers.get(asText(record["parent_tool_use_id"]));
      if (answer === undefined) return record;
      answer.isWhole = true;
      return { ...record, message: { ...asObject(record["message"]), id: idOf(answer) } };
    },
  };
}

function idOf({ id, count }: Answer): string {
  return count === 1 ? id : `${id}-${count}`;
}
