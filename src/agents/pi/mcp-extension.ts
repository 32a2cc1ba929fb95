import type { Launch, LaunchTask, McpServer } from "../definition.js";

const file = "harness-mcp-servers.mjs";

/**
 * Pi takes MCP servers from its settings, and from extensions (1.4.0; 0.74 has no servers, and fails). So the task's servers are an
 * extension, whose file only this user can read.
 */
export function mcpExtension({
  mcpServers,
  directory,
}: Pick<LaunchTask, "mcpServers" | "directory">): Launch {
  if (mcpServers === undefined) return { args: [] };
  return {
    args: ["--extension", `${directory}/${file}`],
    files: { [file]: sourceOf(mcpServers) },
  };
}

/** Without `direct`, the model would not see the tools, but only a way to find them. */
function sourceOf(servers: Readonly<Record<string, McpServer>>): string {
  return `const servers = ${JSON.stringify(servers)};

export default function (pi) {
  for (const [name, server] of Object.entries(servers))
    pi.registerMcpServer(name, { ...server, exposure: "direct" });
}
`;
}
