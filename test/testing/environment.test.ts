import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { preparableAgents, prepareAgent, toolTables } from "../../src/testing/index.js";

const modelUrl = "http://127.0.0.1:4321";
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "harness-home-"));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

describe("preparing an agent", () => {
  it("is possible for every agent whose tools are known", () => {
    expect([...preparableAgents].sort()).toEqual(toolTables.map(({ agent }) => agent).sort());
  });

  it.each([...preparableAgents])("points %s at the model, from an empty home", async (agent) => {
    const prepared = await prepareAgent(agent, { home, workspace: "/ws", modelUrl });
    const everything = [
      ...Object.values(prepared.env),
      ...prepared.files.map((path) => readFileSync(path, "utf8")),
    ].join("\n");
    expect(everything).toContain(modelUrl);
    expect(prepared.env).toMatchObject({ HOME: home, PWD: "/ws" });
    expect(prepared.env).not.toHaveProperty("PATH");
    expect(prepared.files.every((path) => path.startsWith(home))).toBe(true);
    for (const path of prepared.files.filter((name) => name.endsWith(".json")))
      JSON.parse(readFileSync(path, "utf8"));
  });

  it("lets the API and the model be chosen", async () => {
    const { env } = await prepareAgent("copilot", {
      home,
      workspace: "/ws",
      modelUrl,
      api: "responses",
      model: "gpt-5-mini",
    });
    expect(env).toMatchObject({ COPILOT_PROVIDER_WIRE_API: "responses", COPILOT_MODEL: "gpt-5-mini" });
    const { files } = await prepareAgent("pi", { home, workspace: "/ws", modelUrl, api: "anthropic" });
    expect(files.map((path) => readFileSync(path, "utf8")).join("\n")).toContain("anthropic-messages");
  });

  it("names the known agents and APIs", async () => {
    await expect(prepareAgent("nobody", { home, workspace: "/ws", modelUrl })).rejects.toThrow(
      "claude, codex, opencode",
    );
    await expect(prepareAgent("claude", { home, workspace: "/ws", modelUrl, api: "gemini" })).rejects.toThrow(
      "it speaks anthropic",
    );
  });

  it("keeps agents from the network, except those that could not reach the model then", async () => {
    const { env } = await prepareAgent("claude", { home, workspace: "/ws", modelUrl });
    expect(env).toMatchObject({ HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" });
    expect((await prepareAgent("qwen", { home, workspace: "/ws", modelUrl })).env).not.toHaveProperty(
      "HTTPS_PROXY",
    );
  });
});
