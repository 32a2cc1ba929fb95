import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { createClaudeMapping } from "../../src/agents/claude/mapping.js";
import type { Sink } from "../../src/agents/contract.js";
import type { RunState } from "../../src/events/run-state.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "system", subtype: "init", model: "sonnet", cwd: "/repo" };
const model = (inputTokens: number, costUSD: number, more: object = {}) => ({
  sonnet: { inputTokens, outputTokens: 10, costUSD, ...more },
});
const usage = (input_tokens: number, more: object = {}) => ({ input_tokens, output_tokens: 10, ...more });
const result = (more: object) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  ...more,
});

describe("the tokens and the cost of a run of Claude Code in a resumed session", () => {
  const first = result({
    usage: usage(100),
    modelUsage: model(1300, 0.5),
    total_cost_usd: 0.5,
    model_usage_since_last_result: model(300, 0.25),
  });

  it.each([true, false])("are its own, subagents included (known to be resumed: %s)", (isResumed) => {
    const { of, result: end } = translateRun(claude, [init, first], { isResumed });
    expect(of("usage")).toMatchObject([{ inputTokens: 300, outputTokens: 10, scope: "run", costUsd: 0.25 }]);
    expect(end).toMatchObject({ costUsd: 0.25 });
    expect(end).not.toHaveProperty("costSource");
  });

  it("are the sum over all of its results", () => {
    const second = result({
      usage: usage(50),
      modelUsage: model(1350, 0.625),
      total_cost_usd: 0.625,
      model_usage_since_last_result: model(50, 0.125),
    });
    const { of } = translateRun(claude, [init, first, init, second], { isResumed: true });
    expect(of("usage")).toMatchObject([{ inputTokens: 350, scope: "run", costUsd: 0.375 }]);
  });

  it("are nothing if it failed before it asked a model", () => {
    const none = { usage: { input_tokens: 0, output_tokens: 0 }, model_usage_since_last_result: {} };
    const { of, result: end } = translateRun(claude, [init, { ...first, ...none, is_error: true }]);
    expect(of("usage")).toMatchObject([{ inputTokens: 0, outputTokens: 0, totalTokens: 0, scope: "run" }]);
    expect(end).toMatchObject({ costUsd: 0 });
  });

  it("have no cost if that of a model is not known", () => {
    const since = { ...model(300, 0.25), haiku: { inputTokens: 1 } };
    const { of, result: end } = translateRun(claude, [
      init,
      { ...first, model_usage_since_last_result: since },
    ]);
    expect(of("usage")).toMatchObject([{ inputTokens: 301, scope: "run" }]);
    expect(end).not.toHaveProperty("costUsd");
  });
});

describe("the tokens that Claude Code has thought with", () => {
  it.each([
    [0, 0],
    [7, 7],
  ])("are %i if it reports %i", (reasoningTokens, thinkingTokens) => {
    const details = { output_tokens_details: { thinking_tokens: thinkingTokens } };
    const main = translateRun(claude, [init, result({ usage: usage(5, details) })]);
    expect(main.of("usage")).toMatchObject([{ reasoningTokens }]);
    const all = translateRun(claude, [init, result({ modelUsage: model(5, 0, { thinkingTokens }) })]);
    expect(all.of("usage")).toMatchObject([{ reasoningTokens }]);
  });

  it("are left out if it does not report them", () => {
    expect(translateRun(claude, [init, result({ usage: usage(5) })]).of("usage")[0]).not.toHaveProperty(
      "reasoningTokens",
    );
  });
});

describe("a limit of the account", () => {
  const words = "You've hit your session limit · resets 10:34pm (UTC)";
  const event = (status: string) => ({
    type: "rate_limit_event",
    rate_limit_info: { status, resetsAt: 1794782041, rateLimitType: "five_hour" },
  });
  const error = {
    type: "assistant",
    error: "rate_limit",
    message: { id: "m", model: "<synthetic>", content: [{ type: "text", text: words }] },
  };
  const failed = (text: string, api_error_status: number | null = 429) =>
    result({ is_error: true, result: text, api_error_status });

  /** What the mapping reports about the run. */
  function failureAfter(...records: object[]): RunState["failure"] {
    const run: RunState = { needsTerminal: true };
    const ignore = () => {};
    const inert = {
      beginTurn: ignore,
      interruptTurn: ignore,
      endTurn: ignore,
      request: ignore,
      endRequest: ignore,
      openRequest: () => undefined,
    };
    const out: Sink = {
      emit: ignore,
      consume: ignore,
      open: ignore,
      call: () => undefined,
      finish: ignore,
      plan: ignore,
      identify: ignore,
      session: ignore,
      live: { ...inert, turnId: undefined },
      run,
      cwd: "/repo",
      lineNumber: 1,
    };
    const mapping = createClaudeMapping();
    for (const record of records) mapping.record(JSON.parse(JSON.stringify(record)), out);
    return run.failure;
  }

  it("that ends the run says when it ends", () => {
    const retryAt = "2026-11-15T22:34:01.000Z";
    expect(failureAfter(event("rejected"), error)).toMatchObject({ retryAt });
    expect(failureAfter(event("rejected"), error, failed(words))).toMatchObject({ retryAt });
    expect(failureAfter(event("rejected"), failed(words))).toMatchObject({ retryAt });
    expect(failureAfter(failed("Claude AI usage limit reached|1794782041", null))).toMatchObject({ retryAt });
  });

  it("that did not end the run says nothing about its failure", () => {
    expect(failureAfter(event("allowed_warning"), failed(words))?.retryAt).toBeUndefined();
    expect(failureAfter(event("rejected"), event("allowed"), failed(words))?.retryAt).toBeUndefined();
    expect(failureAfter(event("rejected"), failed("API Error: 500", 500))?.retryAt).toBeUndefined();
    for (const resetsAt of [-1, 0, 1e18, "soon"]) {
      const odd = { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } };
      expect(failureAfter(odd, failed(words))?.retryAt).toBeUndefined();
    }
  });
});
