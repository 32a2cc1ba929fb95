import { describe, expect, it } from "vitest";
import { pi } from "../../../src/agents/pi/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { expectSoundSession } from "../../support/live-conformance.js";

/** Sequences of records that no transcript has, as the programs print them (0.74.2 and 1.4.0). */
const timestamp = "2026-01-01T00:00:00.000Z";
const sent = (value: object): RawRecord => ({ timestamp, stream: "sent", line: JSON.stringify(value) });
const out = (value: object): RawRecord => ({ timestamp, stream: "stdout", line: JSON.stringify(value) });

const state = (about: object = {}): RawRecord =>
  out({
    id: "s",
    type: "response",
    command: "get_state",
    success: true,
    data: { model: { id: "m" }, sessionId: "pi-1", isStreaming: false, isCompacting: false, ...about },
  });
const prompt = (message: string, id = "p"): RawRecord => sent({ id, type: "prompt", message });
const accepted = (data?: object, id = "p"): RawRecord =>
  out({ id, type: "response", command: "prompt", success: true, ...(data && { data }) });
const start = out({ type: "agent_start" });
const end = out({ type: "agent_end", messages: [] });
const answer = (text: string, about: object = {}): RawRecord =>
  out({
    type: "message_end",
    message: {
      role: "assistant",
      content: [{ type: "text", text }],
      model: "m",
      stopReason: "stop",
      ...about,
    },
  });
const failed = answer("", { stopReason: "error", errorMessage: "500 broken" });
const retry = out({ type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 10 });
const abort = sent({ id: "a", type: "abort" });
const aborted = out({ id: "a", type: "response", command: "abort", success: true });

function play(...records: RawRecord[]): HarnessEvent[] {
  const steps = createSteps(pi, { live: "rpc", cwd: "/repo" });
  const all = [...steps.pushAll([state(), ...records]), steps.end({ exitCode: 0, stopped: true }, timestamp)];
  const events = all.flatMap((step) => step.events);
  expectSoundSession(events);
  return events;
}

const endsOf = (events: readonly HarnessEvent[]) => events.filter((event) => event.type === "turn_end");
const typesOf = (events: readonly HarnessEvent[]) => events.map(({ type }) => type);

describe("pi rpc: where a turn ends", () => {
  it("goes on after agent_end if a retry is announced, and ends with the next answer otherwise (0.74)", () => {
    const events = play(
      ...[prompt("Hi"), accepted(), start, failed, end, retry, state(), start, answer("Done."), end],
      ...[state(), answer("Late.")],
    );
    expect(endsOf(events)).toMatchObject([{ reason: "completed", text: "Done." }]);
    const types = typesOf(events);
    expect(types.lastIndexOf("agent")).toBeGreaterThan(types.indexOf("turn_end"));
  });

  it("goes on while Pi compacts, and with the run that follows it (0.74)", () => {
    const compacting = out({ type: "compaction_start", reason: "overflow" });
    const compacted = out({ type: "compaction_end", reason: "overflow", willRetry: true });
    const events = play(
      ...[prompt("Hi"), accepted(), start, failed, end, compacting, state({ isCompacting: true })],
      ...[compacted, state(), start, answer("Done."), end, state()],
    );
    expect(endsOf(events)).toMatchObject([{ reason: "completed", text: "Done." }]);
  });

  it("is interrupted during the delay of a retry", () => {
    const cancelled = out({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "Retry cancelled",
    });
    const events = play(prompt("Hi"), accepted(), start, failed, end, retry, abort, cancelled, aborted);
    expect(endsOf(events)).toMatchObject([{ reason: "interrupted" }]);
    expect(typesOf(events)).not.toContain("error");
  });

  it("fails if the delay of a retry is cancelled by somebody else", () => {
    const cancelled = out({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "Retry cancelled",
    });
    const events = play(prompt("Hi"), accepted(), start, failed, end, retry, cancelled, state());
    expect(endsOf(events)).toMatchObject([{ reason: "failed", failure: { message: "Retry cancelled" } }]);
  });

  it("does not end the next turn with the agent_settled of the one before", () => {
    const over = out({ type: "agent_end", messages: [], willRetry: false });
    const settled = out({ type: "agent_settled" });
    const turn = [start, answer("One."), over];
    const events = play(
      ...[prompt("First"), accepted(), ...turn, prompt("Second", "q"), settled, accepted(undefined, "q")],
      ...[start, answer("Two."), over, settled],
    );
    expect(endsOf(events).map(({ text }) => text)).toEqual(["One.", "Two."]);
  });

  it("completes after an abort that came too late", () => {
    const events = play(prompt("Hi"), accepted(), start, answer("Done."), abort, end, aborted);
    expect(endsOf(events)).toMatchObject([{ reason: "completed", text: "Done." }]);
  });

  it("is interrupted if Pi says so, whoever asked for it (1.4.0)", () => {
    const over = out({ type: "agent_end", messages: [], willRetry: false });
    const events = play(prompt("Hi"), accepted(), start, over, out({ type: "agent_settled", aborted: true }));
    expect(endsOf(events)).toMatchObject([{ reason: "interrupted" }]);
  });

  it("completes without a run if an extension has dealt with the prompt", () => {
    const silent = endsOf(play(prompt("/hi"), accepted(), state()));
    const named = endsOf(play(prompt("/hi"), accepted({ disposition: "handled" })));
    expect([...silent, ...named]).toMatchObject([{ reason: "completed" }, { reason: "completed" }]);
  });

  it("fails if Pi refuses the prompt", () => {
    const refused = out({
      id: "p",
      type: "response",
      command: "prompt",
      success: false,
      error: "No API key found",
    });
    const events = play(prompt("Hi"), refused);
    expect(endsOf(events)).toMatchObject([
      { reason: "failed", failure: { kind: "auth", message: "No API key found" } },
    ]);
    expect(events.filter(({ type }) => type === "error")).toHaveLength(1);
  });

  it("begins by itself if an extension starts a run", () => {
    const events = play(start, answer("By myself."), end, state());
    expect(events.find((event) => event.type === "turn")).toMatchObject({ origin: "agent" });
    expect(endsOf(events)).toMatchObject([{ reason: "completed", text: "By myself." }]);
  });

  it("counts tokens between two turns with the next one", () => {
    const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.5 } };
    const warmed = out({ type: "entry_appended", entry: { type: "usage", usage } });
    const turn = [accepted(), start, answer("One.", { usage }), end, state()];
    const events = play(prompt("First"), ...turn, warmed, prompt("Second"), ...turn);
    expect(endsOf(events).map(({ costUsd }) => costUsd)).toEqual([0.5, 1]);
    expect(events.at(-2)).toMatchObject({ type: "result", costUsd: 1.5 });
  });
});

