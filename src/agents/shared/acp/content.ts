import { asObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** The texts of content blocks, joined. */
export function textOf(blocks: readonly JsonValue[] | undefined): string {
  const texts = (blocks ?? []).map((block) => asObject(block)?.["text"]);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** `_meta.<name>` of an update, a call or an answer: what an agent adds to the protocol. */
export function metaOf(value: JsonObject | undefined, name: string): JsonObject | undefined {
  return asObject(asObject(value?.["_meta"])?.[name]);
}
