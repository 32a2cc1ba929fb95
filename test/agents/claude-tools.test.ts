import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "system", subtype: "init", model: "claude-sonnet-4-5", cwd: "/repo" };
const success = { type: "result", subtype: "success", is_error: false, result: "Done." };
const use = (name: string, input: object, parent?: string) => ({
  type: "assistant",
  parent_tool_use_id: parent ?? null,
  message: { id: "m1", content: [{ type: "tool_use", id: "t1", name, input }] },
});
const answer = (content: string, more: { details?: object; isError?: boolean; parent?: string } = {}) => ({
  type: "user",
  parent_tool_use_id: more.parent ?? null,
  message: {
    content: [{ type: "tool_result", tool_use_id: "t1", content, is_error: more.isError ?? false }],
  },
  ...(more.details && { tool_use_result: more.details }),
});

describe("a command of Claude Code that goes on in the background", () => {
  const running = "Command running in background with ID: b1. Output is being written to: /tmp/b1.output.";
  const timedOut =
    "Command did not complete within its 1s timeout and was moved to the background (ID: b1). Output is being written to: /tmp/b1.output.";

  it.each([
    ["the result says so", { command: "npm start" }, answer("…", { details: { backgroundTaskId: "b1" } })],
    ["the model asked for it", { command: "npm start", run_in_background: true }, answer(running)],
    ["its words say so", { command: "npm start" }, answer(running)],
    ["it took too long", { command: "npm start" }, answer(timedOut)],
  ])("has no outcome: %s", (_why, input, result) => {
    const [command] = translateRun(claude, [init, use("Bash", input), result, success]).of("command");
    expect(command).toMatchObject({ command: "npm start" });
    expect(command).not.toHaveProperty("isSuccess");
  });

  it("has failed if it could not be started", () => {
    const input = { command: "npm start", run_in_background: true };
    const refused = answer("Permission denied", { isError: true });
    const [command] = translateRun(claude, [init, use("Bash", input), refused, success]).of("command");
    expect(command).toMatchObject({ isSuccess: false });
  });

  it("is not one that prints the same words", () => {
    const printed = answer(running, { details: { stdout: running, stderr: "" } });
    const [command] = translateRun(claude, [
      init,
      use("Bash", { command: "npm run log" }),
      printed,
      success,
    ]).of("command");
    expect(command).toMatchObject({ isSuccess: true });
  });

  it("may be watched by `Monitor`", () => {
    const input = { command: "tail -f app.log", description: "watch", timeout_ms: 10000 };
    const { of } = translateRun(claude, [
      init,
      use("Monitor", input),
      answer("Monitor started (task b1)", { details: { taskId: "b1" } }),
      success,
    ]);
    expect(of("command")).toMatchObject([{ command: "tail -f app.log", callId: "t1" }]);
    expect(of("command")[0]).not.toHaveProperty("isSuccess");
    expect(of("tool_end")).toMatchObject([{ isSuccess: true }]);
    expect(of("unknown")).toEqual([]);
  });
});

describe("a skill of Claude Code", () => {
  const launch = [use("Skill", { skill: "greeter" }), answer("Launching skill: greeter")];
  const text = (words: string) => ({
    type: "user",
    isSynthetic: true,
    parent_tool_use_id: null,
    message: { content: [{ type: "text", text: words }] },
  });
  const said = {
    type: "assistant",
    message: { id: "m2", content: [{ type: "text", text: "Hello." }] },
  };
  const base = text("Base directory for this skill: /repo/.claude/skills/greeter\n\nSay hello.\n");

  it("is in the directory that its text begins with", () => {
    const { of } = translateRun(claude, [init, ...launch, base, said, success]);
    expect(of("skill")).toMatchObject([
      {
        path: "/repo/.claude/skills/greeter/SKILL.md",
        skillName: "greeter",
        isSuccess: true,
        callId: "t1",
      },
    ]);
  });

  it("is emitted before what follows it, with the path that its name suggests, if no directory is named", () => {
    for (const rest of [[said, success], [text("Greet."), said, success], []]) {
      const { events } = translateRun(claude, [init, ...launch, ...rest]);
      const types = events.map(({ type }) => type);
      expect(events.find(({ type }) => type === "skill")).toMatchObject({
        path: "/repo/skills/greeter/SKILL.md",
        line: 3,
      });
      if (rest.length > 0) expect(types.indexOf("skill")).toBeLessThan(types.indexOf("agent"));
    }
  });

  it("that could not be loaded has failed", () => {
    const unknown = answer("Unknown skill: greeter", { isError: true });
    const { of } = translateRun(claude, [init, use("Skill", { skill: "greeter" }), unknown, base, success]);
    expect(of("skill")).toMatchObject([{ isSuccess: false, path: "/repo/skills/greeter/SKILL.md" }]);
  });
});
