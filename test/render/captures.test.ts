import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import { createPlainWriter } from "../../src/render/plain-writer.js";
import { createTextView } from "../../src/render/text-view.js";
import { readCapture, translateCapture } from "../support/captures.js";

/**
 * Real runs as people see them. `HARNESS_ACCEPT=1 vitest run test/render` writes the files anew: read them
 * then, for they are a claim that this is a pleasure to read.
 */
const expectedDirectory = fileURLToPath(new URL("./expected/", import.meta.url));

const renderings: readonly (readonly [
  agent: string,
  scenario: string,
  columns: number,
  showsThinking?: boolean,
])[] = [
  ["antigravity", "bad-model", 80],
  ["claude", "api401", 80],
  ["claude", "killed", 80],
  ["claude", "mcp", 80],
  ["claude", "parallel", 80],
  ["claude", "shell", 80],
  ["claude", "shell", 30],
  ["claude", "structured", 80],
  ["claude", "subagent", 80],
  ["claude", "thinking", 80, true],
  ["claude", "todo", 80],
  ["claude", "toolerror", 80],
  ["claude", "toolerror", 40],
  ["cline", "local-subagents", 80],
  ["codex", "api500", 80],
  ["codex", "files", 80],
  ["codex", "patch", 60],
  ["codex", "subagent", 80],
  ["codex", "toolerror", 80],
  ["generic", "diagnostics", 80],
  ["generic", "text", 80],
  ["goose", "subagent-async", 80],
  ["goose", "toolerror", 80],
  ["opencode", "subagent-failed", 80],
  ["opencode", "shell", 60],
  ["pi", "files", 80],
  ["pi", "files", 20],
];

describe("real runs as text", () => {
  it.each(renderings)("%s %s in %i columns", (agentId, scenario, columns, showsThinking = false) => {
    const agent = requireAgent(agentId);
    const view = createTextView({
      columns,
      agentName: agent.name,
      home: "/home/u",
      showsThinking,
      recording: () => "/home/u/.local/share/harness/sessions/20261115-191302-k3f9x2.ndjson",
    });
    const write = createPlainWriter(view, false);
    const lines = translateCapture(agent, readCapture(agentId, scenario));
    expectFile(`${agentId}-${scenario}-${columns}.txt`, lines.map((line) => write(line.events)).join(""));
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
