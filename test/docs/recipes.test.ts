import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defineAgent } from "../../src/agents/define-agent.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { checkConfig } from "../../src/config/read-config.js";
import { launchTask } from "../support/launch-task.js";
import { translateRun } from "../support/translated-run.js";

const page = readFileSync(new URL("../../docs/custom-agents.md", import.meta.url), "utf8");

/** The sample of the page that contains `words`. */
function sample(language: string, words: string): string {
  const samples = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  return samples.map(([, text = ""]) => text).find((text) => text.includes(words)) ?? "";
}

/** The agent that a module of the page exports. */
function agentOf(module: string): AgentDefinition {
  const body = module.replace(/^import .*$/m, "").replace("export default", "return");
  return new Function("defineAgent", body)(defineAgent);
}

describe("the recipe for Amp", () => {
  const amp = agentOf(sample("js", 'id: "amp"'));

  it("is a module that a configuration can name", () => {
    const { values } = checkConfig("/p/harness.toml", sample("toml", "[agents.amp]"));
    expect(values.agents?.["amp"]).toEqual({ module: "./amp.mjs" });
  });

  it("launches Amp with its own arguments, and refuses what they do not cover", () => {
    expect(amp.launch(launchTask({ prompt: "--help", extraArgs: ["--mode", "smart"] }))).toEqual({
      args: ["--execute", "--stream-json", "--dangerously-allow-all", "--mode", "smart"],
      stdin: "--help",
    });
    expect(Object.values(amp.capabilities)).not.toContain(true);
  });

  it("reads the lines that Amp's documentation shows", () => {
    const run = translateRun(amp, [
      {
        type: "system",
        subtype: "init",
        cwd: "/repo",
        session_id: "T-1",
        tools: ["oracle"],
        mcp_servers: [],
      },
      {
        type: "user",
        message: { role: "user", content: [{ type: "text", text: "what is 2+2?" }] },
        parent_tool_use_id: null,
        session_id: "T-1",
      },
      {
        type: "assistant",
        message: { type: "message", role: "assistant", content: [{ type: "text", text: "2 + 2 equals 4." }] },
        parent_tool_use_id: null,
        session_id: "T-1",
      },
      {
        type: "result",
        subtype: "success",
        duration_ms: 2906,
        is_error: false,
        num_turns: 1,
        result: "2 + 2 equals 4.",
        session_id: "T-1",
      },
    ]);
    expect(run.result).toMatchObject({ isSuccess: true, text: "2 + 2 equals 4.", sessionId: "T-1" });
    expect(run.of("unknown")).toEqual([]);
  });
});
