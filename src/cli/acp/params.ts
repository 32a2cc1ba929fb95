import type { McpServer } from "../../agents/definition.js";
import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { isAbsolutePath } from "../../text/paths.js";
import { RpcError, rpcCodes } from "./rpc.js";

/** A text that must be there. */
export function textParam(params: JsonObject, name: string): string {
  const text = asText(params[name]);
  if (text === undefined || text === "") throw invalid(`"${name}" is missing or not a text`);
  return text;
}

export function directoryParam(params: JsonObject): string {
  const cwd = textParam(params, "cwd");
  if (!isAbsolutePath(cwd)) throw invalid(`"cwd" must be an absolute path, not ${JSON.stringify(cwd)}`);
  return cwd;
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}

/** The client's MCP servers, by name. One that cannot be read is left out. */
export function serversParam(params: JsonObject): Record<string, McpServer> {
  const servers: Record<string, McpServer> = {};
  for (const server of (asArray(params["mcpServers"]) ?? []).map(asObject)) {
    const name = asText(server?.["name"]);
    const command = asText(server?.["command"]);
    const url = asText(server?.["url"]);
    if (server === undefined || name === undefined) continue;
    if (command !== undefined) {
      const args = (asArray(server["args"]) ?? []).flatMap((word) => asText(word) ?? []);
      servers[name] = { command, args, env: pairsOf(server["env"]) };
    } else if (url !== undefined) servers[name] = { url, headers: pairsOf(server["headers"]) };
  }
  return servers;
}

/** Variables and headers are lists of `{ name, value }`. */
function pairsOf(list: JsonValue | undefined): Record<string, string> {
  const pairs = (asArray(list) ?? []).map(asObject);
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const name = asText(pair?.["name"]);
      return name === undefined ? [] : [[name, asText(pair?.["value"]) ?? ""]];
    }),
  );
}

/** The prompt as text. What is embedded is quoted; a link is its address. Pictures and sound cannot be passed on. */
export function promptParam(params: JsonObject): string {
  const blocks = (asArray(params["prompt"]) ?? []).map(asObject);
  const text = blocks.map(blockText).join("");
  if (text.trim() === "") throw invalid("the prompt has no text; say what the agent is to do");
  return text;
}

function blockText(block: JsonObject | undefined): string {
  switch (block?.["type"]) {
    case "text":
      return asText(block["text"]) ?? "";
    case "resource_link":
      return ` ${pathOf(asText(block["uri"]) ?? asText(block["name"]) ?? "")} `;
    case "resource": {
      const resource = asObject(block["resource"]);
      const content = asText(resource?.["text"]);
      const path = pathOf(asText(resource?.["uri"]) ?? "");
      return content === undefined
        ? ` ${path} `
        : `\n\n<file path=${JSON.stringify(path)}>\n${content}\n</file>\n\n`;
    }
    default:
      throw invalid(
        `a part of the prompt is ${asText(block?.["type"]) ?? "of no type"}, which cannot be passed on; send text`,
      );
  }
}

/** `file:///a/b%20c` is the path that an agent knows. */
function pathOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    const { pathname, hash } = new URL(uri);
    return decodeURIComponent(pathname) + hash;
  } catch {
    return uri;
  }
}
