import { describe, expect, it } from "vitest";
import { pi } from "../../src/agents/pi/definition.js";
import { translateRun } from "../support/translated-run.js";

const session = { type: "session", version: 3, id: "pi-1", cwd: "/repo" };
const start = { type: "agent_start" };
const end = { type: "agent_end", messages: [] };

function answer(text: string, about: object = {}) {
  const content = text === "" ? [] : [{ type: "text", text }];
  return {
    type: "message_end",
    message: { role: "assistant", content, model: "m", stopReason: "stop", ...about },
  };
}

const failed = (errorMessage: string, text = "") => answer(text, { stopReason: "error", errorMessage });

describe("pi: how a run ends", () => {
  it("tells a failed request once, as an error, when nothing follows it", () => {
    const told = translateRun(pi, [session, start, failed("401 Incorrect API key"), end]);
    expect(told.of("error")).toMatchObject([{ message: "401 Incorrect API key", line: 3 }]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { kind: "auth" } });
  });

  it("tells what a failed answer had said", () => {
    const told = translateRun(pi, [start, failed("terminated", "Half"), end]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Half"]);
    expect(told.result.failure?.kind).toBe("network");
  });

  it("makes a warning of a failed request that is tried again", () => {
    const retry = {
      type: "auto_retry_start",
      attempt: 1,
      maxAttempts: 3,
      delayMs: 2000,
      errorMessage: "terminated",
    };
    const told = translateRun(pi, [start, failed("terminated"), end, retry, start, answer("Done."), end]);
    expect(told.of("warning").map(({ message }) => message)).toEqual([
      "request failed (terminated): retry 1 of 3 in 2000 ms",
    ]);
    expect(told.of("error")).toEqual([]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
  });

  it("says that the text of an answer that is asked for again is withdrawn", () => {
    const retry = { type: "auto_retry_start", attempt: 1, errorMessage: "terminated" };
    const told = translateRun(pi, [
      start,
      failed("terminated", "Half"),
      end,
      retry,
      start,
      answer("All."),
      end,
    ]);
    expect(told.of("warning").map(({ code }) => code)).toEqual([undefined, "text_withdrawn"]);
    const [first, second] = told.of("agent");
    expect(first?.messageId).not.toBe(second?.messageId);
    expect(told.result.text).toBe("All.");
  });

  it("fails when the process is gone before the retry that it announced", () => {
    const retry = {
      type: "auto_retry_start",
      attempt: 1,
      maxAttempts: 3,
      delayMs: 2000,
      errorMessage: "terminated",
    };
    expect(translateRun(pi, [start, failed("terminated"), end, retry]).result.isSuccess).toBe(false);
  });

  it("goes on after making room in the context", () => {
    const told = translateRun(pi, [
      ...[start, failed('400: {"message":"prompt is too long","code":"context_length_exceeded"}')],
      ...[
        { ...end, willRetry: false },
        { type: "compaction_start", reason: "overflow" },
      ],
      ...[
        { type: "compaction_end", reason: "overflow", willRetry: true },
        start,
        answer("Done."),
        { ...end, willRetry: false },
      ],
      { type: "agent_settled" },
    ]);
    expect(told.of("warning").map(({ message }) => message)).toEqual([
      "request failed (prompt is too long): Pi went on",
    ]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
  });

  it("has succeeded when Pi exits while it makes room for a next prompt", () => {
    expect(
      translateRun(pi, [start, answer("Done."), end, { type: "compaction_start", reason: "threshold" }])
        .result.isSuccess,
    ).toBe(true);
  });

  it("tells that there was no room to be made", () => {
    const compaction = {
      type: "compaction_end",
      reason: "overflow",
      errorMessage: "nothing to compact",
      willRetry: false,
    };
    const told = translateRun(pi, [start, failed("prompt is too long"), end, compaction]);
    expect(told.of("warning").map(({ message }) => message)).toEqual(["nothing to compact"]);
    expect(told.result.failure?.kind).toBe("context_overflow");
  });

  it("is cancelled when the answer was aborted", () => {
    expect(translateRun(pi, [start, answer("Ha", { stopReason: "aborted" }), end]).result.failure?.kind).toBe(
      "cancelled",
    );
  });

  it("is cancelled when Pi settles because it was aborted", () => {
    const settled = { type: "agent_settled", aborted: true };
    const told = translateRun(pi, [start, answer("Ha"), { ...end, willRetry: false }, settled]);
    expect(told.result).toMatchObject({ isSuccess: false, text: "Ha", failure: { kind: "cancelled" } });
    expect(told.of("error")).toHaveLength(1);
  });

  it("succeeds with a warning when the answer reached its limit", () => {
    const told = translateRun(pi, [start, answer("Trunc", { stopReason: "length" }), end]);
    expect(told.of("warning")).toMatchObject([{ code: "output_limit" }]);
    expect(told.result.isSuccess).toBe(true);
  });

  it("fails without its last record, although it exits 0", () => {
    expect(translateRun(pi, [session, start, answer("Let me see.")]).result.isSuccess).toBe(false);
  });
});

describe("pi: messages", () => {
  const begun = { type: "message_start", message: { role: "assistant", content: [], model: "m" } };
  const update = (type: string, delta: string) => ({
    type: "message_update",
    assistantMessageEvent: { type, contentIndex: 0, delta },
  });

  it("tells what an answer had said when it was cut off", () => {
    const told = translateRun(
      pi,
      [
        session,
        start,
        begun,
        update("text_delta", "Part "),
        update("text_delta", "one."),
        update("text_delta", ""),
      ],
      { ended: { exitCode: 143 } },
    );
    const [piece] = told.of("text");
    expect(told.of("agent")).toMatchObject([{ message: "Part one.", messageId: piece?.messageId, line: 5 }]);
    expect(told.result).toMatchObject({ isSuccess: false, text: "Part one.", failure: { kind: "killed" } });
  });

  it("tells what an answer had said when another begins without its end", () => {
    const told = translateRun(pi, [start, begun, update("text_delta", "Half"), begun, answer("All."), end]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Half", "All."]);
  });

  it("tells thinking of which only empty pieces came", () => {
    const content = [{ type: "thinking", thinking: "Hm." }];
    const whole = { type: "message_end", message: { role: "assistant", content } };
    const told = translateRun(pi, [start, begun, update("thinking_delta", ""), whole, end]);
    expect(told.of("thinking")).toMatchObject([{ message: "Hm." }]);
  });

  it("reads content that is a string, and ignores what others say", () => {
    const user = { type: "message_end", message: { role: "user", content: "Hi" } };
    const text = { type: "message_end", message: { role: "assistant", content: "Hello" } };
    expect(translateRun(pi, [session, user, text, end]).of("agent")).toMatchObject([
      { message: "Hello", sessionId: "pi-1" },
    ]);
  });

  it("tells thinking that was not streamed before the text", () => {
    const content = [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Hello" },
    ];
    const told = translateRun(pi, [{ type: "message_end", message: { role: "assistant", content } }, end]);
    expect(told.events.map(({ type }) => type).slice(1, 3)).toEqual(["thinking", "agent"]);
  });

  it("names the session, its model and its directory in one event, and a new model in another", () => {
    const begun = (model: string) => ({
      type: "message_start",
      message: { role: "assistant", content: [], model },
    });
    const told = translateRun(pi, [session, begun("m"), answer("A"), begun("m"), begun("n"), end]);
    expect(told.of("session")).toMatchObject([
      { sessionId: "pi-1", model: "m", cwd: "/repo" },
      { model: "n" },
    ]);
  });

  it("adds up what each answer used", () => {
    const usage = (input: number) => ({
      input,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
      reasoning: 1,
      cost: { total: 0.25 },
    });
    const told = translateRun(pi, [
      answer("A", { usage: usage(10) }),
      answer("B", { usage: usage(20) }),
      end,
    ]);
    expect(told.of("usage").map(({ scope, totalTokens }) => [scope, totalTokens])).toEqual([
      ["step", 19],
      ["step", 29],
      ["run", 48],
    ]);
    expect(told.of("usage").at(-1)).toMatchObject({
      inputTokens: 30,
      cacheReadTokens: 6,
      cacheWriteTokens: 8,
      outputTokens: 4,
      reasoningTokens: 2,
    });
    expect(told.result.costUsd).toBe(0.5);
  });

  it("adds what tools, compactions and a warm cache used", () => {
    const usage = { input: 10, output: 2, cost: { total: 0.25 } };
    const told = translateRun(pi, [
      answer("A", { usage }),
      { type: "message_end", message: { role: "toolResult", toolCallId: "c", content: [], usage } },
      { type: "compaction_end", reason: "threshold", result: { summary: "S", usage }, willRetry: false },
      { type: "entry_appended", entry: { type: "usage", kind: "warm", usage } },
      { type: "entry_appended", entry: { type: "context_edit" } },
      end,
    ]);
    expect(told.of("usage").map(({ scope, totalTokens }) => [scope, totalTokens])).toEqual([
      ...[1, 2, 3, 4].map(() => ["step", 12]),
      ["run", 48],
    ]);
    expect(told.result.costUsd).toBe(1);
  });

  it("keeps a record of a new type", () => {
    const record = { type: "dream_start", depth: 2 };
    expect(
      translateRun(pi, [record])
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual([record]);
  });
});
