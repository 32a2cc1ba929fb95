import { describe, expect, it } from "vitest";
import { createTextView, type TextViewOptions } from "../../../src/outputs/text/text-view.js";
import { liveSession } from "../live-session.js";
import type { Given } from "../support.js";
import { createTestView, rowsOf, textOf } from "./support.js";

function sessionAt(options: TextViewOptions): string[] {
  const view = createTextView(options);
  return liveSession().flatMap((line) => textOf(view.push(line)));
}

describe("a live session, as text", () => {
  it("has a row for each prompt, request and end of a turn", () => {
    expect(sessionAt({ columns: 80, permissions: "ask" }).join("\n")).toBe(
      `
claude · claude-opus-4-8 · /repo · ask

> The cart total is wrong.
  Fix it.

I'll look at the cart.

• Plan 0 of 3 done
  ▸ Find out why the total is wrong
  • Fix it
  • Run the tests
✓ Read cart.ts
? Asked: Should totals be rounded up or to the nearest cent?  answered by you
• Plan 1 of 3 done: Fix it
? Asked to run npm test  allowed by rule \`command: npm test\`
✓ Ran npm test  2 s

The total is right now.

✓ Turn 1 completed  12 s · 2k tokens · $0.02

> Now push it.

? Asked to run git push --force and edit CHANGELOG.md  denied by you
  never with --force
? Asked to fetch https://example.com/  withdrawn
• Running sleep 60  not finished · 2 s

✗ Turn 2 interrupted  8 s · 500 tokens · $0.005

> Is it there?

✗ the model is overloaded

✗ Turn 3 failed  900 ms

> The agent goes on by itself

? Asked to carry out its plan  allowed by you
  1. Pull
  2. Push

It is pushed.

✓ Completed in 50 s
  Turns      2 completed · 1 interrupted · 1 failed
  Commands   2 run
  Tokens     2,500 total · 2,000 input · 500 output
  Cost       $0.025 · reported by claude
`.trim(),
    );
  });

  it("never leaves out who decided", () => {
    const rows = sessionAt({ columns: 36 });
    expect(rows).toContain("  allowed by rule `command: npm tes…");
    expect(rows).toContain("  denied by you");
    expect(rows).toContain("  withdrawn");
  });
});

const turn: Given = { type: "turn", turnId: "t1", prompt: "Fix it", origin: "user" };
const turnEnd: Given = {
  type: "turn_end",
  turnId: "t1",
  isSuccess: true,
  reason: "completed",
  durationMs: 9000,
};

describe("a turn", () => {
  it("has no row for its end if it is the only one of a run that was started with a prompt", () => {
    const ending: Given[] = [{ type: "result", isSuccess: true, durationMs: 9000 }];
    const rows = rowsOf([turn, turnEnd, ending, { type: "exited", exitCode: 0, reason: "completed" }], {
      prompt: "Fix it",
    });
    expect(rows.filter((row) => row.includes("ompleted"))).toEqual(["✓ Completed in 9 s"]);
  });

  it("gets that row when another turn begins", () => {
    const rows = rowsOf([turn, turnEnd, { ...turn, turnId: "t2", prompt: "Go on" }], { prompt: "Fix it" });
    expect(rows.slice(-4)).toEqual(["", "✓ Turn 1 completed  9 s", "", "> Go on"]);
  });

  it("has its answer, even if the one before it was the same", () => {
    const answered: Given = {
      type: "turn_end",
      turnId: "t1",
      isSuccess: true,
      reason: "completed",
      text: "Done.",
    };
    const rows = rowsOf([turn, answered, { ...turn, turnId: "t2" }, { ...answered, turnId: "t2" }]);
    expect(rows.filter((row) => row === "Done.")).toHaveLength(2);
  });

  it("says why it failed, unless an error has said it", () => {
    const failure = { kind: "network" as const, message: "no route to the model" };
    const failed: Given = { type: "turn_end", turnId: "t1", isSuccess: false, reason: "failed", failure };
    const error: Given = { type: "error", message: "no route to the model" };
    const isWhy = (row: string) => row.includes("no route");
    expect(rowsOf([turn, failed]).filter(isWhy)).toEqual(["  no route to the model"]);
    expect(rowsOf([turn, error, failed]).filter(isWhy)).toEqual(["✗ no route to the model"]);
  });
});

