import { describe, expect, it } from "vitest";
import { cline } from "../../src/agents/cline/definition.js";
import { launchTask } from "../support/launch-task.js";

describe("options of Cline", () => {
  it("passes the effort, and MCP servers as a file", () => {
    const {
      args,
      env,
      files = {},
    } = cline.launch(
      launchTask({
        effort: "high",
        mcpServers: {
          demo: { command: "node", args: ["server.mjs"], env: { API_KEY: "secret-1" } },
          far: { url: "https://example.com/mcp", headers: { Authorization: "secret-2" } },
        },
      }),
    );
    expect(args.slice(args.indexOf("--thinking"), args.indexOf("--"))).toEqual(["--thinking", "high"]);
    expect(JSON.stringify([args, env])).not.toContain("secret");
    const path = env?.["CLINE_MCP_SETTINGS_PATH"] ?? "";
    expect(JSON.parse(files[path.replace("/run/", "")] ?? "")).toEqual({
      mcpServers: {
        demo: { command: "node", args: ["server.mjs"], env: { API_KEY: "secret-1" } },
        far: {
          type: "streamableHttp",
          url: "https://example.com/mcp",
          headers: { Authorization: "secret-2" },
        },
      },
    });
  });
});
