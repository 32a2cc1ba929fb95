import type { RequestedOperation } from "../../events/live-event.js";

/** A tool that uses the network. Its input may name no address. */
export function toFetch(url: string | undefined): RequestedOperation {
  return { type: "fetch", ...(url !== undefined && { url }) };
}

const mcpName = /^mcp__(.+?)__(.+)$/;

/** The use of an MCP tool, by its name: `mcp__server__tool`. Empty for every other name. */
export function toMcpUse(name: string): RequestedOperation[] {
  const [, server, tool] = mcpName.exec(name) ?? [];
  return server === undefined || tool === undefined ? [] : [{ type: "mcp", server, tool }];
}
