import type { HarnessEvent } from "../../src/events/event.js";
import { eventsOf, type Given } from "./support.js";

/** A moment of the session, in seconds after its start. */
function at(seconds: number): string {
  return new Date(Date.parse("2026-01-01T00:00:00.000Z") + seconds * 1000).toISOString();
}

const first = { turnId: "t1", sessionId: "s1" };
const second = { turnId: "t2", sessionId: "s1" };
const third = { turnId: "t3", sessionId: "s1" };

function planned(...statuses: ("pending" | "in_progress" | "completed")[]): Given {
  const contents = ["Find out why the total is wrong", "Fix it", "Run the tests"];
  const entries = contents.map((content, index) => ({ content, status: statuses[index] ?? "pending" }));
  return { type: "plan", ...first, callId: "todo", entries };
}

const testRun = { command: "npm test" };

/** The first turn: a plan, a permission that a rule gives, a question, an answer. */
const firstTurn: Given[] = [
  { type: "turn", ...first, timestamp: at(1), prompt: "The cart total is wrong.\nFix it.", origin: "user" },
  { type: "text", ...first, timestamp: at(2), delta: "I'll look at ", messageId: "m1" },
  { type: "agent", ...first, timestamp: at(2), message: "I'll look at the cart.", messageId: "m1" },
  planned("in_progress"),
  { type: "tool_start", ...first, timestamp: at(3), callId: "c1", name: "Read", input: { path: "cart.ts" } },
  { type: "tool_end", ...first, timestamp: at(3), callId: "c1", name: "Read", isSuccess: true, output: "…" },
  { type: "read", ...first, timestamp: at(3), callId: "c1", path: "/repo/cart.ts", isSuccess: true },
  {
    type: "request",
    ...first,
    timestamp: at(4),
    requestId: "q1",
    kind: "question",
    name: "AskUserQuestion",
    questions: [
      {
        id: "rounding",
        question: "Should totals be rounded up or to the nearest cent?",
        options: [{ label: "Up" }, { label: "Nearest", description: "as banks do" }],
      },
    ],
    choices: ["answer"],
  },
  { type: "request_end", ...first, timestamp: at(9), requestId: "q1", outcome: "answered", by: "caller" },
  planned("completed", "in_progress"),
  { type: "tool_start", ...first, timestamp: at(10), callId: "c2", name: "Bash", input: testRun },
  {
    type: "request",
    ...first,
    timestamp: at(10),
    requestId: "q2",
    kind: "permission",
    callId: "c2",
    name: "Bash",
    operations: [{ type: "command", command: "npm test" }],
    input: testRun,
    choices: ["allow", "allow_always", "deny"],
  },
  {
    type: "request_end",
    ...first,
    timestamp: at(10),
    requestId: "q2",
    outcome: "allowed",
    by: "policy",
    rule: "command: npm test",
  },
  {
    type: "tool_end",
    ...first,
    timestamp: at(12),
    callId: "c2",
    name: "Bash",
    isSuccess: true,
    output: "ok",
  },
  {
    type: "command",
    ...first,
    timestamp: at(12),
    callId: "c2",
    command: "npm test",
    exitCode: 0,
    isSuccess: true,
  },
  { type: "usage", ...first, timestamp: at(12), scope: "step", totalTokens: 1200, costUsd: 0.01 },
  { type: "agent", ...first, timestamp: at(13), message: "The total is right now.", messageId: "m2" },
  { type: "usage", ...first, timestamp: at(13), scope: "turn", totalTokens: 2000, costUsd: 0.02 },
  {
    type: "turn_end",
    ...first,
    timestamp: at(13),
    isSuccess: true,
    reason: "completed",
    text: "The total is right now.",
    durationMs: 12_000,
    costUsd: 0.02,
  },
];

