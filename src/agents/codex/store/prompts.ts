import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** What the user asked for, in a line. */
export function promptIn(type: string, payload: JsonObject): string | undefined {
  if (type === "event_msg" && payload["type"] === "user_message") return asText(payload["message"]);
  if (type === "event_msg" && payload["type"] === "item_completed") {
    const item = asObject(payload["item"]);
    return item?.["type"] === "UserMessage" ? contentText(item["content"]) : undefined;
  }
  const isMessage = type === "response_item" && payload["type"] === "message" && payload["role"] === "user";
  const text = isMessage ? contentText(payload["content"]) : undefined;
  return text === undefined || isContext(text) ? undefined : text;
}

/** What Codex itself adds in the name of the user. */
export function isContext(text: string): boolean {
  return /^\s*(?:<[a-z][\w-]*(?:\s[^>]*)?>|# AGENTS\.md instructions)/.test(text);
}

/** The text of a message. */
export function contentText(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return asText(content);
  const parts = (asArray(content) ?? []).flatMap((value) => {
    const part = asObject(value) ?? {};
    const text = asText(part["text"]);
    if (text !== undefined) return [text];
    return /image/i.test(asText(part["type"]) ?? "") ? ["[image]"] : [];
  });
  return parts.length === 0 ? undefined : parts.join("\n");
}