describe("a request", () => {
  const request: Given = {
    type: "request",
    requestId: "q1",
    kind: "permission",
    name: "Bash",
    operations: [{ type: "command", command: "npm test" }],
    choices: ["allow", "deny"],
  };

  it("is what goes on until it is decided", () => {
    const view = createTestView();
    view.line({ type: "started", agent: "claude", cwd: "/repo" }, turn, request);
    expect(view.progress(0)?.activity).toBe("Waiting for an answer: May it run npm test?");
    const rows = view.line({ type: "request_end", requestId: "q1", outcome: "denied", by: "policy" });
    expect(rows.at(-1)).toBe("? Asked to run npm test  denied by the permissions");
    expect(view.progress(0)?.activity).toBe("Waiting for the model");
  });

  it("names the tool if nobody knows what it would do", () => {
    const rows = rowsOf([
      {
        type: "request",
        requestId: "q1",
        kind: "permission",
        name: "deploy",
        input: { target: "eu" },
        choices: ["allow", "deny"],
      },
      { type: "request_end", requestId: "q1", outcome: "withdrawn", by: "agent" },
    ]);
    expect(rows.at(-1)).toBe('? Asked to use deploy: {"target":"eu"}  taken back');
  });
});

describe("a call that was denied", () => {
  const call = { callId: "c1", name: "Bash" };
  const asked: Given = {
    type: "request",
    requestId: "q1",
    kind: "permission",
    ...call,
    operations: [{ type: "command", command: "rm -rf ." }],
    choices: ["allow", "deny"],
  };
  const ended = (isSuccess: boolean): Given[] => [
    { type: "tool_end", ...call, isSuccess, output: "the user said no" },
    { type: "command", callId: "c1", command: "rm -rf .", isSuccess },
  ];
  const decided = (outcome: "denied" | "withdrawn"): Given => ({
    type: "request_end",
    requestId: "q1",
    outcome,
    by: "caller",
  });
  const last: Given[] = [
    { type: "result", isSuccess: true },
    { type: "exited", exitCode: 0, reason: "completed" },
  ];

  it.each(["denied", "withdrawn"] as const)("was not run: %s", (outcome) => {
    const rows = rowsOf([{ type: "tool_start", ...call }, asked, decided(outcome), ended(false), last]);
    expect(rows.filter((row) => row.includes("rm -rf"))).toHaveLength(1);
    expect(rows.join("\n")).not.toContain("Commands");
  });

  it("was run if it succeeded all the same", () => {
    const rows = rowsOf([{ type: "tool_start", ...call }, asked, decided("withdrawn"), ended(true), last]);
    expect(rows).toContain("✓ Ran rm -rf .");
    expect(rows).toContain("  Commands   1 run");
  });
});

describe("a plan", () => {
  const planned = (...statuses: ("pending" | "completed")[]): Given => ({
    type: "plan",
    entries: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })),
  });

  it("is shown whole once, and then as one row when it changes", () => {
    const rows = rowsOf([
      planned("pending", "pending"),
      planned("pending", "pending"),
      planned("completed", "pending"),
      planned("completed", "completed"),
    ]);
    expect(rows.slice(2)).toEqual([
      "• Plan 0 of 2 done",
      "  • Step 1",
      "  • Step 2",
      "• Plan 1 of 2 done",
      "✓ Plan 2 of 2 done",
    ]);
  });

  it("is cut if it is long", () => {
    const rows = rowsOf([planned(...Array.from({ length: 30 }, () => "pending" as const))]);
    expect(rows.slice(-2)).toEqual(["  • Step 9", "    … 21 more"]);
  });
});
