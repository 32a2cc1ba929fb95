import { describe, expect, it } from "vitest";
import { goose } from "../../src/agents/goose/definition.js";
import { translateRun } from "../support/translated-run.js";

const answered = { status: "success", value: { content: [{ type: "text", text: "ok" }], isError: false } };

const textFor = (reader: string, text: string) => ({
  type: "text",
  text,
  annotations: { audience: [reader], priority: 0 },
});

/** A run with one call. `between`: records that come before its result. */
function called(name: string, args: object, toolResult: object = answered, between: object[] = []) {
  const request = {
    type: "toolRequest",
    id: "c1",
    toolCall: { status: "success", value: { name, arguments: args } },
  };
  const response = { type: "toolResponse", id: "c1", toolResult };
  return translateRun(goose, [
    { type: "message", message: { role: "assistant", content: [request] } },
    ...between,
    { type: "message", message: { role: "user", content: [response] } },
    { type: "complete", total_tokens: 2, input_tokens: 1, output_tokens: 1 },
  ]);
}

/** The events between the end of a call and the end of the run. */
function done(name: string, args: object, toolResult: object = answered) {
  const told = called(name, args, toolResult);
  const end = told.events.findIndex(({ type }) => type === "tool_end");
  return told.events.slice(end + 1).filter(({ type }) => !["usage", "result", "exited"].includes(type));
}

describe("goose: tools", () => {
  it.each([
    ["view", { type: "read", path: "/repo/a.ts" }],
    ["write", { type: "write", path: "/repo/a.ts" }],
    ["str_replace", { type: "write", path: "/repo/a.ts" }],
    ["insert", { type: "write", path: "/repo/a.ts" }],
    ["undo_edit", { type: "write", path: "/repo/a.ts" }],
  ])("text_editor %s", (command, event) => {
    expect(done("developer__text_editor", { command, path: "a.ts" })).toMatchObject([
      { ...event, isSuccess: true },
    ]);
  });

  it("reads the lines that text_editor was asked for", () => {
    const view = { command: "view", path: "a.ts" };
    expect(done("text_editor", { ...view, view_range: [10, 20] })).toMatchObject([
      { startLine: 10, endLine: 20 },
    ]);
    const [toTheEnd] = done("text_editor", { ...view, view_range: [10, -1] });
    expect(toTheEnd).toMatchObject({ startLine: 10 });
    expect(toTheEnd).not.toHaveProperty("endLine");
  });

  it.each([
    ["developer__shell", { command: "cat a.ts" }, { type: "read", path: "/repo/a.ts" }],
    ["developer__shell", { command: "npm test" }, { type: "command", command: "npm test" }],
    [
      "read",
      { path: "a.ts", line: 5, limit: 3 },
      { type: "read", path: "/repo/a.ts", startLine: 5, endLine: 7 },
    ],
    ["grep", { pattern: "foo", path: "src" }, { type: "search", query: "foo", path: "/repo/src" }],
    ["glob", { pattern: "*.ts" }, { type: "search", query: "*.ts" }],
    ["list", { path: "src" }, { type: "list", path: "/repo/src" }],
    ["tree", {}, { type: "list" }],
    [
      "skills__load_skill",
      { name: "greet" },
      { type: "skill", path: "/repo/skills/greet/SKILL.md", skillName: "greet" },
    ],
  ])("%s %j", (name, args, event) => {
    expect(done(name, args)).toMatchObject([event]);
  });

  it.each([
    ["notes__list", { path: "x" }],
    ["read_image", { source: "https://example.org/a.png" }],
    ["write", { content: "no path" }],
    ["text_editor", { command: "levitate", path: "a.ts" }],
    ["constructor", {}],
  ])("does not claim to know what %s %j did", (name, args) => {
    expect(done(name, args)).toMatchObject([{ type: "unknown" }]);
  });

  it("tells nothing but start and end of the list that the agent keeps for itself", () => {
    expect(done("todo__write", { content: "- [ ] one" })).toEqual([]);
  });

  it("counts an answer as a failure when the error is in it", () => {
    const failed = {
      status: "success",
      value: { content: [], structuredContent: { exit_code: 2 }, isError: true },
    };
    expect(done("shell", { command: "make" }, failed)).toMatchObject([{ exitCode: 2, isSuccess: false }]);
    expect(done("shell", { command: "make" }, { status: "error", error: "-32602: no" })).toMatchObject([
      { type: "command", isSuccess: false },
    ]);
  });

  it("does not know how a command ended whose exit code older versions leave out", () => {
    expect(done("developer__shell", { command: "make" })[0]).not.toHaveProperty("isSuccess");
    expect(done("developer__text_editor", { command: "write", path: "a" })[0]).toMatchObject({
      isSuccess: true,
    });
  });

  it.each([
    ["the copy for the model", textFor("assistant", "out"), "out", "out"],
    ["what the model got", textFor("assistant", "Edited a.ts"), "- x", "Edited a.ts"],
    ["the copy that is text", { type: "resource", annotations: { audience: ["assistant"] } }, "x", "x"],
  ])("has as output %s when older versions answer twice", (_name, forModel, forPeople, output) => {
    const content = [forModel, textFor("user", forPeople)];
    const told = called("text_editor", {}, { status: "success", value: { content, isError: false } });
    expect(told.of("tool_end")).toMatchObject([{ output }]);
  });

  it("tells nothing of what a command prints while it runs, because its result does", () => {
    const log = { type: "notification", extension_id: "c1", log: { message: "line 1" } };
    expect(called("developer__shell", { command: "make" }, answered, [log]).of("unknown")).toEqual([]);
  });

  it.each([
    ["delegate", "c1"],
    ["demo__add", undefined],
  ])(
    "keeps what %s logs while it runs, as that of the call that started a subagent",
    (name, parentCallId) => {
      const log = { type: "notification", extension_id: "c1", log: { message: "[subagent:12] shell" } };
      const [kept] = called(name, {}, answered, [log]).of("unknown");
      expect(kept?.raw).toEqual(log);
      expect(kept?.parentCallId).toBe(parentCallId);
    },
  );

  it("counts a search that found nothing as completed", () => {
    const none = {
      status: "success",
      value: { content: [], structuredContent: { exit_code: 1 }, isError: true },
    };
    expect(done("shell", { command: "rg needle src" }, none)).toMatchObject([
      { type: "search", isSuccess: true },
    ]);
  });

  it.each([
    ["delegate", { source: "reviewer" }],
    ["subagent", { subrecipe: "reviewer", instructions: "Look." }],
  ])("%s starts a subagent and ends with it", (name, args) => {
    const task = { callId: "c1", subagentName: "reviewer" };
    expect(called(name, args).of("orchestration")).toMatchObject([
      { action: "subagent_started", ...task },
      { action: "subagent_completed", isSuccess: true, ...task },
    ]);
  });

  it("keeps an answer without its request", () => {
    const response = { type: "toolResponse", id: "nobody", toolResult: answered };
    const told = translateRun(goose, [{ type: "message", message: { role: "user", content: [response] } }]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([response]);
  });
});
