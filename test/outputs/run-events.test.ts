import { describe, expect, it } from "vitest";
import { formatEvents } from "../../src/outputs/format-events.js";
import { formats } from "../../src/outputs/formats.js";
import { toNdjson } from "../../src/text/to-json.js";
import {
  completed,
  eventsOf,
  exitedWithOne,
  failed,
  type Given,
  runId,
  started,
  succeeded,
} from "./support.js";

/** Every event is a line of its own. */
function runEvents(...given: Given[]) {
  const view = formats["run-events"].create();
  return eventsOf(...given).flatMap((event) => view.push([event]));
}

/** All events are of one line. */
function ofOneLine(...given: Given[]) {
  return formats["run-events"].create().push(eventsOf(...given));
}

function activity(message: string) {
  return { kind: "activity", runId, message };
}

describe("the run-events format", () => {
  it("writes each kind with the fields of the seed, in documented order", () => {
    const edit = { filePath: "a.md", range: { start: 1, end: 2 }, replacement: "x", title: "t" };
    const items = runEvents(
      started,
      { type: "session", sessionId: "s1", model: "opus", cwd: "/repo" },
      { type: "text", delta: "Hi" },
      { type: "thinking", delta: "hm" },
      { type: "tool_start", callId: "c1", name: "ls", input: { dir: "/x" } },
      { type: "tool_end", callId: "c1", name: "ls", isSuccess: true, output: "done" },
      { type: "edits", edits: [edit] },
      { type: "list", path: "/x", isSuccess: true },
      { type: "usage", inputTokens: 10, outputTokens: 20, totalTokens: 30, scope: "run" },
      failed("it broke"),
      exitedWithOne,
    );
    expect(toNdjson(items).split("\n")).toEqual([
      '{"kind":"started","runId":"r1"}',
      '{"kind":"session","runId":"r1","sessionId":"s1","model":"opus"}',
      '{"kind":"text","runId":"r1","delta":"Hi"}',
      '{"kind":"thinking","runId":"r1","delta":"hm"}',
      '{"kind":"toolStart","runId":"r1","toolCallId":"c1","name":"ls","input":"{\\"dir\\":\\"/x\\"}"}',
      '{"kind":"toolEnd","runId":"r1","toolCallId":"c1","ok":true,"output":"done"}',
      '{"kind":"suggestedEdits","runId":"r1","edits":[{"filePath":"a.md","range":{"start":1,"end":2},"replacement":"x","title":"t"}]}',
      '{"kind":"activity","runId":"r1","message":"1 suggested edit"}',
      '{"kind":"activity","runId":"r1","message":"Listing /x"}',
      '{"kind":"usage","runId":"r1","inputTokens":10,"outputTokens":20,"totalTokens":30}',
      '{"kind":"error","runId":"r1","message":"it broke"}',
      '{"kind":"exited","runId":"r1","exitCode":1,"cancelled":false}',
      "",
    ]);
  });

  it("leaves out what is not reported", () => {
    expect(
      runEvents(
        { type: "session" },
        { type: "tool_start", callId: "c1", name: "ls" },
        { type: "tool_end", callId: "c1", name: "ls", isSuccess: true },
        { type: "usage", outputTokens: 0, scope: "run" },
      ),
    ).toStrictEqual([
      { kind: "session", runId },
      { kind: "toolStart", runId, toolCallId: "c1", name: "ls" },
      { kind: "toolEnd", runId, toolCallId: "c1", ok: true },
      { kind: "usage", runId, outputTokens: 0 },
    ]);
  });

  it("puts the items of one line in order, those of a kind as they came", () => {
    const items = ofOneLine(
      { type: "warning", message: "first" },
      { type: "usage", inputTokens: 1, scope: "run" },
      { type: "edits", edits: [{ filePath: "a", range: { start: 0, end: 0 }, replacement: "" }] },
      { type: "tool_end", callId: "c1", name: "x" },
      { type: "tool_start", callId: "c2", name: "x" },
      { type: "read", path: "a" },
      { type: "tool_start", callId: "c3", name: "x" },
      { type: "thinking", message: "hm" },
      { type: "agent", message: "Hi" },
      { type: "session" },
      started,
    );
    expect(
      items.map((item) =>
        "message" in item ? item.message : "toolCallId" in item ? item.toolCallId : item.kind,
      ),
    ).toEqual([
      "started",
      "session",
      "text",
      "thinking",
      "c2",
      "c3",
      "c1",
      "suggestedEdits",
      "usage",
      "first",
      "1 suggested edit",
      "Reading a",
    ]);
  });

  it("consumes what it has nothing to show for", () => {
    const items = runEvents(
      { type: "agent", message: "prompt", role: "user" },
      { type: "agent", message: "rules", role: "system" },
      { type: "text", delta: "" },
      { type: "agent", message: "" },
      { type: "thinking" },
      { type: "thinking", delta: "" },
      { type: "edits", edits: [] },
      { type: "unknown", raw: { type: "novel" } },
      { type: "unknown", raw: null },
      { type: "unknown", raw: "  " },
      { type: "warning", message: "" },
      succeeded,
    );
    expect(items).toEqual([]);
  });
});

