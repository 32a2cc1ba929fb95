import { describe, expect, it } from "vitest";
import { gemini } from "../../src/agents/gemini/definition.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "init", session_id: "g-1", model: "gemini-2.5-pro" };
const result = { type: "result", status: "success", stats: {} };
const notice = "MCP issues detected. Run /mcp list for status.";

describe("gemini: records that are glued to other text", () => {
  it("uses the first record after a notice, and keeps the notice", () => {
    const told = translateRun(gemini, [notice + JSON.stringify(init), result]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([notice]);
    expect(told.of("session")).toMatchObject([{ sessionId: "g-1", model: "gemini-2.5-pro" }]);
    expect(told.result.isSuccess).toBe(true);
  });

  it.each([
    { type: "init", session_id: "g-1" },
    { type: "message", role: "assistant", content: "Hi." },
    { type: "tool_use", tool_id: "t1", tool_name: "read_file", parameters: { file_path: "a" } },
    { type: "tool_result", tool_id: "nobody", status: "success" },
    { type: "message", role: "other" },
    { type: "error" },
    result,
  ])("loses nothing of %j", (record) => {
    const told = translateRun(gemini, [init, notice + JSON.stringify(record)]);
    const alone = translateRun(gemini, [init, record]);
    expect(told.events.map(({ type }) => type).filter((type) => type !== "unknown")).toEqual(
      alone.events.map(({ type }) => type).filter((type) => type !== "unknown"),
    );
    expect(told.of("unknown")).toHaveLength(alone.of("unknown").length + 1);
  });

  it("keeps a line whose end is not a record of this stream", () => {
    for (const line of [`${notice}{"type":"other"}`, `${notice}{"type":"init"`, notice]) {
      const told = translateRun(gemini, [line, init, result]);
      expect(told.of("unknown").map(({ raw }) => raw)).toEqual([line]);
    }
  });
});
