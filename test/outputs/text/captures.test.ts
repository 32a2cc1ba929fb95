import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { requireAgent } from "../../../src/agents/registry.js";
import { createPlainWriter } from "../../../src/outputs/text/plain-writer.js";
import { createTextView } from "../../../src/outputs/text/text-view.js";
import { readCapture, translateCapture } from "../../support/captures.js";

/**
 * Real runs as people see them. `HARNESS_ACCEPT=1 vitest run test/render` writes the files anew: read them
 * then, for they are a claim that this is a pleasure to read.
 */
const expectedDirectory = fileURLToPath(new URL("./expected/", import.meta.url));

interface Rendering {
  agent: string;
  scenario: string;
  columns: number;
  showsThinking?: boolean;
}

const renderings: readonly Rendering[] = [
  { agent: "antigravity", scenario: "bad-model", columns: 80 },
  { agent: "claude", scenario: "api401", columns: 80 },
  { agent: "claude", scenario: "killed", columns: 80 },
  { agent: "claude", scenario: "mcp", columns: 80 },
  { agent: "claude", scenario: "parallel", columns: 80 },
  { agent: "claude", scenario: "shell", columns: 80 },
  { agent: "claude", scenario: "shell", columns: 30 },
  { agent: "claude", scenario: "structured", columns: 80 },
  { agent: "claude", scenario: "subagent", columns: 80 },
  { agent: "claude", scenario: "thinking", columns: 80, showsThinking: true },
  { agent: "claude", scenario: "todo", columns: 80 },
  { agent: "claude", scenario: "toolerror", columns: 80 },
  { agent: "claude", scenario: "toolerror", columns: 40 },
  { agent: "cline", scenario: "local-subagents", columns: 80 },
  { agent: "codex", scenario: "api500", columns: 80 },
  { agent: "codex", scenario: "files", columns: 80 },
  { agent: "codex", scenario: "patch", columns: 60 },
  { agent: "codex", scenario: "subagent", columns: 80 },
  { agent: "codex", scenario: "toolerror", columns: 80 },
  { agent: "generic", scenario: "diagnostics", columns: 80 },
  { agent: "generic", scenario: "text", columns: 80 },
  { agent: "goose", scenario: "subagent-async", columns: 80 },
  { agent: "goose", scenario: "toolerror", columns: 80 },
  { agent: "opencode", scenario: "subagent-failed", columns: 80 },
  { agent: "opencode", scenario: "shell", columns: 60 },
  { agent: "pi", scenario: "files", columns: 80 },
  { agent: "pi", scenario: "files", columns: 20 },
];

describe("real runs as text", () => {
  it.each(renderings)("$agent $scenario in $columns columns", (rendering) => {
    const { scenario, columns, showsThinking } = rendering;
    const agent = requireAgent(rendering.agent);
    const view = createTextView({
      columns,
      agentName: agent.name,
      home: "/home/u",
      showsThinking,
      recording: () => "/home/u/.local/share/harness/sessions/20261115-191302-k3f9x2.ndjson",
    });
    const write = createPlainWriter(view, false);
    const lines = translateCapture(agent, readCapture(agent.id, scenario));
    expectFile(`${agent.id}-${scenario}-${columns}.txt`, lines.map((line) => write(line.events)).join(""));
  });
});

function expectFile(name: string, text: string): void {
  const file = `${expectedDirectory}${name}`;
  if (process.env["HARNESS_ACCEPT"]) {
    mkdirSync(expectedDirectory, { recursive: true });
    writeFileSync(file, text);
    return;
  }
  expect(existsSync(file), `${file} is missing: accept it, then read it`).toBe(true);
  expect(text).toBe(readFileSync(file, "utf8"));
}
