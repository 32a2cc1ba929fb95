import { describe, expect, it, vi } from "vitest";
import type { TranslatorOptions } from "../../src/agents/contract.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { requireAgent } from "../../src/agents/registry.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { findBuiltInPrice } from "../../src/models/find-price.js";
import { formats } from "../../src/outputs/formats.js";
import { readMeta } from "../../src/runs/recording/meta.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { replayOptionsOf, replayRecording } from "../../src/runs/recording/replay.js";
import { finish, testAgent } from "../runs/test-agent.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const findPrice = findBuiltInPrice;
const costs = { input: 10, output: 100 };

function usageAndResult(agent: AgentDefinition, lines: readonly string[], options: TranslatorOptions) {
  const told = translateRun(agent, lines, options);
  return { usage: told.of("usage").at(-1), result: told.result, events: told.events };
}

describe("the cost of a run whose agent reports none", () => {
  it.each([
    /** 5532 × 2 + 2400 × 0.1 + 104 × 2.5 + 436 × 10 */
    ["codex", "files", "gpt-6.1-sol", 0.015924],
    /** 200 × 1.25 + 1000 × 0.125 + 46 × 10 */
    ["gemini", "text", undefined, 0.000835],
    /** 21061 × 5 + 20224 × 0.5 + 170 × 25 */
    ["cursor", "tools", "claude-opus-4-8-high", 0.119667],
    /** 12604 × 0.75 + 1420 × 3.75 */
    ["antigravity", "text", undefined, 0.014778],
  ])(
    "%s %s is estimated with the model that it reports, or the one asked for",
    (id, scenario, model, expected) => {
      const { stdout } = readCapture(id, scenario);
      const asked = model === undefined ? {} : { model };
      const { usage, result } = usageAndResult(requireAgent(id), stdout, { findPrice, ...asked });
      expect(usage).toMatchObject({ scope: "run", costSource: "estimated" });
      expect(result).toMatchObject({ costUsd: usage?.costUsd, costSource: "estimated" });
      expect(result.costUsd).toBe(expected);
    },
  );

  it("is absent when no price is known, or no price list was given", () => {
    const { stdout } = readCapture("codex", "files");
    for (const options of [{ findPrice }, { findPrice, model: "nobody-knows" }, { model: "gpt-6.1-sol" }]) {
      const { usage, result } = usageAndResult(requireAgent("codex"), stdout, options);
      for (const event of [usage, result]) {
        expect(event).not.toHaveProperty("costUsd");
        expect(event).not.toHaveProperty("costSource");
      }
    }
  });

  it("is the agent's own figure wherever it gives one, without a label", () => {
    const { stdout } = readCapture("claude", "text");
    const asked = vi.fn(findPrice);
    const { usage, result } = usageAndResult(requireAgent("claude"), stdout, {
      findPrice: asked,
      model: "opus",
    });
    expect(result.costUsd).toBe(0.00097755);
    for (const event of [usage, result]) expect(event).not.toHaveProperty("costSource");
    expect(asked).not.toHaveBeenCalled();
  });

  it("is never estimated from numbers of a whole session", () => {
    const { stdout } = readCapture("codex", "files");
    const { usage, result } = usageAndResult(requireAgent("codex"), stdout, {
      findPrice,
      model: "gpt-6.1-sol",
      isResumed: true,
    });
    expect(usage?.scope).toBe("session");
    expect(result).not.toHaveProperty("costUsd");
  });
});

describe("which model the cost is estimated by", () => {
  const done = JSON.stringify({ type: "done", text: "ok" });
  const session = (model: string) => JSON.stringify({ type: "session", id: "s", model });
  const prices = (model: string) => (model.startsWith("priced") ? { model, ...costs } : undefined);
  const costOf = (lines: string[], model?: string) =>
    usageAndResult(testAgent, lines, { findPrice: prices, ...(model !== undefined && { model }) }).result
      .costUsd;
  const estimated = (3 * 10 + 4 * 100) / 1e6;

  it.each<[string, string[], string | undefined, number | undefined]>([
    ["the one that the agent reports", [session("priced-1")], "other", estimated],
    ["the one asked for, if it reports none", [], "priced-2", estimated],
    [
      "the one asked for, if it reports a display name",
      [session("Opus 4.8 300K High")],
      "priced-2",
      estimated,
    ],
    ["none, if it reports another one without a price", [session("auto")], "priced-2", undefined],
    ["none, when it used two", [session("priced-1"), session("priced-2")], "priced-1", undefined],
    ["none, when nothing is known", [], undefined, undefined],
  ])("%s", (_title, lines, asked, expected) => {
    expect(costOf([...lines, done], asked)).toBe(expected);
  });

  it("does not keep a run from ending if the price list throws", () => {
    const broken = () => {
      throw new Error("no prices today");
    };
    const { result, events } = usageAndResult(testAgent, [session("m"), done], { findPrice: broken });
    expect(result).toMatchObject({ isSuccess: true });
    expect(events.at(-1)?.type).toBe("exited");
  });
});

describe("a run", () => {
  const expensive = (model: string) => (model === "m-1" ? { model, input: 1e6, output: 1e6 } : undefined);

  it("is estimated with the prices of its task, reported in the result and stored in the sidecar", async () => {
    const { result, sessions, run, events } = await finish("talk", { findPrice: expensive });
    expect(result).toMatchObject({ costUsd: 7, costSource: "estimated" });
    expect(result.usage).toEqual({ inputTokens: 3, outputTokens: 4, totalTokens: 7, scope: "run" });
    expect(readMeta(recordingPaths(sessions, run.runId).meta)).toMatchObject({
      costUsd: 7,
      costSource: "estimated",
      price: { model: "m-1", input: 1e6, output: 1e6 },
    });
    expect(events.find((event) => event.type === "result")).toMatchObject({ costSource: "estimated" });
  });

  it("replays with its original price, whatever the current prices are", async () => {
    const { sessions, run, events } = await finish("talk", { findPrice: expensive, model: "asked" });
    const paths = recordingPaths(sessions, run.runId);
    const replayed: HarnessEvent[] = [];
    for await (const steps of replayRecording(testAgent, paths.raw, replayOptionsOf(readMeta(paths.meta))))
      for (const step of steps) replayed.push(...step.events);
    expect(replayed).toEqual(events);
  });

  it("has the price of the requested model in its sidecar from the start, for live readers", async () => {
    const seen: unknown[] = [];
    const { sessions, run } = await finish("talk", {
      model: "m-1",
      findPrice: (model) => {
        seen.push(model);
        return expensive(model);
      },
    });
    expect(seen[0]).toBe("m-1");
    expect(readMeta(recordingPaths(sessions, run.runId).meta).price?.model).toBe("m-1");
  });

  it("has no price if none is known", async () => {
    const { sessions, run, result } = await finish("talk", {});
    expect(result).not.toHaveProperty("costUsd");
    expect(readMeta(recordingPaths(sessions, run.runId).meta)).not.toHaveProperty("price");
  });
});

describe("an estimate in the formats", () => {
  const { stdout } = readCapture("codex", "files");
  const { events } = usageAndResult(requireAgent("codex"), stdout, { findPrice, model: "gpt-6.1-sol" });

  it("is left out of ndjson, which cannot say that it is one", () => {
    expect(formats.ndjson.create().push(events).at(-1)).not.toHaveProperty("total_cost_usd");
  });

  it("is labelled in json", () => {
    expect(formats.json.create().push(events).at(-1)).toMatchObject({
      costUsd: 0.015924,
      costSource: "estimated",
    });
  });
});
