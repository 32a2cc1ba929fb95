import { describe, expect, it } from "vitest";
import { plainTextOf } from "../../../src/outputs/text/line.js";
import { completed, exitedWithOne, failed, type Given, started, succeeded } from "../support.js";
import { atTime, createTestView, rowsOf } from "./support.js";

const session: Given = { type: "session", model: "sonnet", cwd: "/repo" };
const begin: Given[] = [started, session];
const startedIn = (cwd: string): Given => ({ type: "started", agent: "claude", cwd });
/** The head of every run in these tests, and what sets it apart. */
const head = ["claude · sonnet · /repo", ""];

/** A call that took so long, with what it did. */
function call(
  name: string,
  input: Extract<Given, { type: "tool_start" }>["input"],
  ms: number,
  ...deeds: Given[]
): Given[][] {
  const isSuccess = !deeds.some((deed) => "isSuccess" in deed && deed.isSuccess === false);
  return [
    [{ type: "tool_start", callId: "c", name, ...(input !== undefined && { input }), timestamp: atTime(0) }],
    [
      { type: "tool_end", callId: "c", name, isSuccess, timestamp: atTime(ms) },
      ...deeds.map((deed) => ({ ...deed, timestamp: atTime(ms) })),
    ],
  ];
}

function workOf(...lines: (Given | Given[])[]): string[] {
  const rows = rowsOf([...begin, ...lines]);
  expect(rows.slice(0, 2)).toEqual(head);
  return rows.slice(2);
}

describe("the head", () => {
  it("names agent, model and directory before the first row, and nothing is shown before that", () => {
    const view = createTestView({ agentName: "Claude Code", home: "/home/u" });
    expect(view.line(startedIn("/home/u/app"))).toEqual([]);
    expect(view.line({ type: "session", model: "sonnet" })).toEqual([]);
    expect(view.line({ type: "agent", message: "Hi." })).toEqual(["Claude Code · sonnet · ~/app", "", "Hi."]);
  });

  it("leaves out what there is no room for", () => {
    const rows = rowsOf(
      [startedIn("/a/very/long/way/down/to/here"), session, { type: "agent", message: "Hi." }],
      {
        columns: 20,
      },
    );
    expect(rows[0]).toBe("claude · sonnet");
  });
});

describe("what the agent says", () => {
  it("is shown as it is streamed, row by row, and the whole message not again", () => {
    const view = createTestView({ columns: 20 });
    view.line(...begin);
    expect(view.line({ type: "text", delta: "The quick brown " }).slice(2)).toEqual([]);
    expect(view.open && plainTextOf(view.open)).toBe("The quick brown ");
    expect(view.line({ type: "text", delta: "fox jumps" })).toEqual(["The quick brown fox"]);
    expect(view.open && plainTextOf(view.open)).toBe("jumps");
    expect(view.line({ type: "agent", message: "The quick brown fox jumps" })).toEqual(["jumps"]);
    expect(view.open).toBeUndefined();
  });

  it("is shown whole when the agent does not stream", () => {
    expect(workOf({ type: "agent", message: "One.\n\nTwo." })).toEqual(["One.", "", "Two."]);
  });

  it("goes on where the stream broke off", () => {
    const rows = workOf({ type: "text", delta: "Hello wo" }, { type: "agent", message: "Hello world." });
    expect(rows).toEqual(["Hello world."]);
  });

  it("has an empty row between messages, and none at their edges", () => {
    const rows = workOf({ type: "agent", message: "\n\nOne.\n\n" }, { type: "agent", message: "Two." });
    expect(rows).toEqual(["One.", "", "Two."]);
  });

  it("is set apart from what is done, also in the middle of a message", () => {
    const rows = workOf(
      { type: "text", delta: "Let me " },
      { type: "read", path: "/repo/a.ts", isSuccess: true },
      { type: "text", delta: "look." },
      { type: "agent", message: "Let me look." },
    );
    expect(rows).toEqual(["Let me", "", "✓ Read a.ts", "", "look."]);
  });

  it("does not have the prompt in it", () => {
    expect(rowsOf([...begin, { type: "agent", message: "Do it", role: "user" }])).toEqual([]);
  });

  it("ends with the answer, when that was not said before", () => {
    const answer: Given = { type: "result", isSuccess: true, text: '{"name": "kiwi"}' };
    expect(workOf({ type: "agent", message: "Thinking about it." }, answer)).toEqual([
      "Thinking about it.",
      "",
      '{"name": "kiwi"}',
    ]);
    expect(workOf({ type: "agent", message: '{"name":\n"kiwi"}' }, answer)).toEqual(['{"name":', '"kiwi"}']);
  });
});

