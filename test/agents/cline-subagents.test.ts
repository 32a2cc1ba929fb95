import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cline } from "../../src/agents/cline/definition.js";
import type { EventOf } from "../../src/events/event.js";
import { readCapture, translateCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const agentEvent = (event: object) => ({ ts: "2026-11-15T18:12:32.564Z", type: "agent_event", event });
const starts = (toolCallId: string, toolName: string, input: unknown = {}) =>
  agentEvent({ type: "content_start", contentType: "tool", toolCallId, toolName, input });
const ends = (toolCallId: string, toolName: string, output: unknown = [{ success: true }]) =>
  agentEvent({ type: "content_end", contentType: "tool", toolCallId, toolName, output });
const runs = (toolCallId: string) => starts(toolCallId, "run_commands", { commands: [toolCallId] });
const ran = (toolCallId: string) => ends(toolCallId, "run_commands");
const piece = (text: string) => agentEvent({ type: "content_start", contentType: "text", text });
const said = (text: string) => agentEvent({ type: "content_end", contentType: "text", text });
const used = (inputTokens: number, totalInputTokens: number) =>
  agentEvent({ type: "usage", inputTokens, outputTokens: 1, totalInputTokens, totalOutputTokens: 1 });
const hook = (hookEventName: string, agentId: string) => ({
  ts: "2026-11-15T18:12:32.564Z",
  type: "hook_event",
  hookEventName,
  agentId,
  parentAgentId: agentId === "lead" ? null : "lead",
});
const done = { type: "run_result", finishReason: "completed", text: "Done." };

/** The lead has started two subagents in one turn. */
const twoAtWork = [
  hook("agent_start", "lead"),
  hook("tool_call", "lead"),
  hook("tool_call", "lead"),
  starts("L", "spawn_agent", { task: "left" }),
  starts("R", "spawn_agent", { task: "right" }),
  hook("agent_start", "left"),
  hook("agent_start", "right"),
];

describe("cline: subagents that work at the same time", () => {
  it("are started by the lead, in the order of its calls", () => {
    const told = translateRun(cline, twoAtWork);
    expect(told.of("tool_start").map(({ parentCallId }) => parentCallId)).toEqual([undefined, undefined]);
    expect(told.of("orchestration")).toMatchObject([
      { action: "subagent_started", subagentId: "left", callId: "L" },
      { action: "subagent_started", subagentId: "right", callId: "R" },
    ]);
    expect(told.of("orchestration").some(({ parentCallId }) => parentCallId !== undefined)).toBe(false);
  });

  it("own the calls that a hook has announced for them", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      hook("tool_call", "right"),
      runs("r1"),
      hook("tool_call", "left"),
      runs("l1"),
      hook("tool_result", "right"),
      ran("r1"),
      ran("l1"),
    ]);
    expect(told.of("command")).toMatchObject([
      { command: "r1", parentCallId: "R" },
      { command: "l1", parentCallId: "L" },
    ]);
  });

  it("own the next call of a turn when theirs before it has ended", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      hook("tool_call", "left"),
      hook("tool_call", "left"),
      runs("l1"),
      hook("tool_call", "right"),
      hook("tool_call", "right"),
      runs("r1"),
      ran("l1"),
      runs("l2"),
      ran("r1"),
      runs("r2"),
    ]);
    const owners = told.of("tool_start").map(({ callId, parentCallId }) => [callId, parentCallId]);
    expect(owners.slice(2)).toEqual([
      ["l1", "L"],
      ["r1", "R"],
      ["l2", "L"],
      ["r2", "R"],
    ]);
  });

  it("are identified by the hook that follows what they say", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      piece("I am "),
      piece("Who "),
      piece("right."),
      used(10, 10),
      said("I am right."),
      hook("tool_call", "right"),
      runs("r1"),
      piece("is left?"),
      used(20, 20),
      said("Who is left?"),
      hook("agent_end", "left"),
    ]);
    expect(told.of("agent")).toMatchObject([
      { message: "I am right.", parentCallId: "R" },
      { message: "Who is left?", parentCallId: "L" },
    ]);
    const steps = told.of("usage").filter(({ scope }) => scope === "step");
    expect(steps).toMatchObject([
      { inputTokens: 10, parentCallId: "R" },
      { inputTokens: 20, parentCallId: "L" },
    ]);
    expect(told.of("unknown")).toEqual([]);
  });

  it("speak live while nobody else can be the speaker, and their message stays one", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      hook("tool_call", "right"),
      runs("r1"),
      piece("Left "),
      ran("r1"),
      piece("speaks."),
      said("Left speaks."),
      hook("agent_end", "left"),
    ]);
    const id = told.of("agent")[0]?.messageId;
    expect(told.of("text").map(({ delta, parentCallId }) => [delta, parentCallId])).toEqual([
      ["Left ", "L"],
      ["speaks.", "L"],
    ]);
    expect(told.of("agent")).toMatchObject([{ message: "Left speaks.", parentCallId: "L" }]);
    expect(told.of("text").every(({ messageId }) => messageId === id)).toBe(true);
  });

  it("lose nothing of what they say when the run is killed, and it is nobody's", () => {
    const told = translateRun(cline, [...twoAtWork, piece("Half"), piece("Part")], {
      ended: { exitCode: null, signal: "SIGKILL" },
    });
    expect(told.of("unknown").map(({ raw }) => JSON.stringify(raw).includes("Half"))).toEqual([true, false]);
    expect(told.of("agent")).toEqual([]);
    expect(told.result.text).toBeUndefined();
  });

  it("own a call that was rejected without a hook, as the hook of their next turn says", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      used(10, 10),
      starts("x", "frobnicate"),
      ends("x", "frobnicate", { error: "unavailable tool" }),
      agentEvent({ type: "error", error: { message: "1 tool call(s) failed: x" }, recoverable: true }),
      used(10, 21),
      said("I give up."),
      hook("agent_end", "left"),
    ]);
    expect(told.of("tool_start").at(-1)).toMatchObject({ callId: "x", parentCallId: "L" });
    expect(told.of("warning")).toMatchObject([{ parentCallId: "L" }]);
    expect(told.of("agent")).toMatchObject([{ message: "I give up.", parentCallId: "L" }]);
  });

  it("are gone when their calls have ended, even if no hook says so", () => {
    const told = translateRun(cline, [
      ...twoAtWork,
      ends("L", "spawn_agent", { finishReason: "completed" }),
      ends("R", "spawn_agent", { finishReason: "aborted" }),
      piece("Done."),
      said("Done."),
      done,
    ]);
    expect(told.of("text")).toMatchObject([{ delta: "Done." }]);
    expect(told.of("agent")[0]).not.toHaveProperty("parentCallId");
    expect(told.of("orchestration").slice(2)).toMatchObject([
      { action: "subagent_completed", subagentId: "left", callId: "L" },
      { action: "subagent_failed", subagentId: "right", callId: "R" },
    ]);
  });
});

