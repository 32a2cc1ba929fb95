import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "system", subtype: "init", model: "claude-sonnet-4-5", cwd: "/repo" };
const success = { type: "result", subtype: "success", is_error: false, result: "Done." };
const use = (id: string, name: string, input: object, parent?: string) => ({
  type: "assistant",
  parent_tool_use_id: parent ?? null,
  message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
});
const answer = (id: string, more: { details?: object; isError?: boolean; parent?: string } = {}) => ({
  type: "user",
  parent_tool_use_id: more.parent ?? null,
  message: {
    content: [{ type: "tool_result", tool_use_id: id, content: "…", is_error: more.isError ?? false }],
  },
  ...(more.details && { tool_use_result: more.details }),
});
const task = (subtype: string, id: string, more: object = {}) => ({
  type: "system",
  subtype,
  task_id: id,
  ...more,
});
const started = (id: string, callId: string, more: object = {}) =>
  task("task_started", id, {
    tool_use_id: callId,
    task_type: "local_agent",
    subagent_type: "Explore",
    ...more,
  });
const notified = (id: string, status: string) => task("task_notification", id, { status });
const input = { subagent_type: "Explore", prompt: "look" };

function orchestrations(...records: object[]) {
  return translateRun(claude, [init, ...records, success]).of("orchestration");
}

describe("a subagent of Claude Code that no `task_started` announces (2.0)", () => {
  const prompt = {
    type: "user",
    parent_tool_use_id: "t1",
    message: { content: [{ type: "text", text: "look" }] },
  };

  it("starts with the first line of its own, and ends with its call", () => {
    const { events } = translateRun(claude, [
      init,
      use("t1", "Task", input),
      prompt,
      use("b1", "Bash", { command: "npm test" }, "t1"),
      answer("b1", { parent: "t1" }),
      answer("t1", { details: { status: "completed", agentId: "a1" } }),
      success,
    ]);
    const told = events.filter(({ type }) => /^(?:orchestration|tool_start|command)$/.test(type));
    expect(told).toMatchObject([
      { type: "tool_start", callId: "t1" },
      { type: "orchestration", action: "subagent_started", subagentName: "Explore", callId: "t1", line: 3 },
      { type: "tool_start", callId: "b1", parentCallId: "t1" },
      { type: "command", parentCallId: "t1" },
      {
        type: "orchestration",
        action: "subagent_completed",
        subagentId: "a1",
        callId: "t1",
        isSuccess: true,
      },
    ]);
    expect(told[1]).not.toHaveProperty("parentCallId");
  });

  it("starts at the latest when its call has succeeded", () => {
    expect(orchestrations(use("t1", "Task", input), answer("t1"))).toMatchObject([
      { action: "subagent_started", subagentName: "Explore", callId: "t1" },
      { action: "subagent_completed", subagentName: "Explore", callId: "t1" },
    ]);
  });

  it("has not started when its call was refused", () => {
    expect(orchestrations(use("t1", "Task", input), answer("t1", { isError: true }))).toMatchObject([
      { action: "subagent_failed", callId: "t1", isSuccess: false },
    ]);
  });

  it("is started once, whichever sign comes first", () => {
    const records = [use("t1", "Task", input), prompt, started("a1", "t1"), prompt, answer("t1")];
    expect(orchestrations(...records)).toMatchObject([
      { action: "subagent_started" },
      { action: "subagent_completed", subagentId: "a1" },
    ]);
    const usual = [use("t1", "Agent", input), started("a1", "t1"), prompt, answer("t1")];
    expect(orchestrations(...usual)).toMatchObject([
      { action: "subagent_started", subagentId: "a1" },
      { action: "subagent_completed", subagentId: "a1" },
    ]);
  });

  it("goes on in the background when its call has returned at once", () => {
    const launched = answer("t1", { details: { isAsync: true, agentId: "a1" } });
    expect(orchestrations(use("t1", "Task", input), launched, notified("a1", "completed"))).toMatchObject([
      { action: "subagent_started", subagentId: "a1" },
      { action: "subagent_completed", subagentId: "a1" },
    ]);
  });
});

describe("a subagent of a subagent", () => {
  it("belongs to the call of the outer one, from its start to its end (2.1.325)", () => {
    const events = orchestrations(
      use("t1", "Agent", input),
      started("a1", "t1"),
      started("a2", "t2", { spawn_depth: 2, parent_task_id: "a1" }),
      notified("a2", "completed"),
      notified("a1", "completed"),
    );
    expect(events.map(({ subagentId, parentCallId }) => [subagentId, parentCallId])).toEqual([
      ["a1", undefined],
      ["a2", "t1"],
      ["a2", "t1"],
      ["a1", undefined],
    ]);
  });

  it("belongs to it by its own call, where no parent is named", () => {
    const events = orchestrations(
      use("t1", "Agent", input),
      started("a1", "t1"),
      use("t2", "Agent", input, "t1"),
      started("a2", "t2"),
      answer("t2", { parent: "t1" }),
      answer("t1"),
    );
    expect(events.map(({ action, parentCallId }) => [action, parentCallId])).toEqual([
      ["subagent_started", undefined],
      ["subagent_started", "t1"],
      ["subagent_completed", "t1"],
      ["subagent_completed", undefined],
    ]);
  });
});