describe("what the agent thinks", () => {
  const thoughts: Given[] = [
    { type: "thinking", delta: "Hmm, " },
    { type: "thinking", delta: "let me see." },
    { type: "agent", message: "Found it." },
  ];

  it("is not shown", () => {
    expect(workOf(...thoughts)).toEqual(["Found it."]);
  });

  it("is shown when asked for, apart and dimmed", () => {
    const view = createTestView({ showsThinking: true });
    view.line(...begin);
    view.line({ type: "thinking", delta: "Hmm, " });
    expect(view.open).toEqual([{ text: "┊ Hmm, ", style: "dim" }]);
    expect(rowsOf([...begin, ...thoughts], { showsThinking: true }).slice(2)).toEqual([
      "┊ Hmm, let me see.",
      "",
      "Found it.",
    ]);
  });
});

describe("what was done", () => {
  it.each<[Given, string]>([
    [
      { type: "read", path: "/repo/src/app.ts", startLine: 10, endLine: 20, isSuccess: true },
      "✓ Read src/app.ts:10-20",
    ],
    [{ type: "write", path: "/repo/src/app.ts", isSuccess: true }, "✓ Edited src/app.ts"],
    [{ type: "search", query: "TODO", path: "/repo/src", isSuccess: true }, "✓ Searched TODO in src"],
    [{ type: "list", path: "/repo", isSuccess: true }, "✓ Listed ."],
    [{ type: "skill", path: "/s/SKILL.md", skillName: "pdf", isSuccess: true }, "✓ Used skill pdf"],
    [{ type: "command", command: "npm test", exitCode: 0 }, "✓ Ran npm test"],
    [{ type: "command", command: "npm test", exitCode: 3 }, "✗ Ran npm test  exit 3"],
    [{ type: "command", command: "npm test", exitCode: 0, isSuccess: false }, "✗ Ran npm test"],
    [{ type: "command", command: "npm run watch" }, "• Ran npm run watch"],
    [{ type: "command", command: "cat <<X\nhi\nX", isSuccess: true }, "✓ Ran cat <<X ↵ hi ↵ X"],
  ])("%j is one row", (event, row) => {
    expect(workOf(event)).toEqual([row]);
  });

  it("has how long its call took, from a tenth of a second on", () => {
    const command: Given = {
      type: "command",
      command: "npm test",
      exitCode: 1,
      isSuccess: false,
      callId: "c",
    };
    expect(workOf(...call("Bash", undefined, 12_340, command))[0]).toBe("✗ Ran npm test  exit 1 · 12.3 s");
    expect(workOf(...call("Bash", undefined, 99, command))[0]).toBe("✗ Ran npm test  exit 1");
  });

  it("is one row for each file of a call, but not two for the same", () => {
    const write = (path: string): Given => ({ type: "write", path, isSuccess: true, callId: "c" });
    expect(
      workOf(...call("patch", undefined, 0, write("/repo/a"), write("/repo/b"), write("/repo/a"))),
    ).toEqual(["✓ Edited a", "✓ Edited b"]);
  });

  it("says why it failed: a command by its last line, anything else by its first", () => {
    const output = "Exit code 1\n\u001b[31mFAIL\u001b[0m parser\nTests: 1 failed\n";
    const end = (event: Given): Given[] => [
      { type: "tool_end", callId: "c", name: "x", isSuccess: false, output },
      event,
    ];
    expect(workOf(end({ type: "command", command: "npm test", isSuccess: false, callId: "c" }))).toEqual([
      "✗ Ran npm test",
      "  Tests: 1 failed",
    ]);
    expect(workOf(end({ type: "read", path: "/repo/a", isSuccess: false, callId: "c" }))).toEqual([
      "✗ Failed to read a",
      "  FAIL parser",
    ]);
  });

  it.each([
    ["# fail 1\n# cancelled 0\n# duration_ms 238", "# fail 1"],
    ["src/a.ts:1 - error TS2322\nFound 1 error.\n0 errors ignored", "Found 1 error."],
    ["one\ntwo\n\n", "two"],
    ["Traceback\n  at x\nValueError: no", "ValueError: no"],
  ])("says of a command that printed %j: %s", (output, reason) => {
    const end: Given = { type: "tool_end", callId: "c", name: "Bash", isSuccess: false, output };
    const command: Given = { type: "command", command: "x", isSuccess: false, callId: "c" };
    expect(workOf([end, command])).toEqual(["✗ Ran x", `  ${reason}`]);
  });

  it("is cut where there is no room: paths in the middle, commands at the end, the outcome last", () => {
    const rows = rowsOf(
      [
        ...begin,
        { type: "read", path: "/repo/packages/compiler/src/parser/index.ts", isSuccess: true },
        { type: "command", command: "npm test -- --reporter=verbose", exitCode: 1, isSuccess: false },
      ],
      { columns: 34 },
    );
    expect(rows.slice(2)).toEqual([
      "✓ Read packages…rc/parser/index.ts",
      "✗ Ran npm test -- --repor…  exit 1",
    ]);
  });

  it("is shown by its tool when nobody knows what it did", () => {
    const raw = { type: "tool_result" };
    const lines = call("mcp__demo__add", { a: 2, b: 3 }, 150, { type: "unknown", raw });
    expect(workOf(...lines)).toEqual(['✓ mcp__demo__add {"a":2,"b":3}  150 ms']);
  });

  it("is not shown when the agent only keeps house, unless it fails", () => {
    const end: Given = { type: "tool_end", callId: "c", name: "StructuredOutput", isSuccess: true };
    expect(rowsOf([...begin, end])).toEqual([]);
    expect(workOf({ ...end, isSuccess: false, output: "/count: must be integer" })).toEqual([
      "✗ StructuredOutput",
      "  /count: must be integer",
    ]);
  });

  it("is not finished when the run ends before it", () => {
    const rows = workOf({ type: "tool_start", callId: "c", name: "Bash", input: { command: "sleep 30" } }, [
      { type: "tool_end", callId: "c", name: "Bash", timestamp: atTime(5000) },
      { type: "command", command: "sleep 30", callId: "c", timestamp: atTime(5000) },
      { ...failed("exited with code 143"), timestamp: atTime(5000) },
    ]);
    expect(rows).toEqual(["• Running sleep 30  not finished · 5 s"]);
  });

  it("may be a proposal", () => {
    const edit = { filePath: "src/a.ts", range: { start: 0, end: 1 }, replacement: "x" };
    expect(workOf({ type: "edits", edits: [edit, edit] })).toEqual(["• Proposed 2 edits src/a.ts"]);
  });
});

