import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../../src/events/event.js";
import { createSessionUpdates } from "../../../src/outputs/acp/updates.js";

const cwd = "/workspace";
const common = { timestamp: "2026-01-01T00:00:00.000Z", runId: "r", agent: "claude", seq: 0 };
type Draft = HarnessEvent extends infer Event
  ? Event extends HarnessEvent
    ? Omit<Event, keyof typeof common>
    : never
  : never;

function updatesOf(drafts: readonly Draft[], options = {}) {
  const updates = createSessionUpdates({ cwd, canNotice: false, ...options });
  return drafts.flatMap((draft) => updates.of({ ...common, ...draft } as HarnessEvent));
}

describe("updates of a session", () => {
  it("are words, once: pieces are not repeated by the whole message", () => {
    const said = updatesOf([
      { type: "thinking", delta: "Hm." },
      { type: "text", delta: "Hel", messageId: "m1" },
      { type: "text", delta: "lo.", messageId: "m1" },
      { type: "agent", message: "Hello.", messageId: "m1" },
      { type: "agent", message: "Whole." },
      { type: "agent", message: "of a subagent", parentCallId: "c1" },
    ]);
    expect(said).toEqual([
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hel" }, messageId: "m1" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "lo." }, messageId: "m1" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Whole." } },
    ]);
  });

  it.each([
    [{ type: "command", command: "npm test" }, "execute", "npm test", []],
    [
      { type: "read", path: "/workspace/a.ts", startLine: 7 },
      "read",
      "Read a.ts:7-",
      [{ path: "/workspace/a.ts", line: 7 }],
    ],
    [{ type: "write", path: "a.ts" }, "edit", "Edit a.ts", [{ path: "/workspace/a.ts" }]],
    [{ type: "search", query: "x" }, "search", "Search for x", []],
    [{ type: "list", path: "/workspace" }, "search", "List .", [{ path: "/workspace" }]],
  ] as const)("have a call that does %j", (operation, kind, title, locations) => {
    const [begun] = updatesOf([
      { type: "tool_start", callId: "c", name: "tool", input: { a: 1 }, operations: [operation] },
    ]);
    expect(begun).toEqual({
      sessionUpdate: "tool_call",
      toolCallId: "c",
      status: "in_progress",
      kind,
      title,
      locations,
      content: [],
      rawInput: { a: 1 },
    });
  });

  it("have the diff of an edit, also when it has ended", () => {
    const input = { file_path: "/workspace/a.ts", old_string: "a", new_string: "" };
    const operations = [{ type: "write" as const, path: "/workspace/a.ts" }];
    const diff = { type: "diff", path: "/workspace/a.ts", oldText: "a", newText: "" };
    const [begun, ended] = updatesOf([
      { type: "tool_start", callId: "c", name: "Edit", input, operations },
      { type: "tool_end", callId: "c", name: "Edit", isSuccess: true, output: "ok" },
    ]);
    expect(begun).toMatchObject({ content: [diff] });
    expect(ended).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      content: [diff],
    });
  });

  it("have the whole content of a new file, and a patch as it is", () => {
    const operations = [{ type: "write" as const, path: "b.ts" }];
    const [whole, patched] = updatesOf([
      { type: "tool_start", callId: "1", name: "Write", input: { content: "new\n" }, operations },
      {
        type: "tool_start",
        callId: "2",
        name: "apply",
        input: { patch: "*** Begin Patch\n*** End Patch" },
        operations,
      },
    ]);
    expect(whole).toMatchObject({ content: [{ type: "diff", path: "/workspace/b.ts", newText: "new\n" }] });
    expect(patched).toMatchObject({
      content: [{ content: { text: "```diff\n*** Begin Patch\n*** End Patch\n```" } }],
    });
  });

  it("have the output of a failed call, which nothing in it can pass for something else", () => {
    const [, ended, again, cut] = updatesOf([
      { type: "tool_start", callId: "c", name: "Bash" },
      { type: "tool_end", callId: "c", name: "Bash", isSuccess: false, output: "\u001b[31m```\nbad" },
      { type: "tool_start", callId: "c", name: "Bash", input: { url: "x" } },
      { type: "tool_end", callId: "c", name: "Bash", output: { code: 1 } },
    ]);
    expect(ended).toMatchObject({
      status: "failed",
      content: [{ content: { text: "````\n```\nbad\n````" } }],
    });
    expect(again).toMatchObject({ toolCallId: "c#2", title: "Bash: x" });
    expect(cut).toMatchObject({ toolCallId: "c#2", status: "failed", rawOutput: { code: 1 } });
  });

  it("have the plan, and notices only for a client that shows them", () => {
    const drafts: Draft[] = [
      { type: "plan", entries: [{ content: "Look", status: "in_progress" }] },
      { type: "warning", message: "slow" },
    ];
    const plan = {
      sessionUpdate: "plan",
      entries: [{ content: "Look", status: "in_progress", priority: "medium" }],
    };
    expect(updatesOf(drafts)).toEqual([plan]);
    expect(updatesOf(drafts, { canNotice: true })).toEqual([
      plan,
      { sessionUpdate: "notice", severity: "warning", title: "slow" },
    ]);
  });
});
