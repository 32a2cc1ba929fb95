import { describe, expect, it } from "vitest";
import { run } from "../../src/live/run.js";
import { collect, finish, ofType, program, start, temporaryDirectory, testAgent } from "./test-agent.js";

function refusalOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

describe("a task that cannot be right is refused before anything is started", () => {
  it.each([
    [{ permissions: "read-only" as const }, "unsupported_option", /Test Agent .*read-only permissions/],
    [{ systemPrompt: "x" }, "unsupported_option", /Test Agent .*a system prompt/],
    [{ appendSystemPrompt: "x" }, "unsupported_option", /appendSystemPrompt/],
    [{ maxTurns: 1 }, "unsupported_option", /maxTurns/],
    [{ maxBudgetUsd: 1 }, "unsupported_option", /maxBudgetUsd/],
    [{ runId: "../x" }, "invalid_option", /runId must be letters/],
    [{ timeoutMs: 0 }, "invalid_option", /timeoutMs/],
    [{ idleTimeoutMs: Number.NaN }, "invalid_option", /idleTimeoutMs/],
    [{ maxLineBytes: Number.POSITIVE_INFINITY }, "invalid_option", /maxLineBytes/],
    [{ maxLineBytes: 1.5 }, "invalid_option", /maxLineBytes/],
    [{ prompt: " \n" }, "empty_prompt", /prompt/],
    [{ model: "" }, "empty_model", /model/],
    [{ agent: "nobody" }, "unknown_agent", /nobody/],
  ])("%o", (task, code, message) => {
    expect(refusalOf(() => start("talk", task))).toMatchObject({
      name: "HarnessError",
      code,
      message: expect.stringMatching(message),
    });
  });

  it("a run id that is taken", async () => {
    const first = await finish("talk", { runId: "taken" });
    const again = () => start("talk", { runId: "taken", sessionsDirectory: first.sessions });
    expect(refusalOf(again)).toMatchObject({ code: "run_id_taken" });
  });

  it("a run id that is under way", async () => {
    const { run: first } = start("hang", { runId: "under-way", log: false });
    expect(refusalOf(() => start("talk", { runId: "under-way", log: false }))).toMatchObject({
      code: "run_id_taken",
    });
    first.cancel();
    await first.result;
  });

  it("a definition that cannot plan the task", () => {
    const launch = () => {
      throw new Error("no idea");
    };
    expect(refusalOf(() => start("talk", { agent: { ...testAgent, launch } }))).toMatchObject({
      code: "launch_failed",
      message: expect.stringContaining("no idea"),
    });
  });
});

describe("what cannot be started is told by the events, ends as every run does, and is recorded", () => {
  it.each([
    ["a program that is not installed", { binary: undefined }, "not_installed", /npm install -g test-agent/],
    ["a directory that is not there", { cwd: "/no/such/directory" }, "config", /does not exist/],
    ["a program for another processor", { binary: program("for-another-processor") }, "config", /processor/],
    ["too large an environment", { env: { LARGE: "x".repeat(8_000_000) } }, "config", /too large/],
    ["a NUL in an argument", { extraArgs: ["a\0b"] }, "config", /NUL/],
  ])("%s", async (_name, task, kind, message) => {
    const { events, result, run: started } = await finish("talk", task);
    expect(events.map((event) => event.type)).toEqual(["started", "error", "result", "exited"]);
    const failure = { kind, message: expect.stringMatching(message) };
    expect(result).toMatchObject({ isSuccess: false, exitCode: null, reason: "failed", failure });
    expect(ofType(events, "result")[0]).toMatchObject({ isSuccess: false, failure });
    expect(started.pid).toBeUndefined();
    expect(result.recording).toBeDefined();
  });

  it("never starts what is cancelled beforehand", async () => {
    const { events, result } = await finish("talk", { signal: AbortSignal.abort() });
    expect(events.map((event) => event.type)).toEqual(["started", "error", "result", "exited"]);
    expect(result).toMatchObject({ reason: "cancelled", failure: { kind: "cancelled" } });
  });
});

it("finds an agent by its name, and says how to install it", async () => {
  const path = process.env["PATH"];
  const r = run({
    agent: "claude",
    prompt: "x",
    env: { PATH: "/nowhere" },
    sessionsDirectory: temporaryDirectory(),
  });
  const events = await collect(r);
  expect(process.env["PATH"]).toBe(path);
  expect(ofType(events, "result")[0]?.failure).toMatchObject({ kind: "not_installed" });
});
