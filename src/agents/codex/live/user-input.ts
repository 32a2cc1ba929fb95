import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";

/** Text as `turn/start` and `turn/steer` take it. */
export function toUserInput(text: string): JsonValue {
  return [{ type: "text", text, text_elements: [] }];
}

/** The text of such input. Images and mentions have none. */
export function textOfUserInput(input: JsonValue | undefined): string {
  return (asArray(input) ?? []).flatMap((part) => asText(asObject(part)?.["text"]) ?? []).join("\n");
}
