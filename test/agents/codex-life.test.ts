import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import { readCapture, translateCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const thread = { type: "thread.started", thread_id: "01a1e067-cefa-7fb0-838f-9443d4386d86" };
const turn = { type: "turn.started" };
const done = { type: "turn.completed", usage: { input_tokens: 10, output_tokens: 2 } };
const item = (type: string, fields: object) => ({
  type: "item.completed",
  item: { id: "item_1", type, ...fields },
});

/** The events of a type in a capture. */
function captured<T extends EventType>(scenario: string, type: T): EventOf<T>[] {
  const events = translateCapture(codex, readCapture("codex", scenario)).flatMap((line) => line.events);
  return events.filter((event: HarnessEvent): event is EventOf<T> => event.type === type);
}

describe("a subagent of Codex", () => {
  it("fails when a wait shows that it erred, once", () => {
    expect(captured("subagent-failed", "orchestration")).toMatchObject([
      { action: "subagent_started" },
      { action: "subagent_failed", isSuccess: false },
    ]);
  });

  it("fails when it is closed while it works, and a later wait that misses it adds nothing", () => {
    const [started, failed, ...more] = captured("subagent-closed", "orchestration");
    const close = captured("subagent-closed", "tool_start").find(({ name }) => name === "close_agent");
    expect(started?.action).toBe("subagent_started");
    expect(failed).toMatchObject({
      action: "subagent_failed",
      subagentId: started?.subagentId,
      callId: close?.callId,
    });
    expect(more).toEqual([]);
  });

  it("is known by its task, in every event and in the calls about it", () => {
    const task = "SUBMARK2 read src/util.ts and report";
    expect(captured("subagent", "orchestration")).toMatchObject([
      { action: "subagent_started", subagentName: task },
      { action: "subagent_completed", subagentName: task },
    ]);
    expect(captured("subagent", "tool_start")).toMatchObject([
      { name: "spawn_agent", input: { prompt: task } },
      { name: "wait", input: { task } },
      { name: "close_agent", input: { task } },
    ]);
    expect(captured("subagent", "tool_end").map(({ output }) => output)).toEqual([
      "pending_init",
      "Sub report: util has 20 lines.",
      "Sub report: util has 20 lines.",
    ]);
    expect(captured("subagent-failed", "tool_end").at(-1)).toMatchObject({ output: "errored: nope" });
    expect(captured("subagent-abandoned", "warning").at(-1)?.message).toContain('subagent "SUB-1 late"');
  });

  it("is known by its role if it has one, and by the first line of a long task", () => {
    const spawn = (fields: object) =>
      item("collab_tool_call", {
        tool: "spawn_agent",
        status: "completed",
        receiver_thread_ids: ["t"],
        ...fields,
      });
    const nameOf = (fields: object) =>
      translateRun(codex, [thread, turn, spawn(fields), done]).of("orchestration")[0]?.subagentName;
    expect(nameOf({ prompt: "Read it.", agent_role: "reviewer" })).toBe("reviewer");
    expect(nameOf({ prompt: "Read it.\nThen report." })).toBe("Read it.");
    expect(nameOf({ prompt: "x".repeat(100) })).toBe(`${"x".repeat(80)}…`);
    expect(nameOf({ prompt: null })).toBeUndefined();
  });

  it("is one of several in a call: each has its own line", () => {
    const spawn = (id: string, prompt: string) => ({
      type: "item.completed",
      item: {
        id,
        type: "collab_tool_call",
        tool: "spawn_agent",
        status: "completed",
        receiver_thread_ids: [id],
        prompt,
      },
    });
    const wait = item("collab_tool_call", {
      tool: "wait",
      status: "completed",
      receiver_thread_ids: ["a", "b"],
      agents_states: {
        a: { status: "completed", message: "Left." },
        b: { status: "running", message: null },
      },
    });
    const { of } = translateRun(codex, [
      thread,
      turn,
      spawn("a", "Go left"),
      spawn("b", "Go right"),
      wait,
      done,
    ]);
    expect(of("tool_end").at(-1)?.output).toBe("Go left: Left.\nGo right: running");
    expect(of("tool_start").at(-1)?.input).toMatchObject({ task: "Go left, Go right" });
  });

  it("does not exist because the model waits for it", () => {
    expect(captured("subagent-waitunknown", "orchestration")).toEqual([]);
    expect(captured("subagent-waitunknown", "tool_end")).toMatchObject([{ name: "wait", isSuccess: false }]);
  });

  it("has completed when a resumed thread waits for one that an earlier run started", () => {
    const wait = item("collab_tool_call", {
      tool: "wait",
      status: "completed",
      agents_states: { t: { status: "completed" } },
    });
    expect(translateRun(codex, [thread, turn, wait, done]).of("orchestration")).toMatchObject([
      { action: "subagent_completed", subagentId: "t", isSuccess: true },
    ]);
  });

  it("is in a state that nobody has heard of: nothing ends", () => {
    for (const status of ["constructor", "__proto__", "running"]) {
      const wait = item("collab_tool_call", {
        tool: "wait",
        status: "completed",
        agents_states: { t: { status } },
      });
      expect(translateRun(codex, [thread, turn, wait, done]).of("orchestration")).toEqual([]);
    }
  });
});

describe("an item of Codex", () => {
  it("reports what was searched for when it ends, if it was not known at its start", () => {
    expect(captured("websearch", "tool_start")).toMatchObject([{ input: { query: "" } }]);
    expect(captured("websearch", "tool_end")).toMatchObject([
      { output: { query: "kiwi fruit", action: { type: "search", query: "kiwi fruit" } } },
    ]);
    expect(captured("todo", "tool_end").filter(({ name }) => name === "web_search")).toHaveLength(3);
    expect(
      captured("todo", "tool_end").every((end) => end.name !== "web_search" || end.output === undefined),
    ).toBe(true);
  });

  it("reports an MCP result that is only text as that text", () => {
    expect(captured("mcp", "tool_end")).toMatchObject([
      { name: "mcp__demo__add", isSuccess: true, output: "5" },
      { name: "mcp__demo__fail", isSuccess: false, output: "failed: because" },
    ]);
    const content = [{ type: "text", text: "5" }];
    for (const result of [
      { content, structured_content: { sum: 5 } },
      { content: [{ type: "image", data: "" }] },
    ]) {
      const call = item("mcp_tool_call", { server: "demo", tool: "add", status: "completed", result });
      expect(translateRun(codex, [thread, turn, call, done]).of("tool_end")).toMatchObject([
        { output: result },
      ]);
    }
  });

  it("has no exit code when there was no process", () => {
    const commands = captured("toolerror", "command");
    expect(commands).toMatchObject([{ command: "pwd", isSuccess: false }]);
    expect(commands[0]?.exitCode).toBeUndefined();
  });

  it("that never completes is known by its latest state", () => {
    const items = [{ text: "First", completed: true }];
    const updated = { type: "item.updated", item: { id: "item_1", type: "todo_list", items } };
    const started = { type: "item.started", item: { id: "item_1", type: "todo_list", items: [] } };
    const { of } = translateRun(codex, [thread, turn, started, updated], {
      ended: { exitCode: null, signal: "SIGKILL" },
    });
    expect(of("unknown")).toMatchObject([{ raw: updated }]);
  });

  it("may run while another one does", () => {
    const calls = translateCapture(codex, readCapture("codex", "parallel-slow"))
      .flatMap((line) => line.events)
      .flatMap((event) =>
        event.type === "tool_start" || event.type === "tool_end" ? [`${event.type} ${event.callId}`] : [],
      );
    expect(calls).toEqual([
      "tool_start item_0",
      "tool_end item_0",
      "tool_start item_1",
      "tool_start item_2",
      "tool_end item_1",
      "tool_end item_2",
    ]);
    expect(captured("parallel-slow", "command")).toMatchObject([
      { command: "echo c; exit 3", exitCode: 3, isSuccess: false },
      { command: "sleep 1; echo b", exitCode: 0, isSuccess: true },
      { command: "sleep 2; echo a", exitCode: 0, isSuccess: true },
    ]);
  });

  it("of a patch that moves a file names both paths, where both are reported", () => {
    const changes = [
      { path: "/repo/a.ts", kind: "update", move_path: "/repo/b.ts" },
      { path: "/repo/c.ts", kind: { type: "update", move_path: "d.ts" } },
    ];
    const change = item("file_change", { changes, status: "completed" });
    const { of } = translateRun(codex, [thread, turn, change, done]);
    expect(of("write").map(({ path }) => path)).toEqual([
      "/repo/a.ts",
      "/repo/b.ts",
      "/repo/c.ts",
      "/repo/d.ts",
    ]);
  });

  it("of a patch that failed was not written, as far as Codex says", () => {
    expect(captured("patch-failed", "write")).toMatchObject([
      { path: "/workspace/codex-patch-failed/README.md/x.ts", isSuccess: false },
      { path: "/workspace/codex-patch-failed/src/ok.ts", isSuccess: false },
      { path: "/workspace/codex-patch-failed/src/app.ts", isSuccess: true },
    ]);
  });
});

describe("a turn of Codex", () => {
  it("that follows another makes the run go on", () => {
    const translator = createFramedTranslator(codex);
    translator.start();
    const isDone = [thread, turn, done, turn].map((record) => {
      translator.line(JSON.stringify(record));
      return translator.isDone;
    });
    expect(isDone).toEqual([false, false, true, false]);
  });

  it("counts the whole thread when it is resumed or forked, and never the run", () => {
    for (const scenario of ["resume", "resume-last", "resume-model", "fork"])
      expect(captured(scenario, "usage").map(({ scope }) => scope)).toEqual(["session"]);
  });

  it("does not fail by notices of a retry, in old words and new", () => {
    for (const message of [
      "Reconnecting... 1/5 (stream disconnected before completion)",
      "stream error: stream disconnected before completion; retrying 1/5 in 208ms…",
    ]) {
      const { of, result } = translateRun(codex, [thread, turn, { type: "error", message }, done]);
      expect(of("warning")).toMatchObject([{ message }]);
      expect(result.isSuccess).toBe(true);
    }
  });

  it("that succeeds after errors has overcome them: they are warnings, at their own lines", () => {
    const body = JSON.stringify({ error: { message: "Slow down", code: "slow_down" } });
    const { of, result } = translateRun(codex, [
      thread,
      turn,
      { type: "error", message: "The stream broke." },
      { type: "error", message: body },
      item("agent_message", { text: "Hi." }),
      done,
    ]);
    expect(of("warning")).toMatchObject([
      { message: "The stream broke.", line: 3 },
      { message: "Slow down", code: "slow_down", line: 4 },
    ]);
    expect(of("error")).toEqual([]);
    expect(result).toMatchObject({ isSuccess: true, text: "Hi." });
  });

  it("that fails repeats its cause once, and loses no other error", () => {
    const { of } = translateRun(
      codex,
      [
        thread,
        turn,
        { type: "error", message: "The stream broke." },
        { type: "error", message: "Quota exceeded." },
        { type: "turn.failed", error: { message: "Quota exceeded." } },
      ],
      { ended: { exitCode: 0 } },
    );
    expect(of("warning")).toMatchObject([{ message: "The stream broke.", line: 3 }]);
    expect(of("error")).toMatchObject([{ message: "Quota exceeded.", line: 5 }]);
  });

  it("fails in the words of an error that came before the process died", () => {
    const { of, result } = translateRun(
      codex,
      [thread, turn, { type: "error", message: "Quota exceeded." }],
      {
        ended: { exitCode: 1 },
      },
    );
    expect(result.failure).toMatchObject({ kind: "quota", message: "Quota exceeded." });
    expect(of("error")).toMatchObject([{ message: "Quota exceeded.", line: 3 }, { code: "process_error" }]);
  });
});

describe("what Codex logs on standard error", () => {
  it("is not why it was killed, nor why its turn failed", () => {
    for (const scenario of ["killed", "0.166.0-slowkill"])
      expect(captured(scenario, "result")).toMatchObject([
        { failure: { kind: "killed", message: "killed by SIGTERM" } },
      ]);
    expect(captured("0.166.0-length", "error")).toMatchObject([
      { message: "Incomplete response returned, reason: max_output_tokens" },
      { message: "Codex exited with code 1: Incomplete response returned, reason: max_output_tokens" },
    ]);
  });

  it("does not explain why it ended", () => {
    const translator = createFramedTranslator(codex);
    translator.start();
    for (const line of readCapture("codex", "killed-int").stderr) translator.diagnostic(line);
    translator.diagnostic(
      "2026-11-15T18:13:17.959205Z ERROR codex_core::tools::router: error=unsupported call: update_plan",
    );
    const events = translator.end({ exitCode: 1 });
    expect(events.find((event) => event.type === "error")?.message).toBe("Codex exited with code 1");
  });

  it("does not explain why it ended in colours either", () => {
    const translator = createFramedTranslator(codex);
    translator.start();
    translator.diagnostic(
      "\u001b[2m2026-11-15T18:13:17.959205Z\u001b[0m \u001b[31mERROR\u001b[0m \u001b[2mcodex_core::session\u001b[0m\u001b[2m:\u001b[0m failed to record",
    );
    const events = translator.end({ exitCode: 1 });
    expect(events.find((event) => event.type === "error")?.message).toBe("Codex exited with code 1");
  });

  it("does when it is the last thing it printed", () => {
    expect(captured("bad-config", "result")).toMatchObject([
      { failure: { kind: "config", message: expect.stringMatching(/^Error loading config\.toml:/) } },
    ]);
  });
});
