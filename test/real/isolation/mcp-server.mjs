/**
 * An MCP server on standard input and output, with one tool. `node mcp-server.mjs <file> [answer]`: starting it creates the
 * file, and calling the tool adds the arguments to it as a line of JSON. The tool answers with `answer` and the value of MCP_SECRET.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, answer = "an answer"] = process.argv.slice(2);
writeFileSync(file, "");

const tool = {
  name: "look_up",
  description: "Looks something up",
  inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "planted", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call"(params) {
    appendFileSync(file, `${JSON.stringify(params.arguments)}\n`);
    return { content: [{ type: "text", text: `${answer} ${process.env.MCP_SECRET ?? ""}`.trim() }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = results[method]?.(params);
  const error = { code: -32601, message: "unknown method" };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
}
