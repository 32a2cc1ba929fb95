import type { BatchState } from "../../../src/batch/model/batch-state.js";
import type { Cell, CellResult } from "../../../src/batch/model/cell.js";
import { createRandom } from "../../../src/batch/report/statistics.js";
import { batchOf, ended } from "./states.js";

const tail = `
> cart@1.0.0 test
> vitest run

 FAIL  test/cart.test.ts > the total > adds the tax once
AssertionError: expected 21.42 to be 20.4
 Test Files  1 failed (1)
      Tests  1 failed | 11 passed (12)
`;

export const samplePatch = `diff --git a/src/cart.ts b/src/cart.ts
index 3f1c2aa..9b0e1d4 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -12,7 +12,7 @@ export function total(items: readonly Item[]): number {
   let sum = 0;
   for (const item of items) sum += item.price * item.count;
-  return round(sum * (1 + tax) * (1 + tax));
+  return round(sum * (1 + tax));
 }
`;

interface Habits {
  rate: number;
  cost: number;
  minutes: number;
  model: string;
  version: string;
}

const habits: Readonly<Record<string, Habits>> = {
  "claude-opus": {
    rate: 0.92,
    cost: 0.31,
    minutes: 2.1,
    model: "claude-opus-4-5-20251101",
    version: "2.1.12",
  },
  "claude-haiku": { rate: 0.6, cost: 0.04, minutes: 0.9, model: "claude-haiku-4-5", version: "2.1.12" },
  codex: { rate: 0.72, cost: 0.12, minutes: 1.6, model: "gpt-5-codex", version: "0.58.0" },
  "gemini-flash": { rate: 0.3, cost: 0.02, minutes: 0.7, model: "gemini-2.5-flash", version: "0.17.1" },
};

/** A batch as people have it: four arms, a few tasks, some trouble. */
export function sampleBatch(): BatchState {
  const random = createRandom(5);
  return batchOf({
    name: "cart",
    repeats: 5,
    arms: [
      { id: "claude-opus", agent: "claude", model: "opus" },
      { id: "claude-haiku", agent: "claude", model: "haiku" },
      { id: "codex", agent: "codex" },
      { id: "gemini-flash", agent: "gemini", model: "flash" },
    ],
    tasks: ["fix-total", "add-currency", "remove-dead-code", { id: "explain-rounding", check: undefined }],
    result: (cell, index) => sampleResult(cell, index, random),
    lines: () => [ended],
  });
}

function sampleResult(cell: Cell, index: number, random: () => number): Partial<CellResult> {
  const own = habits[cell.arm.id] ?? habits["codex"];
  if (own === undefined) throw new Error("no such arm");
  const isPassed = random() < own.rate;
  const costUsd = own.cost * (0.5 + random());
  const usage = {
    inputTokens: Math.round(20_000 + random() * 60_000),
    outputTokens: Math.round(2000 + random() * 4000),
  };
  const measured: Partial<CellResult> = {
    agentVersion: own.version,
    model: own.model,
    authentication: cell.arm.agent === "claude" ? "ANTHROPIC_API_KEY" : "auth.json",
    durationMs: own.minutes * 60_000 * (0.5 + random()),
    costUsd,
    ...(cell.arm.agent !== "claude" && { costSource: "estimated" as const }),
    usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
    turns: 3 + Math.floor(random() * 8),
    commands: { run: 4 + Math.floor(random() * 6), failed: Math.floor(random() * 2) },
    changes: { files: 1 + Math.floor(random() * 3), insertions: 12, deletions: 4 },
  };
  return { ...measured, ...troubleOf(cell, index, isPassed) };
}

function troubleOf(cell: Cell, index: number, isPassed: boolean): Partial<CellResult> {
  const hasCheck = cell.task.check !== undefined;
  const without = hasCheck ? {} : { check: undefined };
  if (index === 17) {
    const failure = { kind: "auth" as const, message: "Invalid API key · Please run /login" };
    const outcome = { isSuccess: false, reason: "failed" as const, failure };
    return { verdict: "error", reason: failure.message, outcome, check: undefined };
  }
  if (index === 31) {
    const setup = { isSuccess: false, exitCode: 1, durationMs: 4000, tail: "npm error code ENOTFOUND\n" };
    return {
      verdict: "error",
      reason: "The setup failed with exit code 1.",
      setup,
      outcome: undefined,
      check: undefined,
    };
  }
  const retried: Partial<CellResult> =
    index % 13 === 5
      ? {
          attempts: 2,
          retries: [
            {
              runId: "c0-old",
              failure: { kind: "rate_limit", message: "429 Too Many Requests" },
              until: "2026-11-17T10:05:00.000Z",
            },
          ],
        }
      : {};
  if (index === 22) {
    const failure = { kind: "timed_out" as const, message: "It was stopped after 10 minutes." };
    return { ...retried, ...without, outcome: { isSuccess: false, reason: "timed_out", failure } };
  }
  if (isPassed) return { ...retried, ...without };
  const check = { isSuccess: false, exitCode: 1, durationMs: 2100, tail };
  const failure = { kind: "max_turns" as const, message: "Reached the maximum number of turns (12)." };
  if (!hasCheck)
    return {
      ...without,
      verdict: "failed",
      reason: failure.message,
      outcome: { isSuccess: false, reason: "failed", failure },
    };
  return { ...retried, verdict: "failed", reason: "The check failed with exit code 1.", check };
}
