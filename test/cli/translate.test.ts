import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capturesDirectory } from "../support/captures.js";
import { harness, homeEnvironment, jsonLines, programThatReplays } from "./harness.js";

const capture = (agent: string, scenario: string) => `${capturesDirectory}${agent}/${scenario}/stdout.jsonl`;

describe("harness translate", () => {
  it("turns native lines on standard input into the unified stream", async () => {
    const stdin = readFileSync(capture("claude", "files"));
    const { stdout, exitCode } = await harness(["translate", "--agent", "claude"], { stdin });
    const items = jsonLines(stdout);
    expect(exitCode).toBe(0);
    expect(items[0]).toMatchObject({ type: "SessionStart", agent: "claude", model: "claude-sonnet-4-5" });
    expect(items.at(-1)).toMatchObject({ type: "Result", success: true, text: "All done ✅." });
  });

  it("reads a file and any alias of the agent", async () => {
    const { stdout } = await harness([
      "translate",
      "-a",
      "OpenAI-Codex",
      "-f",
      "events",
      capture("codex", "files"),
    ]);
    expect(jsonLines(stdout).map((item) => item["type"])).toContain("write");
  });

  it("passes native lines through unchanged with --format raw", async () => {
    const stdin = Buffer.concat([
      readFileSync(capture("claude", "text")),
      Buffer.from([0xff, 0xfe, 0x0a, 0x41]),
    ]);
    const { stdout } = await harness(["translate", "-a", "claude", "-f", "raw"], { stdin });
    expect(stdout.equals(stdin)).toBe(true);
  });

  it("accounts for both directions of a recorded live session with --explain", async () => {
    const timestamp = "2026-01-01T00:00:00.000Z";
    const lines = readFileSync(capture("claude", "text"), "utf8").trimEnd().split("\n");
    const records = [
      { timestamp, stream: "sent", line: '{"harness":"prompt","prompt":"Say hello"}', turnId: "t1" },
      ...lines.map((line) => ({ timestamp, stream: "stdout", line })),
      { timestamp, stream: "process", exitCode: 0, signal: null },
      { timestamp, stream: "exit", exitCode: 0, signal: null, reason: "completed" },
    ];
    const stdin = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const { stdout } = await harness(["translate", "-a", "claude", "--explain"], { stdin });
    const text = stdout.toString();
    expect(text).toMatch(/^ +1 \[sent\] \{"harness":"prompt","prompt":"Say hello"\}$/m);
    expect(text).toMatch(/turn\(Say hello\)/);
    expect(text).toMatch(/\[process\] ended with exit code 0\n.*turn_end\(completed\)/);
  });

  it("says for every line what became of it with --explain", async () => {
    const { stdout } = await harness([
      "translate",
      "-a",
      "claude",
      "--explain",
      capture("claude", "subagent"),
    ]);
    const text = stdout.toString();
    expect(text).toContain("→ tool_end(Read), read(/workspace/claude-subagent/src/util.ts)");
    expect(text).toContain("· consumed: system/task_progress");
  });

  it("takes how the process ended from flags", async () => {
    const stdin = readFileSync(capture("claude", "killed"));
    const { stdout } = await harness(["translate", "-a", "claude", "-f", "full", "--signal", "SIGKILL"], {
      stdin,
    });
    expect(jsonLines(stdout).at(-2)).toMatchObject({
      type: "result",
      isSuccess: false,
      failure: { kind: "killed" },
    });
  });

  it("reproduces the events of a recording from its raw.jsonl, times included", async () => {
    const binary = programThatReplays("codex", "shell");
    const record = join(homeEnvironment().HOME, "recorded");
    const run = await harness([
      "run",
      "-a",
      "codex",
      "-p",
      "x",
      "--binary",
      binary,
      "-f",
      "events",
      "--record",
      record,
    ]);
    expect(run.exitCode).toBe(0);
    const { stdout } = await harness(["translate", "-a", "codex", "-f", "events", join(record, "raw.jsonl")]);
    expect(stdout.toString()).toBe(readFileSync(join(record, "events.jsonl"), "utf8"));
    expect(run.stdout.toString()).toBe(stdout.toString());
  });

  it("ends a recording that was cut as interrupted, and leaves a torn last line out", async () => {
    const line = JSON.stringify({
      timestamp: "2026-01-01T00:00:00.000Z",
      stream: "stdout",
      line: '{"type":"turn.started"}',
    });
    const { stdout, stderr } = await harness(["translate", "-a", "codex", "-f", "full"], {
      stdin: `${line}\n${line.slice(0, 40)}`,
    });
    expect(stderr).toBe("");
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "exited", exitCode: null, reason: "interrupted" });
  });

  it("keeps line numbers true when a line of a recording is damaged, the first one too", async () => {
    const timestamp = "2026-01-01T00:00:00.000Z";
    const toLine = (line: string) => `${JSON.stringify({ timestamp, stream: "stdout", line })}\n`;
    const damaged = toLine("x").replace("}", "");
    const message = '{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"hello"}}';
    const { stdout } = await harness(["translate", "-a", "codex", "-f", "full"], {
      stdin: damaged + damaged + toLine(message),
    });
    const events = jsonLines(stdout);
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { line: 1, code: "damaged_recording" },
      { line: 2, code: "damaged_recording" },
    ]);
    expect(events.find(({ type }) => type === "agent")).toMatchObject({ line: 3, timestamp });
  });

  it("gives events for an empty stream", async () => {
    const { stdout, exitCode } = await harness(["translate", "-a", "codex", "-f", "full"]);
    expect(exitCode).toBe(0);
    expect(jsonLines(stdout).map((event) => event["type"])).toEqual(["started", "error", "result", "exited"]);
  });

  it.each([
    ["not JSON", "hello\n", { type: "unknown", raw: "hello" }],
    ["JSON that is no object", "[1,2]\n", { type: "unknown", raw: [1, 2] }],
    [
      "an unknown type",
      '{"type":"brand.new","x":1}\n',
      { type: "unknown", raw: { type: "brand.new", x: 1 } },
    ],
    ["a truncated last line", '{"type":"item.comp', { type: "unknown", raw: '{"type":"item.comp' }],
    ["CRLF", '{"type":"brand.new"}\r\n', { type: "unknown", raw: { type: "brand.new" } }],
    ["NUL", "a\u0000b\n", { type: "unknown", raw: "a\u0000b" }],
  ])("loses nothing of %s", async (_name, stdin, expected) => {
    const { stdout } = await harness(["translate", "-a", "codex", "-f", "full"], { stdin });
    expect(jsonLines(stdout)[1]).toMatchObject(expected);
  });

  it("takes a line of 50 MB", async () => {
    const text = "x".repeat(50_000_000);
    const stdin = `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"${text}"}}\n{"type":"turn.completed"}\n`;
    const { stdout } = await harness(["translate", "-a", "codex", "-f", "events"], { stdin });
    const [event] = jsonLines(stdout);
    expect(event).toMatchObject({ type: "agent" });
    expect(String(event?.["message"]).length).toBe(text.length);
  });

  it.each([
    [["translate", "-a", "clod"], 'unknown agent "clod"'],
    [["translate", "-a", "claude", "-f", "xml"], "it must be one of text,"],
    [["translate", "-a", "claude", "/nowhere/file"], "cannot read /nowhere/file"],
    [["translate"], "the input is empty; choose the agent with --agent"],
    [["tranlate"], "did you mean translate?"],
  ])("%j is refused with exit code 2 and a sentence", async (args, message) => {
    const { stderr, stdout, exitCode } = await harness(args);
    expect(stderr).toContain(message);
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(2);
  });
});
