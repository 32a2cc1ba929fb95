import type { JsonObject } from "../../text/json.js";
import type { Launch, LaunchTask, McpServer } from "../definition.js";

/** How an agent writes the two kinds of servers in its file. The defaults are Claude Code's words. */
export interface McpFileStyle {
  /** Besides `command`, `args` and `env`. */
  program?: JsonObject;
  /** Besides the address and `headers`. */
  address?: JsonObject;
  /** The key of the address. */
  addressKey?: string;
}

const mcpFile = "mcp-servers.json";

/** The path of the file with the task's MCP servers, for the agent's option. Undefined if there are none. */
export function mcpFileOf({ mcpServers, directory }: Pick<LaunchTask, "mcpServers" | "directory">) {
  return mcpServers === undefined ? undefined : `${directory}/${mcpFile}`;
}

/**
 * The file with the task's MCP servers, `{ "mcpServers": { name: … } }`, as most agents read it. Headers and variables may hold
 * secrets, so they must not be arguments.
 */
export function mcpFiles(
  { mcpServers }: Pick<LaunchTask, "mcpServers">,
  style: McpFileStyle = {},
): Pick<Launch, "files"> {
  if (mcpServers === undefined) return {};
  const entries = Object.entries(mcpServers).map(([name, server]) => [name, entryOf(server, style)]);
  return { files: { [mcpFile]: JSON.stringify({ mcpServers: Object.fromEntries(entries) }) } };
}

function entryOf(
  server: McpServer,
  { program = { type: "stdio" }, address = { type: "http" }, addressKey = "url" }: McpFileStyle,
): JsonObject {
  if ("url" in server) {
    const { url, headers } = server;
    return { ...address, [addressKey]: url, ...(headers !== undefined && { headers: { ...headers } }) };
  }
  const { command, args = [], env } = server;
  return { ...program, command, args: [...args], ...(env !== undefined && { env: { ...env } }) };
}
