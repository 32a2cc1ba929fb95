import { mkdirSync, writeFileSync } from "node:fs";
import { recordingPaths } from "../../src/runs/recording/paths.js";

export interface Written {
  agent: string;
  lines: Iterable<string>;
  prompt?: string;
  /** Between two lines. */
  stepMs?: number;
}

/** A recording as a run would leave it, of lines that no run has to print first. */
export function writeRecording(
  directory: string,
  id: string,
  { agent, lines, prompt = id, stepMs = 5 }: Written,
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
  raw += `${JSON.stringify({ timestamp: at(count), stream: "exit", exitCode: 0, signal: null, reason: "completed" })}\n`;
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
    outcome: { isSuccess: true, reason: "completed" },
    counts: {},
  };
  writeFileSync(paths.meta, JSON.stringify(meta));
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