describe("text", () => {
  const texts = (...given: Given[]) =>
    runEvents(...given).flatMap((item) => (item.kind === "text" ? [item.delta] : []));

  it("is the whole message when the agent does not stream", () => {
    expect(texts({ type: "agent", message: "one" }, { type: "agent", message: "two" })).toEqual([
      "one",
      "two",
    ]);
  });

  it("is the deltas when the agent streams, and not the whole message again", () => {
    expect(
      texts(
        { type: "text", delta: "He" },
        { type: "text", delta: "llo" },
        { type: "agent", message: "Hello" },
        { type: "agent", message: "not streamed" },
        { type: "text", delta: "Bye" },
        { type: "tool_start", callId: "c1", name: "x" },
        { type: "agent", message: "Bye" },
      ),
    ).toEqual(["He", "llo", "not streamed", "Bye"]);
  });

  it("is not repeated when the whole message is trimmed or comes in parts", () => {
    expect(
      texts(
        { type: "text", delta: "\nOne. " },
        { type: "text", delta: "Two.\n" },
        { type: "agent", message: "One. Two." },
        { type: "text", delta: "Three." },
        { type: "text", delta: "Four." },
        { type: "agent", message: "Three." },
        { type: "agent", message: "Four." },
      ),
    ).toEqual(["\nOne. ", "Two.\n", "Three.", "Four."]);
  });

  it("stands when no whole message follows, and does not swallow a later one", () => {
    expect(texts({ type: "text", delta: "I was cut" }, { type: "agent", message: "Once more." })).toEqual([
      "I was cut",
      "Once more.",
    ]);
  });

  it("is completed by the whole message when the deltas were cut off", () => {
    expect(texts({ type: "text", delta: "The ans" }, { type: "agent", message: "The answer is 4." })).toEqual(
      ["The ans", "wer is 4."],
    );
  });

  it("is not repeated when a stream breaks and begins anew", () => {
    expect(
      texts(
        { type: "text", delta: "The a" },
        { type: "text", delta: "The answer" },
        { type: "agent", message: "The answer" },
      ),
    ).toEqual(["The a", "The answer"]);
  });

  it("belongs to the message with its id, whatever the words are", () => {
    expect(
      texts(
        { type: "text", delta: "The an", messageId: "cut" },
        { type: "agent", message: "The answer", messageId: "again" },
        { type: "text", delta: "One", messageId: "1" },
        { type: "text", delta: "Two", messageId: "2" },
        { type: "text", delta: "…", messageId: "1" },
        { type: "agent", message: "Two, cut off", messageId: "2" },
        { type: "agent", message: "One…", messageId: "1" },
      ),
    ).toEqual(["The an", "The answer", "One", "Two", "…", ", cut off"]);
  });

  it("belongs to the next message when its id, or the message's, is not known", () => {
    expect(
      texts(
        { type: "text", delta: "One" },
        { type: "agent", message: "One", messageId: "1" },
        { type: "text", delta: "Two", messageId: "2" },
        { type: "agent", message: "Two" },
      ),
    ).toEqual(["One", "Two"]);
  });

  it("is never a subagent's: its messages are activities, its deltas are consumed", () => {
    const parentCallId = "c1";
    expect(
      runEvents(
        { type: "text", delta: "I looked", parentCallId },
        { type: "agent", message: "I looked\naround", parentCallId },
        { type: "agent", message: "I looked" },
      ),
    ).toEqual([activity("Subagent: I looked around"), { kind: "text", runId, delta: "I looked" }]);
  });
});

it("shows thinking, streamed or whole", () => {
  expect(runEvents({ type: "thinking", delta: "a" }, { type: "thinking", message: "b" })).toEqual([
    { kind: "thinking", runId, delta: "a" },
    { kind: "thinking", runId, delta: "b" },
  ]);
});

