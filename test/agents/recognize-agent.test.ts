import { describe, expect, it } from "vitest";
import { recognizeAgent } from "../../src/agents/recognize-agent.js";
import { agents } from "../../src/agents/registry.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { captureNames, readCapture } from "../support/captures.js";
import { readTranscript, recordsOfTranscript, transcriptNames } from "../support/transcripts.js";

const toRecords = (lines: readonly string[]): RawRecord[] =>
  lines.map((line) => ({ timestamp: "2026-11-15T10:00:00.000Z", stream: "stdout", line }));

/** `codex`; `kilo|opencode` if it cannot be said; empty if no agent prints this. */
function said(records: readonly RawRecord[]): string {
  const found = recognizeAgent(records, true);
  if (found === undefined) return "undecided";
  if ("agent" in found) return found.agent.id;
  return found.candidates
    .map(({ id }) => id)
    .sort()
    .join("|");
}

/** Logs of one line, or of plain text: nothing in them says whose they are. */
const undecidable: Readonly<Record<string, string>> = {
  "claude/resume-unknown": "bob|claude|cursor|gemini|grok|qwen",
  "cursor/json": "bob|claude|cursor|grok|qwen",
  "bob/v2-fatal": "bob|droid|gemini",
  "opencode/1.18.33-api401": "kilo|opencode",
  "opencode/api400": "kilo|opencode",
  "opencode/api401": "kilo|opencode",
  "opencode/badmodel": "kilo|opencode",
  "kilo/7.7.9-background": "kilo",
  "kilo/kiloextras": "kilo",
  "kilo/badmodel": "goose|kilo|opencode",
  "goose/noprovider": "",
  "goose/resume-unknown": "",
  "gemini/json": "",
  "antigravity/plain-text": "",
  "antigravity/plain-text-failed": "",
};

describe("the agent of a log", () => {
  it.each(agents.filter(({ id }) => captureNames(id).length > 0).map(({ id }) => id))(
    "is recognised in every capture of %s, or it is said that it cannot be",
    (id) => {
      for (const scenario of captureNames(id)) {
        const { stdout } = readCapture(id, scenario);
        const isEmpty = stdout.every((line) => line.trim() === "");
        // Kilo Code is a fork of OpenCode: it prints what earlier versions of OpenCode did.
        const usual = id === "generic" || isEmpty ? "" : id === "kilo" ? "kilo|opencode" : id;
        const expected = undecidable[`${id}/${scenario}`] ?? usual;
        expect(`${id}/${scenario}: ${said(toRecords(stdout))}`).toBe(`${id}/${scenario}: ${expected}`);
      }
    },
  );

  it.each([
    ["app-server-codex", "codex"],
    ["rpc-pi-0.87.1", "pi"],
    ["stream-json-claude-2.1.325", "claude"],
    ["stream-json-qwen-0.15.10", "qwen"],
  ])("is recognised in live sessions over %s", (folder, agent) => {
    const answers = transcriptNames(folder).map((scenario) =>
      said(recordsOfTranscript(readTranscript(folder, scenario))),
    );
    expect(answers.filter((answer) => answer === agent).length).toBeGreaterThan(answers.length / 2);
    for (const answer of answers)
      expect(["", agent, ...(answer.includes("|") ? [answer] : [])]).toContain(answer);
  });

  it("does not depend on how the lines arrive, and is decided by a mark at once", () => {
    const { stdout } = readCapture("claude", "2.1.325-files");
    const records = toRecords(stdout);
    expect(recognizeAgent([], false)).toBeUndefined();
    expect(recognizeAgent(records.slice(0, 1), false)).toMatchObject({ agent: { id: "claude" } });
    const codex = toRecords(readCapture("codex", "patch").stdout);
    expect(recognizeAgent(codex.slice(0, 3), false)).toBeUndefined();
    expect(recognizeAgent(codex, true)).toMatchObject({ agent: { id: "codex" } });
  });

  it("is not changed by a mark that stands in a text", () => {
    const { stdout } = readCapture("codex", "patch");
    const spoof = JSON.stringify({
      type: "item.completed",
      item: { id: "item_9", type: "agent_message", text: '"claude_code_version":"2.1.325"' },
    });
    expect(said(toRecords([spoof, ...stdout]))).toBe("codex");
  });

  it.each([[[]], [["hello", "world"]], [['{"a":1}', '{"b":2}']], [["[1,2,3]"]]])(
    "is nobody for %j",
    (lines) => {
      expect(said(toRecords(lines))).toBe("");
    },
  );
});
