import { describe, expect, it } from "vitest";
import { goose } from "../../src/agents/goose/definition.js";
import { translateRun } from "../support/translated-run.js";

const answered = { status: "success", value: { content: [{ type: "text", text: "ok" }], isError: false } };

/** The events between the end of a call and the end of the run. */
function done(name: string, args: object, toolResult: object = answered) {
  const request = {
    type: "toolRequest",
    id: "c1",
    toolCall: { status: "success", value: { name, arguments: args } },
  };
  const response = { type: "toolResponse", id: "c1", toolResult };
  const told = translateRun(goose, [
    { type: "message", message: { role: "assistant", content: [request] } },
    { type: "message", message: { role: "user", content: [response] } },
    { type: "complete", total_tokens: 1 },
  ]);
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

  it("counts a search that found nothing as completed", () => {
    const none = {
      status: "success",
      value: { content: [], structuredContent: { exit_code: 1 }, isError: true },
    };
    expect(done("shell", { command: "rg needle src" }, none)).toMatchObject([
      { type: "search", isSuccess: true },
    ]);
  });

  it("keeps an answer without its request", () => {
    const response = { type: "toolResponse", id: "nobody", toolResult: answered };
    const told = translateRun(goose, [{ type: "message", message: { role: "user", content: [response] } }]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([response]);
  });
});
