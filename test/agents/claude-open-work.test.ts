import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const system = (subtype: string, more: object = {}) => ({ type: "system", subtype, ...more });
const init = system("init", { model: "claude-sonnet-4-5", cwd: "/repo" });
const result = (text: string, more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: text,
  ...more,
});
const task = (id: string, more: object = {}) => ({
  task_id: id,
  task_type: "local_bash",
  description: `task ${id}`,
  ...more,
});
const listed = (...tasks: object[]) => system("background_tasks_changed", { tasks });
const started = (id: string, more: object = {}) => system("task_started", task(id, more));
const notified = (id: string, status: string) => system("task_notification", task(id, { status }));

/** What the translator holds of the run after each record. */
function follow(records: readonly (object | string)[]) {
  const translator = createFramedTranslator(claude);
  translator.start();
  return records.map((record) => {
    translator.line(typeof record === "string" ? record : JSON.stringify(record));
    return { isDone: translator.isDone, openWork: translator.openWork };
  });
}

/** After which lines of a capture the run was taken for done. */
function doneIn(scenario: string): string[] {
  const { stdout } = readCapture("claude", scenario);
  const states = follow(stdout);
  return stdout.flatMap((line, at) => (states[at]?.isDone ? [kindOf(line)] : []));
}

function kindOf(line: string): string {
  const { type, subtype } = JSON.parse(line);
  return type === "system" ? subtype : type;
}

describe("a result of Claude Code", () => {
  it("is not its final message while a task is listed", () => {
    const states = follow([init, listed(task("a"), task("b")), result("Wait."), listed(task("b")), listed()]);
    expect(states.map(({ isDone }) => isDone)).toEqual([false, false, false, false, true]);
    expect(states[2]?.openWork).toEqual(["task a", "task b"]);
  });

  it("is not its final message while a task that began has not ended, where none are listed", () => {
    const states = follow([init, started("a"), result("Wait."), notified("a", "completed")]);
    expect(states.map(({ isDone }) => isDone)).toEqual([false, false, false, true]);
  });

  it("is not its final message when a task begins in the background and is not listed yet", () => {
    const begun = started("a", { is_backgrounded: true });
    expect(follow([init, listed(), begun, result("Wait.")]).at(-1)?.isDone).toBe(false);
  });

  it.each(["completed", "failed", "stopped", "killed"])(
    "waits no longer for a task that has %s",
    (status) => {
      const patch = system("task_updated", { task_id: "a", patch: { status } });
      expect(follow([init, started("a"), result("Wait."), patch]).at(-1)?.isDone).toBe(true);
    },
  );

  it("may be an error, and still not be the final message", () => {
    const failed = result("API Error: 500", { is_error: true });
    const states = follow([init, listed(task("a")), failed, listed()]);
    expect(states.map(({ isDone }) => isDone)).toEqual([false, false, false, true]);
  });

  it("is the final message when only the foreground, or nothing but housekeeping, was at work", () => {
    expect(follow([init, started("a", { is_backgrounded: false }), result("Done.")]).at(-1)?.isDone).toBe(
      true,
    );
    expect(follow([init, listed(task("a", { ambient: true })), result("Done.")]).at(-1)?.isDone).toBe(true);
  });

  it("is the final message when the list is empty, although an end was missed", () => {
    const states = follow([init, listed(task("a")), started("a"), listed(), result("Done.")]);
    expect(states.at(-1)?.isDone).toBe(true);
  });

  it.each([[{}], [{ tasks: null }], [{ tasks: [null, 3, "a", {}] }]])("survives the list %j", (more) => {
    expect(() => follow([init, system("background_tasks_changed", more), result("Done.")])).not.toThrow();
  });
});

describe("a wake-up of Claude Code", () => {
  const call = (id: string, input: object) => ({
    type: "assistant",
    message: { id: `m${id}`, content: [{ type: "tool_use", id, name: "ScheduleWakeup", input }] },
  });
  const answer = (id: string, details: object) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "…" }] },
    tool_use_result: details,
  });
  const set = [
    call("1", { delaySeconds: 60, reason: "the CI" }),
    answer("1", { scheduledFor: 1794840360000 }),
  ];
  const woken = { type: "command_lifecycle", state: "started", wakeup_source: "loop_wakeup" };

  it("is waited for", () => {
    const states = follow([init, ...set, result("Later."), woken, init, result("The CI is green.")]);
    expect(states[3]).toEqual({ isDone: false, openWork: ["a wake-up (the CI)"] });
    expect(states.at(-1)).toEqual({ isDone: true, openWork: [] });
  });

  it("is not waited for when it was cancelled, or never set", () => {
    const cancel = [call("2", { stop: true }), answer("2", { scheduledFor: 0, stopped: true })];
    expect(follow([init, ...set, ...cancel, result("Stopped.")]).at(-1)?.isDone).toBe(true);
    const refused = [call("1", { delaySeconds: 60 }), answer("1", { scheduledFor: 0 })];
    expect(follow([init, ...refused, result("No.")]).at(-1)?.isDone).toBe(true);
  });
});

