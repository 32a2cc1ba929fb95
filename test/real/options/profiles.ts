import { call, custom, say } from "../../../src/testing/index.js";
import type { OptionsProfile } from "./options-profile.js";

/** The agents whose options are seen to reach their models, and how. */
export const optionsProfiles = {
  claude: {
    agent: "claude",
    /** The usual model has no levels of effort. */
    model: "claude-opus-4-6",
    effort: { level: "low", seen: '"effort":"low"' },
    tools: {
      allowed: ["Read", "mcp__demo"],
      advertised: ["Read", "mcp__demo__look_up", "StructuredOutput"],
    },
    hasServers: true,
    answer: (value) => [call(custom("StructuredOutput", value))],
  },
  qwen: { agent: "qwen", hasServers: true, answer: (value) => [call(custom("structured_output", value))] },
  grok: {
    agent: "grok",
    settings: {
      ".grok/config.toml": '[[model.scripted.reasoning_efforts]]\nvalue = "low"\n',
    },
    effort: { level: "low", seen: '"reasoning_effort":"low"' },
    tools: { allowed: ["read_file", "grep"], advertised: ["read_file", "grep"] },
    answer: (value) => [say(JSON.stringify(value))],
  },
  droid: {
    agent: "droid",
    /** Droid sends no effort to a custom model. */
    effort: { level: "low", seen: null },
    tools: { allowed: ["Read", "Grep"], advertised: ["Read", "Grep"] },
  },
  pi: {
    agent: "pi",
    effort: { level: "low", seen: '"reasoning_effort":"low"' },
    tools: { allowed: ["read", "grep"], advertised: ["read", "grep"] },
  },
  copilot: {
    agent: "copilot",
    effort: { level: "low", seen: '"reasoning_effort":"low"' },
    tools: { allowed: ["view", "demo-look_up"], advertised: ["view", "demo-look_up"] },
    hasServers: true,
  },
  codex: {
    agent: "codex",
    effort: { level: "low", seen: '"effort":"low"' },
    hasServers: true,
    answer: (value) => [say(JSON.stringify(value))],
  },
  opencode: {
    agent: "opencode",
    effort: { level: "high", seen: '"reasoning_effort":"high"' },
    tools: { allowed: ["read", "demo_look_up"], advertised: ["read", "demo_look_up"] },
    hasServers: true,
  },
  kilo: {
    agent: "kilo",
    effort: { level: "high", seen: '"reasoning_effort":"high"' },
    tools: { allowed: ["read", "demo_look_up"], advertised: ["read", "demo_look_up"] },
    hasServers: true,
  },
  goose: {
    agent: "goose",
    /** The usual model has no levels of effort. */
    api: "responses",
    model: "gpt-5-codex",
    effort: { level: "high", seen: '"effort":"high"' },
    hasServers: true,
  },
  gemini: {
    agent: "gemini",
    tools: { allowed: ["read_file", "glob"], advertised: ["read_file", "glob"] },
  },
  cline: {
    agent: "cline",
    effort: { level: "high", seen: '"reasoning_effort":"high"' },
    hasServers: true,
  },
} as const satisfies Record<string, OptionsProfile>;
