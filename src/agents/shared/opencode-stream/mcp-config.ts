import type { JsonObject } from "../../../text/json.js";
import type { LaunchTask, McpServer } from "../../definition.js";

/** The variable that adds MCP servers to the user's configuration. It is not an argument, because headers and variables may hold secrets. */
export function mcpConfigOf(
  { mcpServers }: Pick<LaunchTask, "mcpServers">,
  prefix: string,
): Record<string, string> {
  if (mcpServers === undefined) return {};
  const mcp = Object.fromEntries(Object.entries(mcpServers).map(([name, server]) => [name, toEntry(server)]));
  return { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify({ mcp }) };
}

function toEntry(server: McpServer): JsonObject {
  if ("url" in server)
    return { type: "remote", url: server.url, headers: { ...server.headers }, enabled: true };
  const { command, args = [], env } = server;
  return { type: "local", command: [command, ...args], environment: { ...env }, enabled: true };
}
