import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { translateRun } from "../support/translated-run.js";
import { unified } from "../support/unified.js";

describe("the lines of Claude Code", () => {
  const init = { type: "system", subtype: "init", session_id: "abc-123", model: "opus", cwd: "/tmp" };
  const said = (...content: object[]) => ({ type: "assistant", message: { role: "assistant", content } });
  const text = (words: string) => ({ type: "text", text: words });
  const use = { type: "tool_use", id: "tu-1", name: "Bash", input: { command: "ls" } };
  const returned = (fields: object) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "tu-1", ...fields }] },
  });
  const result = { type: "result", subtype: "success", is_error: false, result: "Done", session_id: "s1" };

  it("says who it is, where, and with which model", () => {
    expect(unified(claude, [init])[0]).toEqual({
      type: "SessionStart",
      session_id: "abc-123",
      agent: "claude",
      model: "opus",
      cwd: "/tmp",
    });
  });

  it("emits what it says before the tool that it calls in the same record", () => {
    const items = unified(claude, [
      init,
      said(text("Let me check"), use),
      returned({ content: "a.txt" }),
      result,
    ]);
    expect(items.slice(1, 4)).toMatchObject([
      { type: "Message", role: "assistant", text: "Let me check" },
      { type: "ToolStart", call_id: "tu-1", tool_name: "Bash", input: '{"command":"ls"}' },
      { type: "ToolEnd", call_id: "tu-1", success: true, output: "a.txt" },
    ]);
  });

  it("reports a tool's failure", () => {
    const failed = returned({ is_error: true, content: "command not found" });
    expect(unified(claude, [init, said(use), failed, result])).toContainEqual({
      type: "ToolEnd",
      call_id: "tu-1",
      success: false,
      output: "command not found",
    });
  });

  it("keeps a result whose call was never seen as unknown", () => {
    const told = translateRun(claude, [init, returned({ content: "late" }), result]);
    expect(JSON.stringify(told.of("unknown"))).toContain("late");
    expect(told.of("tool_end")).toEqual([]);
  });

  it("emits a piece of the answer", () => {
    const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } };
    expect(unified(claude, [{ type: "stream_event", event: delta }])).toContainEqual({
      type: "TextDelta",
      text: "Hi",
    });
  });

  it("ends with its own numbers", () => {
    const numbers = { duration_ms: 1234, total_cost_usd: 0.05 };
    expect(unified(claude, [init, { ...result, ...numbers }]).at(-1)).toMatchObject({
      type: "Result",
      success: true,
      text: "Done",
      duration_ms: 1234,
      total_cost_usd: 0.05,
    });
  });

  it("fails at the limit of turns, and although the subtype says success", () => {
    expect(
      translateRun(claude, [init, { ...result, subtype: "error_max_turns", result: "" }]).result,
    ).toMatchObject({
      isSuccess: false,
      failure: { kind: "max_turns" },
    });
    expect(translateRun(claude, [init, { ...result, is_error: true }]).result.isSuccess).toBe(false);
  });

  it("says nothing when there is nothing to say, and shows the blocks that nobody knows", () => {
    expect(translateRun(claude, [init, said(), result]).of("agent")).toEqual([]);
    const told = translateRun(claude, [init, said({ type: "image", source: "img.png" }, text("Hi")), result]);
    expect(told.of("agent").map(({ message }) => message)).toContain("Hi");
    expect(told.of("unknown")).toHaveLength(1);
  });
});