describe("subagents", () => {
  const spawn = (callId: string, description: string, parentCallId?: string): Given => ({
    type: "tool_start",
    callId,
    name: "Agent",
    input: { description },
    ...(parentCallId !== undefined && { parentCallId }),
  });
  const orchestration = (
    callId: string,
    action: "started" | "completed" | "failed",
    parentCallId?: string,
  ): Given => ({
    type: "orchestration",
    action: `subagent_${action}`,
    callId,
    subagentName: "explore",
    ...(parentCallId !== undefined && { parentCallId }),
  });
  const read = (path: string, parentCallId: string): Given => ({
    type: "read",
    path,
    isSuccess: true,
    parentCallId,
  });

  it("have their work below their name, and nested ones deeper", () => {
    expect(
      workOf(
        spawn("a", "Look at util"),
        orchestration("a", "started"),
        read("/repo/a.ts", "a"),
        spawn("b", "Count", "a"),
        orchestration("b", "started", "a"),
        read("/repo/b.ts", "b"),
        orchestration("b", "completed", "a"),
        { type: "agent", message: "Report.", parentCallId: "a" },
        orchestration("a", "completed"),
      ),
    ).toEqual([
      "▸ Subagent explore: Look at util",
      "│ ✓ Read a.ts",
      "│ ▸ Subagent explore: Count",
      "│ │ ✓ Read b.ts",
      "│ ✓ Subagent explore: Count",
      "│ Report.",
      "✓ Subagent explore: Look at util",
    ]);
  });

  it("that work at the same time are named again whenever they take turns", () => {
    expect(
      workOf(
        spawn("a", "One"),
        orchestration("a", "started"),
        spawn("b", "Two"),
        orchestration("b", "started"),
        read("/repo/1", "a"),
        read("/repo/2", "a"),
        read("/repo/3", "b"),
        read("/repo/4", "a"),
      ),
    ).toEqual([
      "▸ Subagent explore: One",
      "▸ Subagent explore: Two",
      "▸ Subagent explore: One",
      "│ ✓ Read 1",
      "│ ✓ Read 2",
      "▸ Subagent explore: Two",
      "│ ✓ Read 3",
      "▸ Subagent explore: One",
      "│ ✓ Read 4",
    ]);
  });

  it("say what they say once, when it is whole, and what is left of it at the end", () => {
    const piece = (delta: string): Given => ({ type: "text", delta, parentCallId: "a" });
    expect(
      workOf(
        spawn("a", "One"),
        orchestration("a", "started"),
        piece("Sub "),
        piece("one."),
        { type: "agent", message: "Sub one.", parentCallId: "a" },
        piece("Half a"),
        failed("killed"),
      ),
    ).toEqual(["▸ Subagent explore: One", "│ Sub one.", "│ Half a"]);
  });

  it("report no more than a few rows", () => {
    const message = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
    const rows = workOf(spawn("a", "One"), orchestration("a", "started"), {
      type: "agent",
      message,
      parentCallId: "a",
    });
    expect(rows).toHaveLength(9);
    expect(rows.at(-1)).toBe("│ … 13 more lines");
  });

  it("that fail are marked, with why", () => {
    expect(
      workOf(spawn("a", "One"), orchestration("a", "started"), [
        { type: "tool_end", callId: "a", name: "Agent", isSuccess: false, output: "no such agent" },
        orchestration("a", "failed"),
      ]),
    ).toEqual(["▸ Subagent explore: One", "✗ Subagent explore: One", "  no such agent"]);
  });

  it("keep room for their rows however deep they are", () => {
    const deep = Array.from({ length: 30 }, (_, index) => spawn(`c${index + 1}`, "x", `c${index}`));
    const rows = rowsOf([...begin, ...deep, read("/repo/a.ts", "c30")], { columns: 30 });
    expect(rows.at(-1)).toBe("│ │ │ │ │ │ │ │ ✓ Read a.ts");
  });
});

