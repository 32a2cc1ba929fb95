import type { McpServer } from "../agents/definition.js";
import type { JsonObject, JsonValue } from "../text/json.js";

/** Variables and headers of MCP servers as variables, whose names say which of them are secrets. */
export function serverValues(servers: Readonly<Record<string, McpServer>> = {}): Record<string, string> {
  const values = Object.entries(servers).flatMap(([name, server]) =>
    "url" in server ? headerValues(name, server.headers) : variableValues(name, server.env),
  );
  return Object.fromEntries(values);
}

function variableValues(server: string, env: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(env).map(([name, value]) => [`${server}_${name}`, value]);
}

/** `Authorization: Bearer TOKEN`: the token alone is the secret, and the name does not say so. */
function headerValues(server: string, headers: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(headers).map(([name, value]) =>
    /^(?:proxy-)?authorization$/i.test(name)
      ? [`${server}_${name}_TOKEN`, value.replace(/^\w+ +/, "")]
      : [`${server}_${name}`, value],
  );
}

/** A copy in which every text is masked, names included. */
export function redactValues(object: JsonObject, redact: (text: string) => string): JsonObject {
  const masked = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return redact(value);
    if (Array.isArray(value)) return value.map(masked);
    return typeof value === "object" && value !== null ? redactValues(value, redact) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [redact(key), masked(value)]));
}
