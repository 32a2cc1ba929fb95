import { asObject, asText, asTexts } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/**
 * An item of `app-server` in the spelling of `exec --json`, so that one table of tools serves both. Names of fields, types,
 * states and collaboration tools become snake case. What the model or a tool wrote stays as it is.
 */
export function toExecItem(item: JsonObject): JsonObject {
  const spelled = toSnakeKeys(item);
  const type = asText(item["type"]) ?? "";
  return {
    ...spelled,
    type: otherTypes.get(type) ?? toSnakeCase(type),
    ...(typeof item["status"] === "string" && { status: toSnakeCase(item["status"]) }),
    ...(Object.hasOwn(extras, type) && extras[type]?.(item)),
  };
}

/** The object with the names of its own fields in snake case. */
export function toSnakeKeys(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [toSnakeCase(key), value]));
}

const otherTypes: ReadonlyMap<string, string> = new Map([["collabAgentToolCall", "collab_tool_call"]]);

const extras: Readonly<Record<string, (item: JsonObject) => JsonObject>> = {
  collabAgentToolCall: (item) => ({
    ...(typeof item["tool"] === "string" && { tool: toSnakeCase(item["tool"]) }),
    agents_states: Object.fromEntries(
      Object.entries(asObject(item["agentsStates"]) ?? {}).map(([id, state]) => [id, toExecState(state)]),
    ),
  }),
  mcpToolCall(item) {
    const result = asObject(item["result"]);
    return result === undefined ? {} : { result: toSnakeKeys(result) };
  },
  /** Codex shows a summary of the reasoning, or the reasoning itself. */
  reasoning: (item) => ({ text: partsOf(item["summary"]) || partsOf(item["content"]) }),
};

function toExecState(state: JsonValue): JsonValue {
  const fields = asObject(state);
  const status = asText(fields?.["status"]);
  return status === undefined ? state : { ...fields, status: toSnakeCase(status) };
}

function partsOf(value: JsonValue | undefined): string {
  return asTexts(value).join("\n\n");
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