describe("warnings and errors", () => {
  it("have a mark, and all their lines below each other", () => {
    expect(
      workOf(
        { type: "warning", message: "Reconnecting… 1/5" },
        {
          type: "error",
          message: "first line\nsecond line that is so long that it takes a row more than one",
        },
      ),
    ).toEqual([
      "! Reconnecting… 1/5",
      "✗ first line",
      "  second line that is so long that it takes a row more than",
      "  one",
    ]);
  });

  it("are not told twice by an agent that also prints them on standard error", () => {
    const rows = workOf(
      { type: "warning", message: "error: no such model" },
      { type: "error", message: "no such model" },
      { type: "error", message: "another" },
    );
    expect(rows).toEqual(["! error: no such model", "✗ another"]);
  });

  it("are not shown again when they are the same, but counted", () => {
    const warning: Given = { type: "warning", message: "deprecated" };
    const rows = workOf(
      warning,
      warning,
      { type: "warning", message: "    at x (y.js:1)" },
      warning,
      succeeded,
      completed,
    );
    expect(rows.filter((row) => row.includes("deprecated"))).toEqual(["! deprecated"]);
    expect(rows).toContain("      at x (y.js:1)");
    expect(rows.at(-1)).toBe("  Warnings   2 repetitions left out");
  });
});