describe("pi rpc: dialogs of extensions", () => {
  const asked = { harness: "permission", callId: "c1", name: "bash", input: { command: "cat a.txt" } };
  const dialog = (about: object) => out({ type: "extension_ui_request", id: "d1", ...about });
  const permission = dialog({ method: "input", title: JSON.stringify(asked) });
  const call = out({ type: "tool_execution_start", toolCallId: "c1", toolName: "bash", args: asked.input });
  const done = out({
    type: "tool_execution_end",
    toolCallId: "c1",
    toolName: "bash",
    isError: false,
    result: {},
  });
  const reply = (fields: object) => sent({ type: "extension_ui_response", id: "d1", ...fields });
  const opening = [prompt("Hi"), accepted(), start, call, permission];
  const endOf = (events: readonly HarnessEvent[]) => events.find((event) => event.type === "request_end");

  it("asks for a permission with what the call would do: a shell command is shown whole", () => {
    const events = play(...opening);
    expect(events.find((event) => event.type === "request")).toMatchObject({
      kind: "permission",
      callId: "c1",
      name: "bash",
      operations: [{ type: "command", command: "cat a.txt" }],
      choices: ["allow", "allow_always", "deny"],
    });
  });

  it("names the file that a tool would change, as Pi reads its path", () => {
    const write = { ...asked, name: "write", input: { path: "@src/../b.txt", content: "" } };
    const events = play(prompt("Hi"), dialog({ method: "input", title: JSON.stringify(write) }));
    expect(events.find((event) => event.type === "request")).toMatchObject({
      operations: [{ type: "write", path: "/repo/b.txt" }],
    });
  });

  it("names the server and the tool of MCP", () => {
    const mcp = { ...asked, name: "mcp__docs__search", input: { q: "x" } };
    const events = play(prompt("Hi"), dialog({ method: "input", title: JSON.stringify(mcp) }));
    expect(events.find((event) => event.type === "request")).toMatchObject({
      operations: [{ type: "mcp", server: "docs", tool: "search" }],
    });
  });

  it("is allowed, and denied with a reason", () => {
    const allowed = play(...opening, reply({ value: JSON.stringify({ allow: true }) }), done);
    const denied = play(...opening, reply({ value: JSON.stringify({ allow: false, message: "No." }) }), done);
    expect(endOf(allowed)).toMatchObject({ outcome: "allowed", by: "caller" });
    expect(endOf(denied)).toMatchObject({ outcome: "denied", message: "No." });
  });

  it("reports what was done with the input that the answer gave", () => {
    const changed = JSON.stringify({ allow: true, input: { command: "npm test" } });
    const events = play(...opening, reply({ value: changed }), done);
    expect(events.find((event) => event.type === "command")).toMatchObject({ command: "npm test" });
    expect(typesOf(events)).not.toContain("read");
  });

  it("is withdrawn if its call ends, the turn ends, or the turn is interrupted", () => {
    const timedOut = play(...opening, done);
    const over = play(...opening, end, state());
    const interrupted = play(...opening, abort, reply({ cancelled: true }), done, end, aborted);
    for (const events of [timedOut, over, interrupted])
      expect(endOf(events)).toMatchObject({ outcome: "withdrawn", by: "agent" });
  });

  it("is denied if it is dismissed", () => {
    expect(endOf(play(...opening, reply({ cancelled: true })))).toMatchObject({ outcome: "denied" });
  });

  it("reports what an extension says, and what it fails with", () => {
    const events = play(
      dialog({ method: "notify", message: "Saved.", notifyType: "info" }),
      dialog({ method: "notify", message: "Careful.", notifyType: "warning" }),
      dialog({ method: "setStatus", statusKey: "x", statusText: "y" }),
      out({ type: "extension_error", extensionPath: "e.ts", event: "tool_call", error: "boom" }),
    );
    const said = events.flatMap((event) => ("message" in event ? [[event.type, event.message]] : []));
    expect(said).toEqual([
      ["agent", "Saved."],
      ["warning", "Careful."],
      ["warning", "boom (e.ts, tool_call)"],
    ]);
  });

  it("keeps a dialog of a kind that nobody knows", () => {
    const record = { type: "extension_ui_request", id: "d9", method: "hologram" };
    expect(play(out(record)).find((event) => event.type === "unknown")).toMatchObject({ raw: record });
  });
});
