import { describe, expect, it } from "vitest";
import { cursor } from "../../src/agents/cursor/definition.js";
import { translateRun } from "../support/translated-run.js";
import { unified } from "../support/unified.js";

describe("the lines of Cursor", () => {
  const init = { type: "system", subtype: "init", session_id: "s-42", model: "gpt-5.2", cwd: "/home/user" };
  const call = (subtype: string | undefined, tool: object) => ({
    type: "tool_call",
    ...(subtype !== undefined && { subtype }),
    call_id: "c-1",
    tool_call: { readToolCall: tool },
    session_id: "s-42",
  });
  const args = { path: "src/main.rs" };
  const result = {
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 2000,
    result: "Task completed",
    session_id: "s-42",
  };

  it("says who it is, where, and with which model", () => {
    expect(unified(cursor, [init])[0]).toEqual({
      type: "SessionStart",
      session_id: "s-42",
      agent: "cursor",
      model: "gpt-5.2",
      cwd: "/home/user",
    });
  });

  it("emits its message", () => {
    const content = [{ type: "text", text: "I found the bug" }];
    const said = { type: "assistant", message: { role: "assistant", content }, session_id: "s-42" };
    expect(translateRun(cursor, [init, said, result]).of("agent")[0]?.message).toBe("I found the bug");
  });

  it("reports a call with its input, its outcome and its output", () => {
    const told = translateRun(cursor, [
      init,
      call("started", { args }),
      call("completed", { args, result: { success: { content: "fn main(){}" } } }),
      result,
    ]);
    expect(told.of("tool_start")).toMatchObject([{ callId: "c-1", input: args }]);
    expect(told.of("tool_end")).toMatchObject([{ callId: "c-1", isSuccess: true }]);
    expect(JSON.stringify(told.of("tool_end")[0]?.output)).toContain("fn main(){}");
    expect(told.of("read")).toMatchObject([{ path: "/home/user/src/main.rs", isSuccess: true }]);
  });

  it("believes the absolute path that a result reports", () => {
    const done = (path: string) => call("completed", { args, result: { success: { content: "", path } } });
    const read = (path: string) => translateRun(cursor, [init, done(path), result]).of("read")[0]?.path;
    expect(read("/elsewhere/src/main.rs")).toBe("/elsewhere/src/main.rs");
    expect(read("src/main.rs")).toBe("/home/user/src/main.rs");
    expect(read("/elsewhere/other.rs")).toBe("/home/user/src/main.rs");
  });

  it("takes the path of a call without arguments from its result", () => {
    const told = (tool: string, path: string) => {
      const done = { [tool]: { result: { success: { path, linesAdded: 1 } } } };
      return translateRun(cursor, [init, { ...call("completed", {}), tool_call: done }, result]);
    };
    expect(told("writeToolCall", "/tmp/a.txt").of("write")).toMatchObject([{ path: "/tmp/a.txt" }]);
    expect(told("grepToolCall", "/tmp").of("unknown")).toHaveLength(1);
  });

  it("knows a tool whose key has another form", () => {
    const tool_call = { frob: { args: { level: 3 }, result: { success: {} } }, startedAtMs: "1" };
    const told = translateRun(cursor, [init, { ...call("completed", {}), tool_call }, result]);
    expect(told.of("tool_end")).toMatchObject([{ name: "frob", isSuccess: true }]);
    expect(told.of("unknown")).toHaveLength(1);
  });

  it("knows the directory of a command from its result", () => {
    const shell = (command: string, workingDirectory: string) => ({
      ...call("completed", {}),
      tool_call: {
        shellToolCall: {
          args: { command, workingDirectory: "" },
          result: { success: { command, workingDirectory, exitCode: 0, stdout: "" } },
        },
      },
    });
    const told = (command: string, directory: string) =>
      translateRun(cursor, [init, shell(command, directory), result]);
    expect(told("cat a.rs", "/home/user/src").of("read")).toMatchObject([{ path: "/home/user/src/a.rs" }]);
    expect(told("make", "/home/user/src").of("command")).toMatchObject([
      { workingDirectory: "/home/user/src" },
    ]);
    expect(told("make", "/home/user").of("command")[0]).not.toHaveProperty("workingDirectory");
  });

  it.each(["error", "rejected", "fileNotFound", "writePermissionDenied", "invalidFile", "spawnError"])(
    "reports a call whose result is %s as failed",
    (variant) => {
      const done = call("completed", { args, result: { [variant]: { message: "no" } } });
      expect(translateRun(cursor, [init, done, result]).of("tool_end")).toMatchObject([
        { isSuccess: false, output: "no" },
      ]);
    },
  );

  it("reports a call that failed", () => {
    const failed = { args, result: { error: { errorMessage: "no such file" } } };
    const told = translateRun(cursor, [init, call("started", { args }), call("completed", failed), result]);
    expect(told.of("tool_end")).toMatchObject([{ isSuccess: false }]);
  });

  it("ends with its own numbers", () => {
    expect(unified(cursor, [init, result]).at(-1)).toMatchObject({
      success: true,
      text: "Task completed",
      duration_ms: 2000,
    });
  });

  it("keeps a call without a subtype, and a record without a type, as unknown", () => {
    const odd = [call(undefined, { args }), { subtype: "init", session_id: "s1" }];
    const told = translateRun(cursor, [init, ...odd, result]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual(odd);
    expect(told.result.isSuccess).toBe(true);
  });

  it("emits the prompt that it repeats as the user's, once, and never as an answer", () => {
    const asked = { type: "user", message: { role: "user", content: [{ type: "text", text: "say hello" }] } };
    const messages = translateRun(cursor, [init, asked, result]).of("agent");
    expect(messages.filter(({ role }) => role === "user").length).toBeLessThanOrEqual(1);
    expect(messages.filter(({ message, role }) => message === "say hello" && role !== "user")).toEqual([]);
  });
});
