import { describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/agents/create-translator.js";
import { defineAgent } from "../../../src/agents/define-agent.js";
import type { EventOf, HarnessEvent } from "../../../src/events/event.js";

const init = { type: "system", subtype: "init", session_id: "s" };
const said = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { id: "m", content: [{ type: "text", text }] },
  ...more,
});
const result = (more: object = {}) => ({ type: "result", subtype: "success", is_error: false, ...more });

function translateRecords(agent: Parameters<typeof createTranslator>[0], records: readonly object[]) {
  const translator = createTranslator(agent);
  const events: HarnessEvent[] = [...translator.start()];
  for (const record of records) events.push(...translator.line(JSON.stringify(record)));
  const { isDone } = translator;
  events.push(...translator.end({ exitCode: 0 }));
  const end = events.find((event): event is EventOf<"result"> => event.type === "result");
  return { events, isDone, result: end };
}

describe("a success is final only when nothing follows it", () => {
  it.each([
    ["cursor", [{ type: "result", subtype: "success", is_error: false }], { type: "error", message: "lost" }],
    [
      "gemini",
      [{ type: "result", status: "success" }],
      { type: "error", severity: "error", message: "lost" },
    ],
    [
      "antigravity",
      [{ event: "result", result: { status: "SUCCESS", response: "ok" } }],
      { event: "step_update", step_update: { step_type: "agent_response", error: { message: "lost" } } },
    ],
    ["claude", [init, result()], said("lost", { error: "server_error" })],
  ])("%s: an error after it is why the run failed", (agent, records, error) => {
    expect(translateRecords(agent, records).result).toMatchObject({ isSuccess: true });
    const translated = translateRecords(agent, [...records, error]);
    expect(translated.result).toMatchObject({ isSuccess: false, failure: { message: "lost" } });
    expect(translated.events.filter(({ type }) => type === "error")).toHaveLength(1);
  });

  it("a warning after it changes nothing", () => {
    const warning = { type: "error", severity: "warning", message: "slow" };
    expect(
      translateRecords("gemini", [{ type: "result", status: "success" }, warning]).result?.isSuccess,
    ).toBe(true);
  });

  it("claude: more work without a new turn is a run whose last record is missing", () => {
    const translated = translateRecords("claude", [
      init,
      said("Tests are running."),
      result(),
      said("I will now…"),
    ]);
    expect(translated.isDone).toBe(false);
    expect(translated.result).toMatchObject({
      isSuccess: false,
      failure: { message: "the stream ended without the agent's final record" },
    });
    expect(translated.result).not.toHaveProperty("line");
    const ended = translateRecords("claude", [
      init,
      result(),
      said("I will now…"),
      result({ result: "Done." }),
    ]);
    expect(ended.result).toMatchObject({ isSuccess: true, text: "Done." });
  });

  it("claude: what a subagent says or how it fails after it is not the run's", () => {
    const ofSubagent = { parent_tool_use_id: "t-1" };
    const translated = translateRecords("claude", [
      init,
      result(),
      said("…", ofSubagent),
      said("no", { ...ofSubagent, error: "x" }),
    ]);
    expect(translated.result).toMatchObject({ isSuccess: true });
    expect(translated.isDone).toBe(true);
  });

  it("another success after the error is a success, also for an agent of one's own", () => {
    const agent = defineAgent({
      id: "own",
      name: "Own",
      createMapping: () => ({
        record(record, out) {
          if (record["type"] === "done") out.run.terminal = "success";
          if (record["type"] === "oops") out.emit({ type: "error", message: "oops" });
          out.consume("known");
        },
      }),
      launch: () => ({ args: [] }),
    });
    expect(translateRecords(agent, [{ type: "done" }, { type: "oops" }]).result?.isSuccess).toBe(false);
    expect(
      translateRecords(agent, [{ type: "done" }, { type: "oops" }, { type: "done" }]).result?.isSuccess,
    ).toBe(true);
    expect(translateRecords(agent, [{ type: "oops" }, { type: "done" }]).result?.isSuccess).toBe(true);
  });
});

describe("records as versions and forks may spell them", () => {
  it.each([true, "true", "True", 1, "1"])("is_error: %j is a failure", (flag) => {
    for (const agent of ["claude", "cursor"])
      expect(
        translateRecords(agent, [init, result({ is_error: flag, result: "no" })]).result?.isSuccess,
      ).toBe(false);
  });

  it.each([false, "false", 0, "0"])("is_error: %j is none", (flag) => {
    for (const agent of ["claude", "cursor"])
      expect(translateRecords(agent, [init, result({ is_error: flag })]).result?.isSuccess).toBe(true);
  });

  it.each([-0.01, -1e9, 1e300, "free"])("a cost of %j is not reported", (cost) => {
    const translated = translateRecords("claude", [
      init,
      result({ total_cost_usd: cost, usage: { input_tokens: 1, output_tokens: 2 } }),
    ]);
    expect(translated.result).not.toHaveProperty("costUsd");
    const usage = translated.events.find(({ type }) => type === "usage");
    expect(usage).toMatchObject({ inputTokens: 1, outputTokens: 2, totalTokens: 3 });
    expect(usage).not.toHaveProperty("costUsd");
  });

  it.each([-5, 1.5, 1e15, null])("%j tokens are not reported", (tokens) => {
    const translated = translateRecords("claude", [
      init,
      result({ usage: { input_tokens: tokens, output_tokens: 2 } }),
    ]);
    const usage = translated.events.find(({ type }) => type === "usage");
    expect(usage).toMatchObject({ outputTokens: 2 });
    expect(usage).not.toHaveProperty("inputTokens");
  });
});