/** The second turn: a permission that is denied, and one that is withdrawn because the turn is interrupted. */
const secondTurn: Given[] = [
  { type: "turn", ...second, timestamp: at(20), prompt: "Now push it.", origin: "user" },
  {
    type: "request",
    ...second,
    timestamp: at(21),
    requestId: "q3",
    kind: "permission",
    name: "Bash",
    operations: [
      { type: "command", command: "git push --force" },
      { type: "write", path: "/repo/CHANGELOG.md" },
    ],
    choices: ["allow", "deny"],
  },
  {
    type: "request_end",
    ...second,
    timestamp: at(25),
    requestId: "q3",
    outcome: "denied",
    by: "caller",
    message: "never with --force",
  },
  { type: "tool_start", ...second, timestamp: at(26), callId: "c3", name: "Bash", input: "sleep 60" },
  {
    type: "request",
    ...second,
    timestamp: at(27),
    requestId: "q4",
    kind: "permission",
    name: "WebFetch",
    operations: [{ type: "fetch", url: "https://example.com/" }],
    choices: ["allow", "deny"],
  },
  {
    type: "request_end",
    ...second,
    timestamp: at(27.5),
    requestId: "q4",
    outcome: "withdrawn",
    by: "caller",
  },
  { type: "tool_end", ...second, timestamp: at(28), callId: "c3", name: "Bash" },
  { type: "command", ...second, timestamp: at(28), callId: "c3", command: "sleep 60" },
  { type: "usage", ...second, timestamp: at(28), scope: "turn", totalTokens: 500, costUsd: 0.005 },
  {
    type: "turn_end",
    ...second,
    timestamp: at(28),
    isSuccess: false,
    reason: "interrupted",
    durationMs: 8000,
    costUsd: 0.005,
  },
];

/** The third turn fails in the middle of the session. */
const thirdTurn: Given[] = [
  { type: "turn", ...third, timestamp: at(30), prompt: "Is it there?", origin: "user" },
  { type: "error", ...third, timestamp: at(31), message: "the model is overloaded", code: "529" },
  {
    type: "turn_end",
    ...third,
    timestamp: at(31),
    isSuccess: false,
    reason: "failed",
    failure: { kind: "rate_limit", message: "the model is overloaded" },
    durationMs: 900,
  },
];

const fourth = { turnId: "t4", sessionId: "s1" };

/** The agent goes on by itself, and has a plan to be approved. */
const fourthTurn: Given[] = [
  { type: "turn", ...fourth, timestamp: at(40), origin: "agent" },
  {
    type: "request",
    ...fourth,
    timestamp: at(41),
    requestId: "q5",
    kind: "plan",
    name: "ExitPlanMode",
    message: "1. Pull\n2. Push",
    choices: ["allow", "deny"],
  },
  { type: "request_end", ...fourth, timestamp: at(45), requestId: "q5", outcome: "allowed", by: "caller" },
  { type: "agent", ...fourth, timestamp: at(46), message: "It is pushed.", messageId: "m3" },
  {
    type: "turn_end",
    ...fourth,
    timestamp: at(46),
    isSuccess: true,
    reason: "completed",
    text: "It is pushed.",
  },
];

/**
 * A live session, line by line as its records would give it: a plan, a question, permissions that were allowed, denied and
 * withdrawn, a turn that was interrupted, one that failed, and one that the agent began by itself.
 */
export function liveSession(): HarnessEvent[][] {
  const given: Given[] = [
    { type: "started", timestamp: at(0), agent: "claude", cwd: "/repo" },
    { type: "session", timestamp: at(0.5), sessionId: "s1", model: "claude-opus-4-8" },
    ...firstTurn,
    ...secondTurn,
    ...thirdTurn,
    ...fourthTurn,
    {
      type: "usage",
      timestamp: at(50),
      scope: "run",
      inputTokens: 2000,
      outputTokens: 500,
      totalTokens: 2500,
    },
    {
      type: "result",
      timestamp: at(50),
      isSuccess: true,
      text: "It is pushed.",
      durationMs: 50_000,
      costUsd: 0.025,
    },
    { type: "exited", timestamp: at(50), exitCode: 0, reason: "completed" },
  ];
  return linesOf(eventsOf(...withTimes(given)));
}

/** An event without a time of its own has that of the event before it. */
function withTimes(given: readonly Given[]): Given[] {
  let timestamp = at(0);
  return given.map((event) => {
    timestamp = event.timestamp ?? timestamp;
    return { ...event, timestamp };
  });
}

/** Events of the same moment come from the same record. The start and the end of the run come from none. */
function linesOf(events: readonly HarnessEvent[]): HarnessEvent[][] {
  const lines: HarnessEvent[][] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (last?.[0]?.timestamp === event.timestamp) last.push(event);
    else lines.push([event]);
  }
  const starts = new Map<string, number>();
  return lines.map((line, index) =>
    index === 0 || index === lines.length - 1 ? line : line.map((event) => numbered(event, index, starts)),
  );
}

/** What is reported about a call that never ended has the line of its start. */
function numbered(event: HarnessEvent, line: number, starts: Map<string, number>): HarnessEvent {
  if (event.type === "tool_start") starts.set(event.callId, line);
  const isOpen =
    (event.type === "tool_end" && event.isSuccess === undefined) ||
    (event.type === "command" && event.isSuccess === undefined);
  const start = isOpen && event.callId !== undefined ? starts.get(event.callId) : undefined;
  return { ...event, line: start ?? line };
}