describe("toolEnd", () => {
  it.each([
    [true, true],
    [false, false],
    [undefined, true],
  ])("of a call whose success is %s is ok: %s", (isSuccess, ok) => {
    const [, item] = runEvents(
      { type: "tool_start", callId: "c1", name: "x", line: 1 },
      { type: "tool_end", callId: "c1", name: "x", line: 2, ...(isSuccess !== undefined && { isSuccess }) },
    );
    expect(item).toStrictEqual({ kind: "toolEnd", runId, toolCallId: "c1", ok });
  });

  it("of a call that never ended is not ok", () => {
    const items = runEvents(
      { type: "tool_start", callId: "c1", name: "x", line: 1 },
      { type: "text", delta: "on", line: 2 },
      { type: "tool_end", callId: "c1", name: "x", line: 1 },
    );
    expect(items.at(-1)).toMatchObject({ kind: "toolEnd", ok: false });
  });
});

describe("a call whose work is known", () => {
  const start: Given = {
    type: "tool_start",
    callId: "c1",
    name: "Bash",
    operations: [
      { type: "read", path: "/repo/a", startLine: 1, endLine: 5 },
      { type: "command", command: "npm test" },
    ],
  };
  const end: Given = { type: "tool_end", callId: "c1", name: "Bash", isSuccess: false };
  const did: Given = { type: "command", callId: "c1", command: "npm test", exitCode: 1, isSuccess: false };

  it("has its activities when it begins, and only then", () => {
    const kinds = runEvents(started, start, end, did, { type: "list", path: "/repo/src" });
    expect(kinds.slice(1)).toEqual([
      { kind: "toolStart", runId, toolCallId: "c1", name: "Bash" },
      activity("Reading a:1-5"),
      activity("Running npm test"),
      { kind: "toolEnd", runId, toolCallId: "c1", ok: false },
      activity("Listing src"),
    ]);
  });

  it("has them after its end if one line reports both", () => {
    expect(ofOneLine(start, end, did).map(({ kind }) => kind)).toEqual([
      "toolStart",
      "toolEnd",
      "activity",
      "activity",
    ]);
  });
});

it("says that a killed run was killed", () => {
  const killed: Given = { type: "exited", exitCode: null, signal: "SIGTERM", reason: "failed" };
  const error: Given = { type: "error", message: "Codex was killed by SIGTERM: no such model" };
  const items = ofOneLine(error, failed("killed by SIGTERM: no such model"), killed);
  expect(items[0]).toEqual({ kind: "error", runId, message: "killed by SIGTERM: no such model" });
});

describe("usage", () => {
  it("counts everything sent as input", () => {
    const tokens = {
      inputTokens: 1,
      cacheReadTokens: 20,
      cacheWriteTokens: 300,
      outputTokens: 4,
      totalTokens: 325,
    };
    expect(
      runEvents({ type: "usage", ...tokens, reasoningTokens: 2, costUsd: 1, scope: "run" }),
    ).toStrictEqual([{ kind: "usage", runId, inputTokens: 321, outputTokens: 4, totalTokens: 325 }]);
    expect(runEvents({ type: "usage", cacheWriteTokens: 0, scope: "run" })).toStrictEqual([
      { kind: "usage", runId, inputTokens: 0 },
    ]);
  });

  it("is only told of the run, and only when tokens were counted", () => {
    const items = runEvents(
      { type: "usage", inputTokens: 1, scope: "step" },
      { type: "usage", inputTokens: 1, scope: "session" },
      { type: "usage", costUsd: 1, scope: "run" },
    );
    expect(items).toEqual([]);
  });
});

