import { describe, expect, it } from "vitest";
import { goose } from "../../src/agents/goose/definition.js";
import { launchTask } from "../support/launch-task.js";

describe("options of Goose", () => {
  it("adds MCP servers to the configuration, in a file", () => {
    const {
      args,
      env,
      files = {},
    } = goose.launch(
      launchTask({
        effort: "high",
        mcpServers: {
          demo: { command: "node", args: ["server.mjs"], env: { API_KEY: "secret-1" } },
          far: { url: "https://example.com/mcp", headers: { Authorization: "secret-2" } },
        },
      }),
    );
    expect(JSON.stringify([args, env])).not.toContain("secret");
    expect(env).toEqual({
      GOOSE_MODE: "auto",
      GOOSE_THINKING_EFFORT: "high",
      GOOSE_ADDITIONAL_CONFIG_FILES: "/run/extensions.yaml",
    });
    const common = { enabled: true, timeout: 300 };
    expect(JSON.parse(files["extensions.yaml"] ?? "")).toEqual({
      extensions: {
        demo: {
          ...{ name: "demo", description: "demo", ...common, type: "stdio" },
          ...{ cmd: "node", args: ["server.mjs"], envs: { API_KEY: "secret-1" } },
        },
        far: {
          ...{ name: "far", description: "far", ...common, type: "streamable_http" },
          ...{ uri: "https://example.com/mcp", headers: { Authorization: "secret-2" } },
        },
      },
    });
  });
});
