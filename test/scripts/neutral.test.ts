import { expect, it } from "vitest";
import { neutralizer } from "../../scripts/agents/neutral.mjs";

it("a capture tells nothing of the machine it was made on", () => {
  const neutral = neutralizer("claude", "text", {
    root: "/tmp/harness-real-x1",
    home: "/tmp/harness-real-x1/home",
    workspace: "/tmp/harness-real-x1/workspace",
    modelUrl: "http://127.0.0.1:40123",
    programDirectory: "/cache/agents/claude/1.0.0",
  });
  const text = [
    '{"cwd":"/tmp/harness-real-x1/workspace","config":"/tmp/harness-real-x1/home/.claude"}',
    "/tmp/harness-real-x1/home/.claude/projects/-tmp-harness-real-x1-workspace/a.jsonl",
    "http://127.0.0.1:40123/v1 /cache/agents/claude/1.0.0/bin /tmp/harness-real-x1/prompt.txt",
    "tmp/harness-real-x1/workspace/README.md",
  ].join("\n");
  expect(neutral(text)).toBe(
    [
      '{"cwd":"/workspace/claude-text","config":"/home/claude/.claude"}',
      "/home/claude/.claude/projects/-workspace-claude-text/a.jsonl",
      "http://127.0.0.1:18000/v1 /opt/claude/bin /tmp/claude-text/prompt.txt",
      "workspace/claude-text/README.md",
    ].join("\n"),
  );
});
