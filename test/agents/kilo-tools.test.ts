import { expect, it } from "vitest";
import { kilo } from "../../src/agents/kilo/definition.js";
import { translateRun } from "../support/translated-run.js";

function call(tool: string, input: object, state: object = {}) {
  return {
    type: "tool_use",
    sessionID: "ses_1",
    part: { tool, callID: "c1", state: { status: "completed", input, ...state } },
  };
}

it("searches by meaning", () => {
  const told = translateRun(kilo, [
    call("semantic_search", { query: "where is login", path: "src" }),
    call("codesearch", { query: "useEffect" }),
  ]);
  expect(told.of("search")).toMatchObject([
    { query: "where is login", path: "/repo/src", isSuccess: true },
    { query: "useEffect" },
  ]);
});

it("starts the sessions that the agent manager is asked for, known by name", () => {
  const tasks = [
    { name: "Fix login", prompt: "…" },
    { branchName: "docs", prompt: "…" },
    { prompt: "nameless" },
  ];
  const metadata = { action: "start", requestID: "am-1", count: 3 };
  const told = translateRun(kilo, [call("agent_manager", { mode: "worktree", tasks }, { metadata })]);
  expect(
    told.of("orchestration").map(({ action, subagentName, isSuccess }) => [action, subagentName, isSuccess]),
  ).toEqual([
    ["subagent_started", "Fix login", undefined],
    ["subagent_started", "docs", undefined],
  ]);
  expect(told.of("unknown")).toEqual([]);
  const failed = translateRun(kilo, [
    call("agent_manager", { mode: "local", tasks }, { status: "error", error: "no editor" }),
  ]);
  expect(failed.of("orchestration").map(({ action }) => action)).toEqual([
    "subagent_failed",
    "subagent_failed",
  ]);
});

it("leaves what starts no session unknown", () => {
  const turnedDown = call(
    "agent_manager",
    { tasks: [{ name: "a" }] },
    { metadata: { action: "start", count: 0 } },
  );
  expect(translateRun(kilo, [turnedDown]).of("unknown")).toHaveLength(1);
  for (const input of [{ action: "list" }, { action: "stop", sessionID: "ses_2" }]) {
    expect(translateRun(kilo, [call("agent_manager", input)]).of("unknown")).toHaveLength(1);
  }
});

it("starts commands in the background without saying how they end", () => {
  const input = { action: "start", command: "npm run dev", workdir: "web" };
  const told = translateRun(kilo, [
    call("background_process", input, { metadata: { processID: "bgp_1", status: "running" } }),
  ]);
  expect(told.of("tool_end")).toMatchObject([{ isSuccess: true }]);
  const [command] = told.of("command");
  expect(command).toMatchObject({ command: "npm run dev", workingDirectory: "/repo/web", callId: "c1" });
  expect(command).not.toHaveProperty("isSuccess");
});

/* The records of the next three tests are from the source of 7.4.23 (`packages/opencode/src/kilocode/tool/`), not recorded. */
it("does not say how a command in the background ends, however far it is", () => {
  const input = { action: "start", command: "npm run dev", ready: { pattern: "listening" } };
  for (const status of ["starting", "ready", "exited"]) {
    const metadata = { processID: "bgp_1", status };
    const [command] = translateRun(kilo, [call("background_process", input, { metadata })]).of("command");
    expect(command).toMatchObject({ command: "npm run dev", callId: "c1" });
    expect(command).not.toHaveProperty("isSuccess");
  }
});

it("has failed to run a command that was not started, although the call is completed", () => {
  const input = { action: "start", command: "npm run dev" };
  for (const metadata of [{}, { processID: "bgp_1", status: "failed" }]) {
    const told = translateRun(kilo, [call("background_process", input, { metadata })]);
    expect(told.of("command")).toMatchObject([{ command: "npm run dev", isSuccess: false }]);
    expect(told.of("tool_end")).toMatchObject([{ isSuccess: false }]);
  }
  const asked = call("background_process", { action: "list" }, { metadata: { count: 0 } });
  expect(translateRun(kilo, [asked]).of("tool_end")).toMatchObject([{ isSuccess: true }]);
});

it("writes images, and reads the exit code of an interactive terminal", () => {
  const input = { prompt: "A cat", path: "cat" };
  const told = translateRun(kilo, [
    call("generate_image", input, { metadata: { format: "png", filepath: "/repo/cat.png" } }),
    call("generate_image", input, { metadata: { provider: "kilo", error: "no-image" } }),
    call("interactive_terminal", { command: "npm login" }, { metadata: { exitCode: 1, closedBy: "exit" } }),
  ]);
  expect(told.of("write").map(({ path, isSuccess }) => [path, isSuccess])).toEqual([
    ["/repo/cat.png", true],
    ["/repo/cat", false],
  ]);
  expect(told.of("command")).toMatchObject([{ command: "npm login", exitCode: 1, isSuccess: false }]);
});

it("names the session of a subagent in the input or in the result", () => {
  const input = { name: "reviewer", sessionId: "ses_2" };
  const flat = { type: "tool_use", tool: "task", status: "completed", input };
  for (const record of [flat, call("task", input), call("task", { name: "reviewer" }, { metadata: input })]) {
    expect(translateRun(kilo, [record]).of("orchestration")).toMatchObject([
      { action: "subagent_completed", subagentId: "ses_2", subagentName: "reviewer", isSuccess: true },
    ]);
  }
});

it("reports some errors as a sentence", () => {
  const error = "run ended with an auto-rejected permission; pass --auto for autonomous use";
  const told = translateRun(kilo, [
    { type: "step_finish", part: { reason: "stop" } },
    { type: "error", error },
  ]);
  expect(told.of("error")).toMatchObject([{ message: error }]);
  expect(told.result).toMatchObject({ isSuccess: false, failure: { kind: "permission" } });
});
