import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import type { EventOf } from "../../src/events/event.js";
import type { TokenCounts } from "../../src/events/usage.js";
import { builtInModels } from "../../src/models/built-in.js";
import { estimateCost } from "../../src/models/estimate-cost.js";
import { findBuiltInPrice, findPrice } from "../../src/models/find-price.js";
import { captureNames, readCapture, translateCapture } from "../support/captures.js";
import { layer } from "./layers.js";

/** The usage of a run in a capture, with the agent's own cost. */
function usageOf(agent: string, scenario: string): EventOf<"usage"> | undefined {
  const steps = translateCapture(requireAgent(agent), readCapture(agent, scenario));
  const events = steps.flatMap((step) => step.events);
  return events.find((event) => event.type === "usage" && event.scope === "run") as
    | EventOf<"usage">
    | undefined;
}

describe("an estimate", () => {
  it("is what Claude Code charged for the same tokens", () => {
    const usage = usageOf("claude", "text");
    expect(usage).toMatchObject({ costUsd: 0.00097755, inputTokens: 101, outputTokens: 43 });
    expect(usage && estimateCost(usage, "claude-sonnet-4-5")).toBe(0.00097755);
  });

  it("is what Claude Code charged in every recorded run with one model and no web search", () => {
    const runs = captureNames("claude").flatMap((scenario) => {
      const { stdout } = readCapture("claude", scenario);
      const models = /"modelUsage":\{("[^"]+"):\{[^{}]*"webSearchRequests":0,[^{}]*\}\}/.exec(
        stdout.at(-1) ?? "",
      )?.[1];
      const usage = models === undefined ? undefined : usageOf("claude", scenario);
      return usage?.costUsd ? [{ scenario, usage, model: String(JSON.parse(models ?? "")) }] : [];
    });
    expect(runs.length).toBeGreaterThan(10);
    for (const { scenario, usage, model } of runs)
      expect(estimateCost(usage, model), scenario).toBeCloseTo(usage.costUsd ?? 0, 9);
  });

  it.each([
    ["anthropic", "claude-sonnet-4-5"],
    ["text", "gpt-4o"],
  ])("is what Goose charged for the same tokens (%s, %s)", (scenario, model) => {
    const usage = usageOf("goose", scenario);
    expect(usage?.costUsd).toBeGreaterThan(0);
    expect(usage && estimateCost(usage, model)).toBeCloseTo(usage?.costUsd ?? 0, 9);
  });

  it("is not made without input and output tokens", () => {
    expect(estimateCost({ totalTokens: 10 }, "gpt-6.1-sol")).toBeUndefined();
    expect(estimateCost({ inputTokens: 10 }, "gpt-6.1-sol")).toBeUndefined();
    expect(estimateCost({ inputTokens: 10, outputTokens: 0 }, "nobody-knows")).toBeUndefined();
    expect(estimateCost({ inputTokens: 0, outputTokens: 0 }, "gpt-6.1-sol")).toBe(0);
  });

  it("charges cached tokens as input if they have no price of their own", () => {
    const layers = [layer("registry", { m: {} }, { price: { input: 1, output: 2 } })];
    const tokens = { inputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6, outputTokens: 1e6 };
    expect(estimateCost(tokens, "m", layers)).toBe(5);
  });

  it("is never below zero, and grows with every class of tokens", () => {
    const count = fc.nat({ max: 1e9 });
    const tokens = fc.record({
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      outputTokens: count,
    });
    fc.assert(
      fc.property(
        tokens,
        fc.constantFrom(...builtInModels.models.keys()),
        fc.constantFrom<keyof TokenCounts>(
          "inputTokens",
          "cacheReadTokens",
          "cacheWriteTokens",
          "outputTokens",
        ),
        (counts, model, name) => {
          const cost = estimateCost(counts, model);
          if (cost === undefined) return;
          expect(cost).toBeGreaterThanOrEqual(0);
          expect(
            estimateCost({ ...counts, [name]: (counts[name as "inputTokens"] ?? 0) + 1e6 }, model),
          ).toBeGreaterThan(cost);
        },
      ),
    );
  });
});

describe("the price of an id", () => {
  const opus = findBuiltInPrice("claude-opus-5-5");

  it.each([
    "claude-opus-5.5",
    "anthropic/claude-opus-5-5",
    "openrouter/anthropic/claude-opus-5.5",
    "Claude-Opus-5-5",
    "claude-opus-5-5[1m]",
    "claude-opus-5-5[context=1m,effort=high,fast=false]",
    "claude-opus-5-5-20260922",
    "claude-opus-5-5@20260922",
    "claude-opus-5-5-thinking-high",
    "claude-opus-5-5-max",
  ])("%s is that of the model", (id) => {
    expect(opus).toBeDefined();
    expect(findBuiltInPrice(id)).toEqual({ ...opus, model: id });
  });

  it.each([
    "claude-opus-5-5-high-fast",
    "claude-opus-5-5[fast=true]",
    "claude-opus-5-5:free",
    "claude-opus-5-6",
    "my-claude-opus-5-5",
    "auto",
    "",
    "/",
    "[",
  ])("%s is not known", (id) => {
    expect(findBuiltInPrice(id)).toBeUndefined();
  });

  it("is that of the first layer that has one", () => {
    const cheaper = layer(
      "registry",
      { opus: { pi: "anthropic/claude-opus-5-5" } },
      { price: { input: 1, output: 1 } },
    );
    expect(findPrice("claude-opus-5-5", [cheaper, builtInModels])?.input).toBe(1);
    expect(findPrice("claude-opus-5", [cheaper, builtInModels])?.input).toBe(5);
  });

  it("can be looked up with any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (id) => void findBuiltInPrice(id)));
  });
});