describe("cline: teammates that work beside the lead, in the dialect that does not mark them", () => {
  const beside = [
    hook("agent_start", "lead"),
    hook("tool_call", "lead"),
    starts("T", "team_run_task", { agentId: "helper", runMode: "async" }),
    { ...hook("agent_start", "mate"), parentAgentId: null },
    ends("T", "team_run_task", { agentId: "helper", mode: "async" }),
  ];

  it("own their calls and messages, and the lead owns its own", () => {
    const told = translateRun(cline, [
      ...beside,
      said("I am the lead."),
      hook("prompt_submit", "lead"),
      hook("tool_call", "mate"),
      runs("m1"),
      piece("Done."),
      said("Done."),
      hook("agent_end", "lead"),
      done,
    ]);
    expect(told.of("agent").map(({ message, parentCallId }) => [message, parentCallId])).toEqual([
      ["I am the lead.", undefined],
      ["Done.", undefined],
    ]);
    expect(told.of("command")).toMatchObject([{ command: "m1", parentCallId: "T" }]);
    expect(told.result.text).toBe("Done.");
  });
});

/** What the scripted model knows of a run: who asked, and what it answered. */
interface Truth {
  requests: { subagent?: string; text: string; calls: { id: string }[] }[];
}

describe.each(["local-twosubs", "local-nestedsubs", "local-threesubs", "local-subs-rejected", "twosubs"])(
  "cline: the subagents of the real run %s",
  (scenario) => {
    const capture = readCapture("cline", scenario);
    const events = translateCapture(cline, capture).flatMap((line) => line.events);
    const { requests }: Truth = JSON.parse(readFileSync(`${capture.directory}truth.json`, "utf8"));
    const calls = events.filter((event): event is EventOf<"tool_start"> => event.type === "tool_start");

    /** The call that started the subagent with this task. */
    function callOf(task: string | undefined): string | undefined {
      return calls.find(({ input }) => JSON.stringify(input ?? null).includes(`"task":"${task}"`))?.callId;
    }

    it("own the calls that their models made", () => {
      const expected = requests.flatMap(({ subagent, calls: made }) =>
        made.map(({ id }) => [id, callOf(subagent)] as const),
      );
      const owners = new Map(calls.map(({ callId, parentCallId }) => [callId, parentCallId]));
      expect(owners).toEqual(new Map(expected));
    });

    it("own the messages that their models sent", () => {
      const sent = requests.flatMap(({ subagent, text }) => (text === "" ? [] : [[text, callOf(subagent)]]));
      const owned = events.flatMap((event) =>
        event.type === "agent" ? [[event.message, event.parentCallId]] : [],
      );
      expect(owned.toSorted()).toEqual(sent.toSorted());
    });
  },
);