describe("what no rule understood", () => {
  it("is shown when it is text: of a program that nobody knows it is everything", () => {
    expect(workOf({ type: "unknown", raw: "Hello" }, { type: "unknown", raw: "\u001b[1mWorld" })).toEqual([
      "Hello",
      "World",
    ]);
  });

  it("is counted when it is a record", () => {
    const unknown: Given = { type: "unknown", raw: { type: "brand.new" } };
    expect(workOf(unknown, unknown, succeeded, completed).at(-1)).toBe(
      "  Not shown  2 records of unknown meaning",
    );
  });
});

describe("the end", () => {
  it("says how it ended, what was changed and run, what it took, and where it is recorded", () => {
    const rows = rowsOf(
      [
        ...begin,
        { type: "write", path: "/repo/src/a.ts", isSuccess: true },
        { type: "write", path: "/repo/src/a.ts", isSuccess: true },
        { type: "write", path: "/repo/src/b.ts", isSuccess: true },
        { type: "command", command: "npm test", exitCode: 1, isSuccess: false },
        { type: "command", command: "npm test", exitCode: 0, isSuccess: true },
        [
          {
            type: "usage",
            scope: "run",
            inputTokens: 1200,
            cacheReadTokens: 44_000,
            outputTokens: 326,
            reasoningTokens: 80,
            totalTokens: 45_526,
          },
          { type: "result", isSuccess: true, durationMs: 900, costUsd: 0.0067, timestamp: atTime(151_000) },
          { ...completed, timestamp: atTime(151_000) },
        ],
      ],
      { columns: 100, agentName: "Claude Code", home: "/home/u", recording: () => "/home/u/.local/r.ndjson" },
    );
    expect(rows.slice(rows.lastIndexOf("") + 1)).toEqual([
      "✓ Completed in 2m 31s",
      "  Changed    2 files · src/a.ts · src/b.ts",
      "  Commands   2 run, 1 failed",
      "  Tokens     45,526 total · 1,200 input · 44,000 cache read · 326 output (80 reasoning)",
      "  Cost       $0.0067 · reported by Claude Code",
      "  Recording  ~/.local/r.ndjson",
    ]);
  });

  it("says why it failed, in the fullest words and not twice", () => {
    const rows = workOf({ type: "agent", message: "Hi." }, [
      { type: "error", message: "Claude Code exited with code 1: Invalid API key", code: "process_error" },
      {
        type: "result",
        isSuccess: false,
        durationMs: 2000,
        failure: { kind: "auth", message: "Invalid API key" },
      },
      exitedWithOne,
    ]);
    expect(rows).toEqual([
      "Hi.",
      "",
      "✗ Failed (auth) after 2 s",
      "  Claude Code exited with code 1: Invalid API key",
    ]);
  });

  it("says the next step below, unless the reason already does", () => {
    const closingOf = (message: string, hint: string) =>
      rowsOf([
        [
          ...begin,
          { type: "result", isSuccess: false, failure: { kind: "auth", message, hint } },
          exitedWithOne,
        ],
      ]).slice(2);
    expect(closingOf("Invalid API key", "Set MY_KEY to a valid key.")).toEqual([
      "✗ Failed (auth)",
      "  Invalid API key",
      "→ Set MY_KEY to a valid key.",
    ]);
    expect(closingOf("not found; install it with: npm i -g x", "Install it with: npm i -g x")).toEqual([
      "✗ Failed (auth)",
      "  not found; install it with: npm i -g x",
    ]);
  });

  it.each([
    ["cancelled", "cancelled", "the run was cancelled", ["✗ Cancelled"]],
    ["timed_out", "timed_out", "the time limit of 5 s", ["✗ Timed out", "  the time limit of 5 s"]],
    ["stalled", "stalled", "nothing for 60 s", ["✗ Stalled", "  nothing for 60 s"]],
  ] as const)("of a run that was %s", (reason, kind, message, expected) => {
    const rows = rowsOf([
      [
        ...begin,
        { type: "result", isSuccess: false, failure: { kind, message } },
        { type: "exited", exitCode: null, reason },
      ],
    ]);
    expect(rows.slice(2)).toEqual(expected);
  });

  it("labels an estimated cost, and has no numbers for a run that used nothing", () => {
    const cost: Given = { type: "result", isSuccess: true, costUsd: 0.5, costSource: "estimated" };
    expect(rowsOf([[...begin, cost, completed]])).toContain("  Cost       $0.50 · estimated");
    const nothing: Given = { type: "usage", scope: "run", totalTokens: 0, costUsd: 0 };
    expect(rowsOf([[...begin, nothing, succeeded, completed]]).slice(2)).toEqual(["✓ Completed"]);
  });

  it("names a few of many files", () => {
    const writes = Array.from(
      { length: 9 },
      (_, index): Given => ({ type: "write", path: `/repo/${index}`, isSuccess: true }),
    );
    expect(workOf(...writes, succeeded, completed).at(-1)).toBe(
      "  Changed    9 files · 0 · 1 · 2 · 3 · 4 · 5 · 3 more",
    );
  });

  it("is told once, and nothing after it", () => {
    const view = createTestView();
    view.line(...begin, succeeded, completed);
    expect(view.line(completed, { type: "agent", message: "Late." })).toEqual([]);
    expect(view.progress(0)).toBeUndefined();
  });
});

