import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type EventOf, HarnessEvent } from "../../../src/events/event.js";
import type { TokenCounts } from "../../../src/events/usage.js";
import { atifFormat } from "../../../src/outputs/atif/format.js";
import { AtifTrajectory } from "../../../src/outputs/atif/schema.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { createSummary } from "../../../src/story/create-summary.js";
import { toJson } from "../../../src/text/to-json.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, exitedWithOne, failed, type Given, started, succeeded } from "../support.js";
import { problemsOfTrajectory } from "./atif-rules.js";
import { cutInHalf, everyCapture, everyRun, type RealRun } from "./every-run.js";

/** The trajectory of a run as a reader gets it, and what is wrong with it. */
function trajectoryOf({ events }: Pick<RealRun, "events">, prompt?: string) {
  const items = formatEvents(atifFormat, events, { prompt });
  const problems = items.length === 1 ? [] : [`${items.length} trajectories`];
  const [whole] = items;
  if (whole === undefined) throw new Error("there is no trajectory");
  const issues = v.safeParse(AtifTrajectory, whole).issues ?? [];
  problems.push(...issues.map((issue) => `schema: ${v.getDotPath(issue)}: ${issue.message}`));
  problems.push(...problemsOfTrajectory(JSON.parse(toJson(whole))));
  return { whole, problems };
}

function allOf(whole: AtifTrajectory): AtifTrajectory[] {
  return [whole, ...(whole.subagent_trajectories ?? []).flatMap(allOf)];
}

