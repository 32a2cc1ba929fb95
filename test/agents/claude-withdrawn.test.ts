import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "system", subtype: "init", model: "claude-sonnet-4-5", cwd: "/repo" };
const success = (result: string) => ({ type: "result", subtype: "success", is_error: false, result });
const partial = (event: object, more: object = {}) => ({ type: "stream_event", event, ...more });
const start = (id: string) =>
  partial({ type: "message_start", message: { id, usage: { input_tokens: 9, output_tokens: 1 } } });
const piece = (words: string) =>
  partial({ type: "content_block_delta", delta: { type: "text_delta", text: words } });
const stop = partial({ type: "message_stop" });
const abandoned = (id: string) =>
  partial({ type: "message_stop" }, { abandoned_blocks: { api_message_id: id, from_block_index: 0 } });
const whole = (id: string, text: string) => ({
  type: "assistant",
  message: { id, role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text }] },
});

describe("an answer of Claude Code that was cut and begun anew", () => {
  it("is withdrawn, has another id than the next try, and has no step of its own (2.1.325)", () => {
    const { of, result } = translateRun(claude, [
      init,
      start("m1"),
      piece("Half an answ"),
      abandoned("m1"),
      start("m1"),
      piece("Half again"),
      abandoned("m1"),
      start("m1"),
      piece("The whole"),
      whole("m1", "The whole answer."),
      stop,
      success("The whole answer."),
    ]);
    expect(of("warning").map(({ code }) => code)).toEqual(["text_withdrawn", "text_withdrawn"]);
    expect(of("text").map(({ messageId }) => messageId)).toEqual(["m1", "m1#2", "m1#3"]);
    expect(of("agent")).toMatchObject([{ message: "The whole answer.", messageId: "m1#3" }]);
    expect(of("usage")).toMatchObject([{ scope: "step", inputTokens: 9, line: 11 }]);
    expect(result.text).toBe("The whole answer.");
  });

  it("keeps the id of the next try if that has one of its own", () => {
    const { of } = translateRun(claude, [
      init,
      start("m1"),
      piece("Half"),
      abandoned("m1"),
      start("m2"),
      piece("All"),
      whole("m2", "All"),
      success("All"),
    ]);
    expect(of("text").map(({ messageId }) => messageId)).toEqual(["m1", "m2"]);
    expect(of("warning")).toHaveLength(1);
  });

  it("is no part of what a run said that then failed", () => {
    const failed = { ...success("API Error: Connection closed."), is_error: true };
    const { of, result } = translateRun(claude, [init, start("m1"), piece("Half"), abandoned("m1"), failed]);
    expect(of("agent")).toEqual([]);
    expect(result).not.toHaveProperty("text");
  });

  it("is withdrawn by another message, where no record says so (2.1.197)", () => {
    for (const next of [[whole("m2", "All")], [start("m2"), piece("All"), whole("m2", "All")]]) {
      const { events, of } = translateRun(claude, [
        init,
        start("m1"),
        piece("Half"),
        ...next,
        success("All"),
      ]);
      expect(of("warning")).toMatchObject([{ code: "text_withdrawn" }]);
      const types = events.map(({ type }) => type);
      expect(types.indexOf("warning")).toBeLessThan(types.indexOf("agent"));
    }
  });

  it("is not withdrawn if nothing of it was streamed, or all of it is a whole message", () => {
    const nothing = [start("m1"), abandoned("m1"), start("m1"), piece("All"), whole("m1", "All"), stop];
    const told = [start("m1"), piece("All"), whole("m1", "All"), abandoned("m1")];
    for (const records of [nothing, told]) {
      const { of } = translateRun(claude, [init, ...records, success("All")]);
      expect(of("warning")).toEqual([]);
      expect(of("agent")).toMatchObject([{ messageId: "m1" }]);
    }
  });
});

describe("a notice that Claude Code itself adds to the conversation", () => {
  const limit = "Weekly limit reached ∙ resets Oct 9, 5pm";
  const notice = (text: string) => ({
    type: "assistant",
    message: { id: "n1", model: "<synthetic>", role: "assistant", content: [{ type: "text", text }] },
  });
  const failed = { ...success(limit), is_error: true };

  it("is reported once if it is the failure of the run", () => {
    const { of, result } = translateRun(claude, [init, notice(limit), failed]);
    expect(of("error")).toMatchObject([{ message: limit }]);
    expect(of("agent")).toEqual([]);
    expect(result.failure?.message).toBe(limit);
  });

  it("is a message of the system otherwise, before what follows it", () => {
    for (const rest of [
      [whole("m1", "Hello."), success("Hello.")],
      [success("No response requested.")],
      [],
    ]) {
      const { of } = translateRun(claude, [init, notice("No response requested."), ...rest]);
      expect(of("agent")[0]).toMatchObject({
        message: "No response requested.",
        role: "system",
        messageId: "n1",
        line: 2,
      });
    }
  });

  it("is not dropped for a failure in other words", () => {
    const { of } = translateRun(claude, [init, notice("Compacted."), failed]);
    expect(of("agent")).toMatchObject([{ message: "Compacted.", role: "system" }]);
    expect(of("error")).toMatchObject([{ message: limit }]);
  });
});
