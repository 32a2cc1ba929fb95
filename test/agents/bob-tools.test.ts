import { describe, expect, it } from "vitest";
import { bob } from "../../src/agents/bob/definition.js";
import { translateRun } from "../support/translated-run.js";

function done(tool_name: string, parameters: object, end: object) {
  return translateRun(bob, [
    { type: "tool_use", tool_name, tool_id: "t1", parameters },
    { type: "tool_result", tool_id: "t1", ...end },
    { type: "result", status: "success", stats: {} },
  ]);
}

describe("bob: tools", () => {
  it("does not claim that a command in the background has succeeded", () => {
    const end = { status: "success", output: "started" };
    expect(done("execute_command", { command: "npm start", background: true }, end).of("command")).toEqual([
      expect.not.objectContaining({ isSuccess: true }),
    ]);
    expect(
      done("execute_command", { command: "npm test", background: false }, end).of("command"),
    ).toMatchObject([{ isSuccess: true }]);
  });

  it("keeps a tool that is no operation once, when it has ended", () => {
    const told = done("mcp__demo__add", { a: 2 }, { status: "success", output: "4" });
    expect(told.of("tool_end")).toMatchObject([{ name: "mcp__demo__add", isSuccess: true, output: "4" }]);
    expect(told.of("unknown")).toMatchObject([{ raw: { type: "tool_result" } }]);
  });
});
