import { describe, expect, it } from "vitest";
import { defineAgent } from "../../../src/agents/define-agent.js";
import { createFramedTranslator } from "../../../src/agents/frame/frame.js";
import { withNextStep } from "../../../src/agents/frame/next-step.js";
import { agents } from "../../../src/agents/registry.js";
import { type Failure, type FailureKind, failureKinds } from "../../../src/events/failure.js";
import type { Ended } from "../../../src/events/run-state.js";

const saidAt = "2026-11-17T10:00:00.000Z";

function nextStep(id: string, failure: Failure, ended: Ended = { exitCode: 1 }): Failure {
  const agent = agents.find((known) => known.id === id);
  if (agent === undefined) throw new Error(`no agent ${id}`);
  return withNextStep(failure, { agent, ended, saidAt });
}

describe("the next step after a failure", () => {
  it.each<[string, FailureKind, string, string]>([
    [
      "claude",
      "auth",
      "Invalid API key",
      "Set ANTHROPIC_API_KEY to a valid key, or run `claude` and use /login.",
    ],
    [
      "codex",
      "auth",
      "Missing environment variable: `MY_KEY`.",
      "Set MY_KEY to a valid key, or run `codex login`.",
    ],
    ["antigravity", "auth", "not signed in", "Run `agy` and sign in with a Google account."],
    [
      "goose",
      "auth",
      "401",
      "Set the variable of your provider (such as OPENAI_API_KEY) to a valid key, or run `goose configure`.",
    ],
    ["codex", "not_installed", "not found", "Install it with: npm install -g @openai/codex"],
    [
      "claude",
      "rate_limit",
      "You've hit your session limit · resets 3pm (UTC)",
      "The limit ends at 2026-11-17T15:00:00Z: run it again after that, or use another model (--model).",
    ],
    ["codex", "quota", "Quota exceeded.", "Check the plan and the credits of the account that Codex uses."],
    ["claude", "max_turns", "Reached maximum number of turns (2)", "Raise --max-turns."],
    [
      "gemini",
      "max_turns",
      "Reached max session turns",
      "Raise the limit of turns in the settings of Gemini CLI.",
    ],
  ])("%s, %s: %s", (id, kind, message, hint) => {
    expect(nextStep(id, { kind, message }).hint).toBe(hint);
  });

  it("is a sentence or two, or none", () => {
    for (const { id } of agents)
      for (const kind of failureKinds) {
        const { hint } = nextStep(id, { kind, message: "It failed." });
        if (hint !== undefined && kind !== "not_installed") expect(hint).toMatch(/^[A-Z][^\n]+\.$/);
        expect(hint ?? "").not.toMatch(/undefined|\[object/);
      }
  });

  it("is not known for what nobody can explain, and needs none after a cancellation", () => {
    for (const kind of ["unknown", "crash", "cancelled", "interrupted"] as const)
      expect(nextStep("codex", { kind, message: "It failed." }).hint).toBeUndefined();
    expect(nextStep("generic", { kind: "not_installed", message: "" }).hint).toBeUndefined();
    expect(nextStep("generic", { kind: "auth", message: "" }).hint).toBeUndefined();
  });

  it("says what is wrong with the configuration, unless the message does", () => {
    const hintOf = (message: string, ended?: Ended) =>
      nextStep("codex", { kind: "config", message }, ended).hint;
    expect(hintOf("no rollout found for thread id 1")).toBe("Resume another session, or leave --resume out.");
    expect(hintOf("error: unexpected argument '--nope' found")).toContain("`harness check codex`");
    const startFailure = { kind: "config", message: "it is not executable" } as const;
    expect(hintOf(startFailure.message, { exitCode: null, startFailure })).toBeUndefined();
  });

  it("names an option only for a limit that harness has set", () => {
    const slow = { kind: "timed_out", message: "run timed out after 5s" } as const;
    expect(nextStep("cline", slow).hint).toBeUndefined();
    expect(nextStep("cline", slow, { exitCode: null, reason: "timed_out" }).hint).toContain("--timeout");
  });

  it("says when a limit ends by the agent's own field before its words, and only for what passes", () => {
    const message = "try again in 20s";
    const retryAt = "2026-11-18T00:00:00.000Z";
    expect(nextStep("codex", { kind: "rate_limit", message, retryAt }).retryAt).toBe(retryAt);
    expect(nextStep("codex", { kind: "rate_limit", message }).retryAt).toBe("2026-11-17T10:00:20.000Z");
    expect(nextStep("codex", { kind: "auth", message }).retryAt).toBeUndefined();
  });
});

describe("a failed run", () => {
  const limited = defineAgent({
    id: "limited",
    signIn: "`limited login`",
    launch: () => ({ args: [] }),
    createMapping: () => ({
      record(record, out) {
        const { message = "", ...rest } = record as { message?: string; kind?: "auth"; retryAt?: string };
        out.run.failure = { message, isReported: true, ...rest };
        out.emit({ type: "error", message });
      },
    }),
  });

  function failureOf(record: object, options: { hasTiming?: boolean } = {}): Failure | undefined {
    const translator = createFramedTranslator(limited, options);
    translator.start("2026-11-17T10:00:00.000Z");
    translator.line(JSON.stringify(record), "2026-11-17T10:00:05.000Z");
    const events = translator.end({ exitCode: 0 }, "2026-11-17T10:30:00.000Z");
    return events.find((event) => event.type === "result")?.failure;
  }

  it("counts from when the limit was reported, not from its end", () => {
    expect(failureOf({ message: "Rate limit reached, try again in 20s" })).toEqual({
      kind: "rate_limit",
      message: "Rate limit reached, try again in 20s",
      hint: "The limit ends at 2026-11-17T10:00:25Z: run it again after that.",
      retryAt: "2026-11-17T10:00:25.000Z",
    });
  });

  it("does not count from the time of a later translation", () => {
    const failure = failureOf({ message: "Rate limit reached, try again in 20s" }, { hasTiming: false });
    expect(failure?.retryAt).toBeUndefined();
  });

  it("takes the agent's own date if it is one", () => {
    const message = "Rate limit reached";
    expect(failureOf({ message, retryAt: "2026-11-18T08:30:00+02:00" })?.retryAt).toBe(
      "2026-11-18T06:30:00.000Z",
    );
    expect(failureOf({ message, retryAt: "soon" })?.retryAt).toBeUndefined();
  });

  it("of an agent that is not built in says how to sign in", () => {
    expect(failureOf({ message: "not signed in" })?.hint).toBe("Run `limited login`.");
  });
});