describe("a run of Claude Code with several results", () => {
  const usage = (tokens: number) => ({ usage: { input_tokens: tokens, output_tokens: 1 } });
  const all = (tokens: number, outputTokens: number) => ({
    modelUsage: { sonnet: { inputTokens: tokens, outputTokens } },
  });

  it("has the outcome, the text, the tokens and the cost of all of them", () => {
    const { result: end, of } = translateRun(claude, [
      init,
      result("I will report.", { ...usage(100), ...all(100, 1), total_cost_usd: 0.01 }),
      init,
      result("It failed.", { ...usage(30), ...all(130, 2), total_cost_usd: 0.013 }),
    ]);
    expect(end).toMatchObject({ isSuccess: true, text: "It failed.", costUsd: 0.013 });
    expect(of("usage")).toMatchObject([{ inputTokens: 130, outputTokens: 2, scope: "run" }]);
  });

  it("has succeeded when only an earlier one was an error", () => {
    const failed = result("", { is_error: true, subtype: "error_max_turns" });
    const { result: end, of } = translateRun(claude, [
      init,
      listed(task("a")),
      failed,
      listed(),
      init,
      result("Done."),
    ]);
    expect(end).toMatchObject({ isSuccess: true, text: "Done." });
    expect(of("error")).toHaveLength(1);
  });

  it("adds up its own tokens when a resumed session counts earlier ones too", () => {
    const records = [
      init,
      result("One.", { ...usage(100), ...all(1100, 11) }),
      init,
      result("Two.", { ...usage(30), ...all(1130, 12) }),
    ];
    expect(translateRun(claude, records, { isResumed: true }).of("usage")).toMatchObject([
      { inputTokens: 130, outputTokens: 2, scope: "run" },
    ]);
  });

  it("ends with what it had when it exits with a task open, and says which", () => {
    const { result: end, of } = translateRun(claude, [init, listed(task("a")), result("It runs.")]);
    expect(end).toMatchObject({ isSuccess: true, text: "It runs." });
    expect(of("warning")).toMatchObject([{ code: "unfinished", message: expect.stringContaining("task a") }]);
  });

  it("was killed, if it was, while a task was open", () => {
    const ended = { exitCode: null, signal: "SIGKILL" };
    const { result: end, of } = translateRun(claude, [init, listed(task("a")), result("It runs.")], {
      ended,
    });
    expect(end).toMatchObject({ isSuccess: false, failure: { kind: "killed" } });
    expect(of("warning")).toEqual([]);
  });

  it("warns once that a command was stopped after the answer", () => {
    const stops = [
      system("task_updated", { task_id: "a", patch: { status: "killed" } }),
      notified("a", "stopped"),
    ];
    const { of } = translateRun(claude, [init, listed(task("a")), result("It runs."), ...stops, listed()]);
    expect(of("warning")).toMatchObject([
      { code: "background_stopped", message: expect.stringContaining("task a") },
    ]);
    expect(translateRun(claude, [init, listed(task("a")), ...stops, result("Done.")]).of("warning")).toEqual(
      [],
    );
  });
});

describe("in a real run of Claude Code 2.1.325", () => {
  /** Between the end of a task and the next turn. */
  const rest = ["task_notification", "background_tasks_changed"];

  it("a command in the background keeps it from being done until its end is reported", () => {
    expect(doneIn("v2.1.325-background")).toEqual(["task_updated", ...rest, "result"]);
  });

  it("a command that reaches its time limit does so too", () => {
    expect(doneIn("v2.1.325-background-stopped")).toEqual(["task_updated", ...rest, "result"]);
  });

  it("a subagent in the background does so too", () => {
    expect(doneIn("v2.1.325-subagent-late")).toEqual(["result", "result"]);
  });

  it("a wake-up does so too", () => {
    expect(doneIn("v2.1.325-wakeup")).toEqual(["command_lifecycle", "result", "command_lifecycle"]);
  });
});