describe("what is going on", () => {
  const now = (...lines: Given[]) => {
    const view = createTestView();
    for (const line of lines) view.line(line);
    return view.progress(1500);
  };

  it("has the time since the start, with what has passed since the latest event", () => {
    expect(now(started, { ...session, timestamp: atTime(2000) })?.elapsed).toBe(3500);
  });

  it("is nothing before the start", () => {
    expect(createTestView().progress(0)).toBeUndefined();
  });

  it.each<[string, Given[]]>([
    ["Starting claude", [started]],
    ["Waiting for the model", [started, session]],
    ["Thinking", [started, { type: "thinking", delta: "Hm" }]],
    ["Writing", [started, { type: "text", delta: "Hm" }]],
    ["Waiting for the model", [started, { type: "agent", message: "Hm" }]],
    [
      "Bash npm test",
      [
        started,
        { type: "tool_start", callId: "a", name: "Bash", input: { command: "npm test", description: "Run" } },
      ],
    ],
    [
      "shell npm test",
      [
        started,
        { type: "tool_start", callId: "a", name: "shell", input: { command: "/bin/bash -lc 'npm test'" } },
      ],
    ],
    [
      "Read src/a.ts",
      [started, { type: "tool_start", callId: "a", name: "Read", input: { file_path: "/repo/src/a.ts" } }],
    ],
    [
      "Read and 1 more",
      [
        started,
        { type: "tool_start", callId: "a", name: "Grep" },
        { type: "tool_start", callId: "b", name: "Read" },
      ],
    ],
    ["Ending", [started, succeeded]],
  ])("%s", (activity, lines) => {
    expect(now(...lines)?.activity).toBe(activity);
  });

  it("has the tokens and the cost so far, as the sum of the steps", () => {
    const step: Given = { type: "usage", scope: "step", totalTokens: 1000, costUsd: 0.01 };
    expect(now(started, step, step)?.spent).toEqual({ tokens: 2000, costUsd: 0.02 });
  });
});