describe("activity", () => {
  it.each<[string, Given]>([
    ["Reading src/app.ts", { type: "read", path: "/repo/src/app.ts", isSuccess: true }],
    ["Reading src/app.ts:10-20", { type: "read", path: "/repo/src/app.ts", startLine: 10, endLine: 20 }],
    ["Reading src/app.ts:10", { type: "read", path: "/repo/src/app.ts", startLine: 10, endLine: 10 }],
    ["Reading src/app.ts:10-", { type: "read", path: "/repo/src/app.ts", startLine: 10 }],
    ["Reading src/app.ts:1-20", { type: "read", path: "/repo/src/app.ts", endLine: 20 }],
    ["Reading /other/app.ts (failed)", { type: "read", path: "/other/app.ts", isSuccess: false }],
    ["Editing src/app.ts", { type: "write", path: "/repo/src/app.ts", isSuccess: true }],
    ["Running npm test", { type: "command", command: "npm test", exitCode: 0, isSuccess: true }],
    ["Running npm test", { type: "command", command: "npm test" }],
    ["Running npm test (exit 1)", { type: "command", command: "npm test", exitCode: 1, isSuccess: false }],
    ["Running npm test (exit 2)", { type: "command", command: "npm test", exitCode: 2 }],
    ["Running npm test (failed)", { type: "command", command: "npm test", isSuccess: false }],
    ["Running diff a b", { type: "command", command: "diff a b", exitCode: 1, isSuccess: true }],
    ["Running cd a npm test", { type: "command", command: "cd a\nnpm test\n" }],
    ["Searching for foo in src", { type: "search", query: "foo", path: "/repo/src" }],
    ["Searching for foo", { type: "search", query: "foo" }],
    ["Searching for foo in . (failed)", { type: "search", query: "foo", path: "/repo", isSuccess: false }],
    ["Listing src", { type: "list", path: "/repo/src" }],
    ["Listing .", { type: "list", path: "/repo" }],
    ["Listing files", { type: "list" }],
    ["Using skill demo", { type: "skill", path: "/repo/s/SKILL.md", skillName: "demo" }],
    ["Using skill s/SKILL.md", { type: "skill", path: "/repo/s/SKILL.md" }],
    [
      "Subagent general-purpose started",
      {
        type: "orchestration",
        action: "subagent_started",
        subagentName: "general-purpose",
        subagentId: "a1",
      },
    ],
    [
      "Subagent a1 completed",
      { type: "orchestration", action: "subagent_completed", subagentId: "a1", isSuccess: true },
    ],
    ["Subagent failed", { type: "orchestration", action: "subagent_failed", isSuccess: false }],
    ["npm warn deprecated", { type: "warning", message: "npm warn deprecated" }],
    ["a tool broke", { type: "error", message: "a tool broke" }],
    ["plain output", { type: "unknown", raw: "plain \u001b[1moutput\u001b[0m" }],
  ])("says %j", (message, given) => {
    expect(runEvents(started, given)[1]).toStrictEqual(activity(message));
  });

  it("shows paths as seen from the directory that the agent reports, if it does", () => {
    const read: Given = { type: "read", path: "/private/repo/a.ts" };
    expect(
      runEvents(started, { type: "session", cwd: "/private/repo" }, { type: "session", model: "m" }, read).at(
        -1,
      ),
    ).toEqual(activity("Reading a.ts"));
    expect(runEvents({ type: "started", agent: "pi", cwd: "" }, read).at(-1)).toEqual(
      activity("Reading /private/repo/a.ts"),
    );
  });

  it("is cut to 240 characters, not bytes or UTF-16 units", () => {
    const [ascii, emoji] = runEvents(
      { type: "warning", message: "x".repeat(500) },
      { type: "warning", message: `x${"😀".repeat(500)}` },
    );
    expect(ascii).toEqual(activity("x".repeat(240)));
    expect(emoji).toEqual(activity(`x${"😀".repeat(239)}`));
  });

  it("never shows half a character of a text that is not looked at to its end", () => {
    const escapes = "\u001b[0m".repeat(1023);
    expect(runEvents({ type: "unknown", raw: `${escapes}abc😀` })[0]).toEqual(activity("abc"));
    expect(runEvents({ type: "unknown", raw: `${escapes}ab😀` })[0]).toEqual(activity("ab😀"));
  });

  it("still says that a long command failed", () => {
    const [item] = runEvents({ type: "command", command: "x".repeat(500), exitCode: 1, isSuccess: false });
    expect(item).toEqual(activity(`Running ${"x".repeat(223)} (exit 1)`));
  });
});

describe("the end", () => {
  it("of a good run is `exited` alone", () => {
    expect(runEvents(succeeded, completed)).toStrictEqual([
      { kind: "exited", runId, exitCode: 0, cancelled: false },
    ]);
  });

  it("of a failed run is `error`, then `exited`", () => {
    expect(ofOneLine({ type: "error", message: "boom" }, failed("boom"), exitedWithOne)).toStrictEqual([
      { kind: "error", runId, message: "boom" },
      { kind: "exited", runId, exitCode: 1, cancelled: false },
    ]);
  });

  it("of a cancelled run says so", () => {
    const exited: Given = { type: "exited", exitCode: null, signal: "SIGTERM", reason: "cancelled" };
    expect(ofOneLine(failed("the run was cancelled"), exited)).toStrictEqual([
      { kind: "error", runId, message: "the run was cancelled" },
      { kind: "exited", runId, exitCode: null, cancelled: true },
    ]);
  });

  it("does not tell the terminal error twice when it adds the exit code to the same words", () => {
    const message = "Codex exited with code 1: no such file";
    expect(
      ofOneLine({ type: "error", message }, failed("no such file"), exitedWithOne).map((item) => item.kind),
    ).toEqual(["error", "exited"]);
  });

  it("tells a terminal error that says something else as an activity", () => {
    const message = "Codex exited with code 1: panic";
    expect(ofOneLine({ type: "error", message }, failed("rate limited"), exitedWithOne)).toStrictEqual([
      activity(message),
      { kind: "error", runId, message: "rate limited" },
      { kind: "exited", runId, exitCode: 1, cancelled: false },
    ]);
  });

  it("tells an earlier error as an activity when it happens, and again as the cause", () => {
    const items = runEvents({ type: "error", message: "boom" }, failed("boom"), exitedWithOne);
    expect(items.map((item) => item.kind)).toEqual(["activity", "error", "exited"]);
  });

  it("gives a failure without words some", () => {
    expect(
      ofOneLine({ type: "error", message: "e" }, { type: "result", isSuccess: false }, exitedWithOne).slice(
        0,
        2,
      ),
    ).toEqual([activity("e"), { kind: "error", runId, message: "the run failed" }]);
  });

  it("comes once: nothing follows `exited`", () => {
    const items = runEvents(
      failed("x"),
      exitedWithOne,
      failed("y"),
      { type: "warning", message: "late" },
      completed,
    );
    expect(items.map((item) => item.kind)).toEqual(["error", "exited"]);
  });
});

