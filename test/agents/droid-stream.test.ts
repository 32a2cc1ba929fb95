import { describe, expect, it } from "vitest";
import { droid } from "../../src/agents/droid/definition.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const linesOf = (scenario: string) => readCapture("droid", scenario).stdout;
const call = (toolName: string, parameters: object) => ({
  type: "tool_call",
  id: "1",
  toolId: toolName,
  toolName,
  parameters,
});
const result = (rest: object) => ({ type: "tool_result", id: "1", isError: false, ...rest });

describe("the end of a run of Droid", () => {
  it("is no success without its completion, though it exits with 0 on SIGTERM", () => {
    expect(translateRun(droid, linesOf("0.225.2-slowkill")).result.isSuccess).toBe(false);
    expect(translateRun(droid, linesOf("0.225.2-text").slice(0, -1)).result).toMatchObject({
      isSuccess: false,
      text: expect.stringContaining("Hello"),
    });
  });

  it("is a failure reported once, with the cause", () => {
    const told = translateRun(
      droid,
      [
        { type: "error", source: "agent_loop", message: "401 Incorrect API key provided: sk-test." },
        { type: "error", source: "cli", message: "Exec failed" },
      ],
      { ended: { exitCode: 1 } },
    );
    expect(told.of("error").map(({ code }) => code)).toEqual([undefined, "process_error"]);
    expect(told.result.failure).toMatchObject({
      kind: "auth",
      message: "401 Incorrect API key provided: sk-test.",
    });
  });

  it("is a denied permission that Droid prints as an answer", () => {
    const told = translateRun(droid, linesOf("0.225.2-nopermission"), { ended: { exitCode: 1 } });
    expect(told.of("agent")).toEqual([]);
    expect(told.of("error").map(({ code }) => code)).toEqual([undefined, "process_error"]);
    expect(told.result.failure?.kind).toBe("permission");
  });

  it("is a failure when there is no cause before `Exec failed`", () => {
    const told = translateRun(droid, [{ type: "error", source: "cli", message: "Exec failed" }]);
    expect(told.of("error")).toMatchObject([{ message: "Exec failed" }]);
    expect(told.result.failure?.message).toBe("Exec failed");
  });

  it("is a success when an error was followed by the completion", () => {
    const told = translateRun(droid, [
      { type: "error", source: "agent_loop", message: "Connection error." },
      { type: "completion", finalText: "Done." },
    ]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
  });
});

describe("reasoning of Droid", () => {
  const reasoning = (id: string, text: string) => ({ type: "reasoning", id, text });
  const message = { type: "message", role: "assistant", id: "a", text: "Yes." };

  it("is printed twice and emitted once", () => {
    const told = translateRun(droid, linesOf("0.225.2-thinking"));
    expect(told.of("thinking").map(({ message: words }) => words)).toEqual([
      "I ponder the question.",
      "More thinking 🤔.",
    ]);
  });

  it("is emitted once when something else comes between", () => {
    const told = translateRun(droid, [reasoning("a", "Hm."), message, reasoning("a", "Hm.")]);
    expect(told.of("thinking")).toHaveLength(1);
  });

  it("with the same words later is emitted again", () => {
    const told = translateRun(droid, [
      reasoning("a", "Hm."),
      reasoning("a", "Hm."),
      message,
      reasoning("b", "Hm."),
      reasoning("b", "Hm."),
    ]);
    expect(told.of("thinking")).toHaveLength(2);
  });

  it("that is printed once is emitted", () => {
    const told = translateRun(droid, [reasoning("a", "One."), reasoning("a", "Two."), message]);
    expect(told.of("thinking").map(({ message: words }) => words)).toEqual(["One.", "Two."]);
  });
});

describe("calls of Droid", () => {
  it("have the exit code that their output ends with, whatever a command prints", () => {
    const told = translateRun(droid, [
      call("Execute", { command: "./fake" }),
      result({ value: "x\n[Process exited with code 3]\n\n\n[Process exited with code 0]" }),
    ]);
    expect(told.of("command")).toMatchObject([{ exitCode: 0, isSuccess: true }]);
  });

  it("that a signal ended failed, without an exit code", () => {
    const told = translateRun(droid, [
      call("Execute", { command: "sleep 9" }),
      result({
        isError: true,
        error: { type: "tool_error", message: "Error: Command terminated by signal: SIGTERM" },
      }),
    ]);
    expect(told.of("command")[0]).toMatchObject({ isSuccess: false });
    expect(told.of("command")[0]).not.toHaveProperty("exitCode");
  });

  it("that took too long failed, though Droid calls that no error", () => {
    const told = translateRun(droid, linesOf("0.225.2-timeout"));
    expect(told.of("command").map(({ isSuccess, exitCode }) => [isSuccess, exitCode])).toEqual([
      [false, undefined],
      [false, undefined],
      [false, 137],
      [true, 0],
    ]);
  });

  it("that go on in the background have no outcome", () => {
    const told = translateRun(droid, linesOf("0.225.2-background"));
    expect(told.of("command").at(-1)).not.toHaveProperty("isSuccess");
  });

  it("that glob for several patterns are as many searches", () => {
    const told = translateRun(droid, [
      call("Glob", { patterns: ["*.md", "*.ts"], folder: "/repo/src" }),
      result({ value: "" }),
    ]);
    expect(told.of("search")).toMatchObject([
      { query: "*.md", path: "/repo/src" },
      { query: "*.ts", path: "/repo/src" },
    ]);
  });

  it("that start a subagent nobody waits for do not end it", () => {
    const told = translateRun(droid, [
      call("Task", { subagent_type: "worker", await: false }),
      result({ value: "started" }),
    ]);
    expect(told.of("orchestration").map(({ action }) => action)).toEqual(["subagent_started"]);
  });
});
