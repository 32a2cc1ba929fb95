import { mkdirSync, writeFileSync } from "node:fs";
import type { WorkspaceChanges } from "../../src/events/changes.js";
import type { Failure } from "../../src/events/failure.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { splitPatch } from "../../src/story/patch-files.js";

export interface Written {
  agent: string;
  lines: Iterable<string>;
  prompt?: string;
  /** Between two lines. */
  stepMs?: number;
  /** Why it failed. Default: it did not. */
  failure?: Failure;
  /** What it changed in a git workspace, as git would write it. */
  patch?: string;
}

/** A recording as a run would leave it, of lines that no run has to print first. */
export function writeRecording(
  directory: string,
  id: string,
  { agent, lines, prompt = id, stepMs = 5, failure, patch }: Written,
): void {
  const paths = recordingPaths(directory, id);
  mkdirSync(paths.folder, { recursive: true });
  const start = Date.UTC(2026, 10, 15, 12);
  const at = (count: number): string => new Date(start + count * stepMs).toISOString();
  let count = 0;
  let raw = "";
  for (const line of lines) {
    raw += `${JSON.stringify({ timestamp: at(count), stream: "stdout", line })}\n`;
    count += 1;
  }
  const changes = patch === undefined ? undefined : changesOf(patch);
  if (changes !== undefined)
    raw += `${JSON.stringify({ timestamp: at(count), stream: "changes", ...changes })}\n`;
  if (patch !== undefined) writeFileSync(paths.patch, patch);
  const reason = failure === undefined ? "completed" : "failed";
  raw += `${JSON.stringify({ timestamp: at(count), stream: "exit", exitCode: failure === undefined ? 0 : 1, signal: null, reason })}\n`;
  writeFileSync(paths.raw, raw);
  writeFileSync(paths.events, "");
  writeFileSync(paths.ndjson, "");
  const meta = {
    runId: id,
    agent,
    cwd: "/repo",
    prompt,
    argv: [agent],
    envNames: [],
    permissions: "full-access",
    startedAt: at(0),
    endedAt: at(count),
    outcome: {
      isSuccess: failure === undefined,
      reason,
      ...(failure !== undefined && { failure }),
    },
    ...(failure !== undefined && { sessionId: "s" }),
    ...(changes !== undefined && {
      changes: {
        source: "git",
        files: changes.files.length,
        insertions: changes.insertions,
        deletions: changes.deletions,
      },
    }),
    counts: {},
  };
  writeFileSync(paths.meta, JSON.stringify(meta));
}

function changesOf(patch: string): WorkspaceChanges {
  const files = splitPatch(patch).map(({ text, ...file }) => file);
  return {
    root: "/repo",
    commit: "0".repeat(40),
    files,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

/** Lines of Claude Code that give about so many events: a command and its result give three. */
export function* claudeLines(events: number): Generator<string> {
  const session_id = "s";
  yield JSON.stringify({ type: "system", subtype: "init", cwd: "/repo", session_id, model: "m", tools: [] });
  for (let index = 0; index < events / 3; index += 1) {
    const id = `call-${index}`;
    yield claude("assistant", session_id, {
      type: "tool_use",
      id,
      name: "Bash",
      input: { command: `make target-${index}`, description: `Step ${index}` },
    });
    yield claude("user", session_id, { type: "tool_result", tool_use_id: id, content: `output ${index}` });
  }
  yield JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "done", session_id });
}

function claude(type: "assistant" | "user", session_id: string, block: object): string {
  return JSON.stringify({ type, session_id, message: { role: type, content: [block] } });
}

/** What an agent can say, or be made to say, to harm whoever looks. */
export const hostileTexts = {
  script: '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 2">',
  link: "[click](javascript:window.harmed=3) and <a href='javascript:window.harmed=4'>this</a> ![x](http://127.0.0.1:9/x.png)",
  ansi: "\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u0008\u0008end",
  direction: "safe \u202egnp.exe\u2066 hidden \u{e0041}\u{e0042}",
};

export function* hostileLines(): Generator<string> {
  const session_id = "s";
  yield JSON.stringify({
    type: "system",
    subtype: "init",
    cwd: "/repo",
    session_id,
    model: hostileTexts.script,
    tools: [],
  });
  for (const [name, text] of Object.entries(hostileTexts)) {
    yield JSON.stringify({
      type: "assistant",
      session_id,
      message: { id: `m-${name}`, role: "assistant", content: [{ type: "text", text }] },
    });
    yield claude("assistant", session_id, {
      type: "tool_use",
      id: name,
      name: "Bash",
      input: { command: text, [text]: text },
    });
    yield claude("user", session_id, {
      type: "tool_result",
      tool_use_id: name,
      content: text,
      is_error: true,
    });
  }
  yield `${"x".repeat(5_000_000)}`;
  yield JSON.stringify({ type: "news", value: hostileTexts.script });
  yield JSON.stringify({
    type: "result",
    subtype: "success",
    is_error: true,
    result: hostileTexts.script,
    session_id,
  });
}