/** What must be the same in the events and in the trajectory. */
function differences({ events }: RealRun, whole: AtifTrajectory): string[] {
  const steps = allOf(whole).flatMap((trajectory) => trajectory.steps);
  const found: string[] = [];
  const compare = (what: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      found.push(`${what}: ${JSON.stringify(ours)} became ${JSON.stringify(theirs)}`);
  };
  // Bob gives its calls one id.
  const starts = events.filter((event) => event.type === "tool_start");
  const calls = steps.flatMap((step) => step.tool_calls ?? []);
  compare(
    "calls",
    starts.map((event) => event.callId).sort(),
    calls.map((call) => call.tool_call_id.replace(/#\d+$/, "")).sort(),
  );
  const results = steps.flatMap((step) => step.observation?.results ?? []);
  const outputs = events.filter((event) => event.type === "tool_end" && event.output !== undefined);
  compare("outputs", outputs.length, results.filter(({ content }) => content !== undefined).length);
  const messages = events.filter((event) => event.type === "agent" && event.role === undefined);
  const said = steps.map(({ message }) => message).join("\n");
  for (const event of messages)
    if (event.type === "agent" && !said.includes(event.message.trim()))
      found.push(`unsaid: ${event.message}`);
  const requests = events.filter(
    (event): event is EventOf<"usage"> => event.type === "usage" && event.scope === "step",
  );
  const metrics = steps.flatMap((step) => step.metrics ?? []);
  compare("requests", requests.length, metrics.length);
  compare(
    "output tokens of the requests",
    sum(requests.map(({ outputTokens = 0 }) => outputTokens)),
    sum(metrics.map(({ completion_tokens = 0 }) => completion_tokens)),
  );
  const { usage, costUsd } = summaryOf(events);
  const totals = whole.final_metrics;
  const ofRun: TokenCounts = usage?.scope === "run" ? usage : {};
  compare("output tokens", ofRun.outputTokens, totals?.total_completion_tokens);
  compare("cached tokens", ofRun.cacheReadTokens, totals?.total_cached_tokens);
  const sent = (ofRun.inputTokens ?? 0) + (ofRun.cacheReadTokens ?? 0) + (ofRun.cacheWriteTokens ?? 0);
  compare("prompt tokens", ofRun.inputTokens && sent, totals?.total_prompt_tokens);
  compare("cost", costUsd, totals?.total_cost_usd);
  return found;
}

function summaryOf(events: readonly HarnessEvent[]) {
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return summary.read();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe("every run of every agent as a trajectory", () => {
  it("is valid, whole and cut in half, and loses no call, no message and no tokens", () => {
    const problems: string[] = [];
    let count = 0;
    for (const run of everyRun()) {
      for (const part of [run, cutInHalf(run)]) {
        const { whole, problems: wrong } = trajectoryOf(part, "Do it.");
        problems.push(
          ...[...wrong, ...differences(part, whole)].map((problem) => `${part.name}: ${problem}`),
        );
        count += 1;
      }
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(2000);
  });
});

/** What the scripted model saw of a run: its requests, with the number of calls in each. */
function requestsOf({ name }: RealRun): number[] | undefined {
  const file = new URL(`../../fixtures/captures/${name}/truth.json`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const { requests }: { requests: { kind: string; isComplete: boolean; calls: unknown[] }[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return requests
    .filter(({ kind, isComplete }) => kind === "turn" && isComplete)
    .map(({ calls }) => calls.length);
}

it("has one step for each request to the model, wherever the stream shows that", () => {
  let known = 0;
  let same = 0;
  let counted = 0;
  for (const run of everyCapture()) {
    const requests = requestsOf(run);
    if (requests === undefined) continue;
    known += 1;
    const { whole } = trajectoryOf(run);
    const steps = allOf(whole)
      .flatMap((trajectory) => trajectory.steps)
      .filter(({ source }) => source === "agent");
    const inSteps = steps.map(({ tool_calls = [] }) => tool_calls.length);
    if (JSON.stringify(inSteps.sort()) !== JSON.stringify(requests.sort())) continue;
    same += 1;
    if (steps.every(({ llm_call_count }) => llm_call_count === 1)) counted += 1;
  }
  // The others have requests that the stream does not show: of subagents, without an answer, refused, or in parallel (Codex).
  expect(same / known).toBeGreaterThan(0.85);
  // These agents report the numbers of each request, too.
  expect(counted / known).toBeGreaterThan(0.5);
});

describe("any events in any order", () => {
  it("give one valid trajectory, however they are grouped, and are left as they were", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryOf(HarnessEvent), { minLength: 1, maxLength: 30 }),
        fc.option(fc.string({ unit: "binary" }), { nil: undefined }),
        (events, prompt) => {
          const before = JSON.stringify(events);
          const { whole, problems } = trajectoryOf({ events }, prompt);
          expect(problems).toEqual([]);
          expect(JSON.stringify(events)).toBe(before);
          const view = atifFormat.create({ prompt });
          const alone = events.flatMap((event) => view.push([event]));
          expect([...alone, ...(view.end?.() ?? [])]).toEqual([whole]);
        },
      ),
    );
  });
});

describe("a trajectory", () => {
  const say = (message: string, more: object = {}): Given => ({ type: "agent", message, ...more });
  const start = (callId: string, name: string, input: object, more: object = {}): Given =>
    ({ type: "tool_start", callId, name, input, ...more }) as Given;
  const end = (callId: string, name: string, output: string, more: object = {}): Given => ({
    type: "tool_end",
    callId,
    name,
    isSuccess: true,
    output,
    ...more,
  });
  const spent = (inputTokens: number, outputTokens: number, scope: "step" | "run" = "step"): Given => ({
    type: "usage",
    scope,
    inputTokens,
    outputTokens,
    cacheReadTokens: 10,
    cacheWriteTokens: 5,
    reasoningTokens: 1,
    costUsd: 0.5,
  });
  const read = (...given: Given[]): AtifTrajectory => {
    const { whole, problems } = trajectoryOf({ events: eventsOf(...given) }, "Fix it.");
    expect(problems).toEqual([]);
    return whole;
  };

  it("joins results to the request that asked for them, with its tokens", () => {
    const whole = read(
      { ...started, agentVersion: "2.1" } as Given,
      { type: "session", model: "opus" },
      { type: "thinking", message: "Hm." },
      say("I look."),
      start("c1", "Read", { path: "a" }),
      start("c2", "Bash", { command: "ls" }),
      spent(100, 20),
      end("c1", "Read", "text"),
      { type: "read", path: "/repo/a", isSuccess: true, callId: "c1" },
      end("c2", "Bash", "a b", { isSuccess: false }),
      say("Done."),
      spent(200, 30),
      { type: "warning", message: "slow", code: "slow" },
      spent(300, 50, "run"),
      { ...succeeded, text: "Done." } as Given,
      completed,
    );
    expect(whole).toMatchObject({
      schema_version: "ATIF-v1.7",
      trajectory_id: "r1",
      session_id: "r1",
      agent: { name: "claude", version: "2.1", model_name: "opus" },
      final_metrics: {
        total_prompt_tokens: 315,
        total_completion_tokens: 50,
        total_cached_tokens: 10,
        total_cost_usd: 0.5,
        total_steps: 3,
        extra: { cache_write_tokens: 5, reasoning_tokens: 1 },
      },
    });
    expect(whole.extra?.harness).toMatchObject({ cwd: "/repo", outcome: { isSuccess: true, exitCode: 0 } });
    // The answer was said.
    expect(whole.extra?.harness).not.toHaveProperty("answer");
    expect(whole.steps).toMatchObject([
      { source: "user", message: "Fix it." },
      {
        source: "agent",
        message: "I look.",
        reasoning_content: "Hm.",
        llm_call_count: 1,
        metrics: { prompt_tokens: 115, completion_tokens: 20, cached_tokens: 10, cost_usd: 0.5 },
        tool_calls: [
          { tool_call_id: "c1", function_name: "Read", arguments: { path: "a" } },
          { tool_call_id: "c2", function_name: "Bash" },
        ],
        observation: {
          results: [
            {
              source_call_id: "c1",
              content: "text",
              extra: { harness: { operations: [{ type: "read", path: "/repo/a", isSuccess: true }] } },
            },
            { source_call_id: "c2", content: "a b", extra: { harness: { isSuccess: false } } },
          ],
        },
      },
      {
        source: "agent",
        message: "Done.",
        extra: { harness: { events: [{ type: "warning", message: "slow", code: "slow" }] } },
      },
    ]);
  });

  it("has the version that the caller knows, if the events do not say it", () => {
    const events = eventsOf(started, succeeded, completed);
    const [whole] = formatEvents(atifFormat, events, { agentVersion: "2.1.325" });
    expect(whole?.agent.version).toBe("2.1.325");
    expect(formatEvents(atifFormat, events)[0]?.agent.version).toBe("unknown");
  });

  it("does not say that a step is one request if the agent does not report that", () => {
    const call = (id: string) => [start(id, "Read", {}), end(id, "Read", "x")];
    const { steps } = read(started, ...call("a"), ...call("b"), say("Done."), succeeded, completed);
    expect(steps.map(({ tool_calls = [] }) => tool_calls.length)).toEqual([0, 1, 1, 0]);
    expect(steps.filter((step) => "llm_call_count" in step || "metrics" in step)).toEqual([]);
  });

  it("embeds a subagent where its call is, with the prompt that it was given", () => {
    const inside = { parentCallId: "c1" };
    const deeper = { parentCallId: "c2" };
    const whole = read(
      started,
      start("c1", "Task", { prompt: "Look." }),
      { type: "orchestration", action: "subagent_started", callId: "c1", subagentName: "scout" },
      start("c2", "Task", { prompt: "Look deeper." }, inside),
      say("Deep.", deeper),
      end("c2", "Task", "Deep.", inside),
      say("Nobody started me.", { parentCallId: "c3" }),
      end("c1", "Task", "Found."),
      succeeded,
      completed,
    );
    expect(whole.steps[1]?.observation?.results).toMatchObject([
      { source_call_id: "c1", content: "Found.", subagent_trajectory_ref: [{ trajectory_id: "r1/c1" }] },
    ]);
    const [scout, orphan] = whole.subagent_trajectories ?? [];
    expect(scout).toMatchObject({ trajectory_id: "r1/c1", agent: { name: "scout" } });
    expect(scout?.steps[0]).toMatchObject({ source: "user", message: "Look." });
    expect(scout?.steps[1]?.observation?.results[0]?.subagent_trajectory_ref).toEqual([
      { trajectory_id: "r1/c2" },
    ]);
    expect(scout?.subagent_trajectories).toMatchObject([
      { trajectory_id: "r1/c2", steps: [{ message: "Look deeper." }, { message: "Deep." }] },
    ]);
    expect(orphan).toMatchObject({ extra: { harness: { parentCallId: "c3" } } });
  });

  it("has the prompt of each turn, and what others said, in their places", () => {
    const turn = (turnId: string, prompt: string): Given => ({
      type: "turn",
      turnId,
      prompt,
      origin: "user",
    });
    const ended = (turnId: string): Given => ({
      type: "turn_end",
      turnId,
      isSuccess: true,
      reason: "completed",
    });
    const whole = read(
      started,
      turn("t1", "One"),
      say("1"),
      say("And?", { role: "user" }),
      say("1 and"),
      ended("t1"),
      turn("t2", "Two"),
      say("compacted", { role: "system" }),
      say("2"),
      ended("t2"),
      succeeded,
      completed,
    );
    expect(whole.steps.map(({ source, message }) => `${source}: ${message}`)).toEqual([
      "user: One",
      "agent: 1",
      "user: And?",
      "agent: 1 and",
      "user: Two",
      "system: compacted",
      "agent: 2",
    ]);
    expect(whole.extra?.harness["turns"]).toMatchObject([{ turnId: "t1", prompt: "One" }, { turnId: "t2" }]);
  });

  it("has a step if the run failed at once, and shows what was cut and what was withdrawn", () => {
    const [nothing] = formatEvents(atifFormat, eventsOf(started, failed("no key"), exitedWithOne));
    expect(nothing?.steps).toMatchObject([{ step_id: 1, source: "system", message: "no key" }]);
    expect(nothing?.extra?.harness).toMatchObject({ failure: { kind: "crash" }, outcome: { exitCode: 1 } });
    const piece = (delta: string, messageId: string): Given => ({ type: "text", delta, messageId });
    const withdrawn: Given = { type: "warning", message: "again", code: "text_withdrawn" };
    const { steps } = read(started, piece("Hel", "m1"), withdrawn, piece("Hi th", "m2"));
    expect(steps[1]).toMatchObject({
      message: "Hi th",
      extra: { harness: { isCutOff: true, withdrawn: ["Hel"] } },
    });
  });

  it("takes what a tool was given and gave, whatever it is", () => {
    let deep: unknown = "bottom";
    for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
    const given = (callId: string, input: unknown) => [
      { type: "tool_start", callId, name: "t", input } as Given,
      { type: "tool_end", callId, name: "t", output: input } as Given,
    ];
    const whole = read(
      started,
      ...given("a", ["x"]),
      ...given("b", { "half \ud800": "\udc00 half" }),
      ...given("c", deep),
      succeeded,
      completed,
    );
    const calls = whole.steps.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(calls[0]?.arguments).toEqual({ input: ["x"] });
    expect(calls[1]?.arguments).toEqual({ "half \ufffd": "\ufffd half" });
    expect(JSON.stringify(calls[2]?.arguments)).toContain("nested too deeply");
    const results = whole.steps.flatMap(({ observation }) => observation?.results ?? []);
    expect(results[0]?.content).toBe('["x"]');
  });
});
