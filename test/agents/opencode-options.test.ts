import { describe, expect, it } from "vitest";
import { kilo } from "../../src/agents/kilo/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { launchTask } from "../support/launch-task.js";

describe.each([
  ["OPENCODE", opencode],
  ["KILO", kilo],
] as const)("options of %s", (prefix, agent) => {
  const permissionOf = (allowedTools: readonly string[]) => {
    const { env = {} } = agent.launch(launchTask({ allowedTools }));
    return JSON.parse(env[`${prefix}_PERMISSION`] ?? "null");
  };

  it("adds MCP servers to the configuration, in a variable", () => {
    const { args, env = {} } = agent.launch(
      launchTask({
        mcpServers: {
          demo: { command: "node", args: ["server.mjs"], env: { API_KEY: "secret-1" } },
          far: { url: "https://example.com/mcp", headers: { Authorization: "secret-2" } },
        },
      }),
    );
    expect(args.join()).not.toContain("secret");
    expect(JSON.parse(env[`${prefix}_CONFIG_CONTENT`] ?? "")).toEqual({
      mcp: {
        demo: {
          type: "local",
          command: ["node", "server.mjs"],
          environment: { API_KEY: "secret-1" },
          enabled: true,
        },
        far: {
          type: "remote",
          url: "https://example.com/mcp",
          headers: { Authorization: "secret-2" },
          enabled: true,
        },
      },
    });
  });

  it("passes the effort as the variant of the model", () => {
    const { args } = agent.launch(launchTask({ effort: "high" }));
    expect(args.slice(args.indexOf("--variant"))).toEqual(["--variant", "high"]);
  });

  it("denies every tool that is not allowed", () => {
    expect(permissionOf(["read", "demo_look_up"])).toMatchObject({
      "*": "deny",
      bash: "deny",
      edit: "deny",
      read: "allow",
      demo_look_up: "allow",
      external_directory: "allow",
    });
    expect(permissionOf([])).toMatchObject({ "*": "deny", read: "deny" });
    expect(permissionOf(["edit", "write"])).toMatchObject({ edit: "allow", bash: "deny" });
  });

  it("refuses what it could not keep", () => {
    expect(() => permissionOf(["edit"])).toThrow(/edit and write can only be had together/);
    expect(() => agent.launch(launchTask({ allowedTools: ["read"], permissions: "read-only" }))).toThrow(
      expect.objectContaining({ code: "unsupported_option" }),
    );
  });
});