describe("an agent that narrates", () => {
  function narrated(...given: Given[]) {
    const view = formats["run-events"].create({ narrates: true });
    return eventsOf(...given).flatMap((event) => view.push([event]));
  }
  const say = (message: string): Given => ({ type: "agent", message });
  const call: Given = { type: "tool_start", callId: "c1", name: "shell" };
  const endOfCall: Given = { type: "tool_end", callId: "c1", name: "shell", isSuccess: true };

  it("answers with its last message; those before it are activities", () => {
    expect(
      narrated(
        say("First,\nI look."),
        call,
        endOfCall,
        say("Then this."),
        say("Done."),
        succeeded,
        completed,
      ),
    ).toEqual([
      activity("First, I look."),
      { kind: "toolStart", runId, toolCallId: "c1", name: "shell" },
      { kind: "toolEnd", runId, toolCallId: "c1", ok: true },
      activity("Then this."),
      { kind: "text", runId, delta: "Done." },
      { kind: "exited", runId, exitCode: 0, cancelled: false },
    ]);
  });

  it.each<[string, Given]>([
    ["thinks", { type: "thinking", message: "hm" }],
    ["streams", { type: "text", delta: "a" }],
    ["starts a call", call],
    ["does something outside a call", { type: "command", command: "ls" }],
  ])("was narrating when it then %s", (_what, given) => {
    expect(narrated(say("So."), given)[0]).toEqual(activity("So."));
  });

  it.each<[string, Given]>([
    ["a call ends", endOfCall],
    ["a finished call is told", { type: "command", command: "ls", callId: "c1" }],
    ["a subagent works", { type: "tool_start", callId: "c2", name: "x", parentCallId: "c1" }],
    ["a diagnostic is printed", { type: "warning", message: "w" }],
    ["an error is reported", { type: "error", message: "e" }],
    ["something is not understood", { type: "unknown", raw: {} }],
    ["tokens are counted", { type: "usage", inputTokens: 1, scope: "run" }],
    ["somebody else speaks", { type: "agent", message: "x", role: "system" }],
  ])("has answered when after its message only %s", (_what, given) => {
    const items = narrated(say("Answer."), given, succeeded);
    expect(items).toContainEqual({ kind: "text", runId, delta: "Answer." });
    expect(items).not.toContainEqual(activity("Answer."));
  });

  it("has its last message shown as text when the run dies", () => {
    expect(narrated(say("Cut off"), failed("boom"), exitedWithOne)).toEqual([
      { kind: "text", runId, delta: "Cut off" },
      { kind: "error", runId, message: "boom" },
      { kind: "exited", runId, exitCode: 1, cancelled: false },
    ]);
    expect(narrated(say("Cut off"), exitedWithOne).map((item) => item.kind)).toEqual(["text", "exited"]);
  });

  it("has narration stand where its text would, in a line of its own order", () => {
    const view = formats["run-events"].create({ narrates: true });
    const items = view.push(eventsOf(started, say("So."), call, { type: "warning", message: "w" }));
    expect(items.map((item) => ("message" in item ? item.message : item.kind))).toEqual([
      "started",
      "So.",
      "toolStart",
      "w",
    ]);
  });

  it("keeps every message in order across lines", () => {
    expect(formatEvents("run-events", eventsOf(say("a"), say("b"), succeeded), { narrates: true })).toEqual([
      activity("a"),
      { kind: "text", runId, delta: "b" },
    ]);
  });
});
