import fc from "fast-check";
import type { BatchState } from "../../../src/batch/model/batch-state.js";
import type { CellResult, Retry, ShellResult } from "../../../src/batch/model/cell.js";
import type { LedgerLine } from "../../../src/batch/model/ledger-line.js";
import { exitReasons, failureKinds } from "../../../src/events/failure.js";
import { hostile } from "../../outputs/text/hostile.js";
import { batchOf, endedAt, startedAt } from "./states.js";

/** Texts that try to leave the place they are put into. */
export const hostileTexts = [
  "<script>window.wasHere = 1</script>",
  '"><img src=x onerror="window.wasHere = 1">',
  "' onmouseover='window.wasHere = 1",
  "]]><![CDATA[",
  '</failure></testcase><testcase name="mine">',
  "</style></title></svg><script>window.wasHere = 1</script>",
  "--></pre></details>",
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J",
  "right \u202eto left\u202c \u2066isolated",
  "zero\u200bwidth \ufeff \u0000 \u0008 \ufffe \uffff \ud800",
  "&amp; &#x3c;script&#x3e; %3Cscript%3E",
  "| a table | `code` | **bold** | [link](javascript:alert(1)) ![x](https://example.invalid/x.png) |",
  "```\n~~~\n# a title\n- a list\n<details>",
  "line one\r\nline two\u2028line three\ttab",
];

const text = fc.oneof(hostile, fc.constantFrom(...hostileTexts), fc.string({ maxLength: 20 }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const amount = fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true });
const count = fc.nat({ max: 100_000 });

const failure = fc
  .record({ kind: fc.constantFrom(...failureKinds), message: text })
  .chain((known) => maybe(text).map((hint) => (hint === undefined ? known : { ...known, hint })));

const shell: fc.Arbitrary<ShellResult> = fc.record({
  isSuccess: fc.boolean(),
  exitCode: fc.option(fc.nat({ max: 255 })),
  signal: maybe(fc.constantFrom("SIGKILL", "SIGTERM")),
  isTimedOut: maybe(fc.constant(true as const)),
  durationMs: amount,
  tail: text,
});

const retry: fc.Arbitrary<Retry> = fc.record({ runId: text, failure, until: fc.constant(endedAt) });

const result: fc.Arbitrary<Partial<CellResult>> = fc.record({
  verdict: fc.constantFrom("passed", "failed", "error"),
  reason: maybe(text),
  outcome: maybe(
    fc.record({ isSuccess: fc.boolean(), reason: fc.constantFrom(...exitReasons), failure: maybe(failure) }),
  ),
  setup: maybe(shell),
  check: maybe(shell),
  output: maybe(fc.dictionary(text, text, { maxKeys: 2 })),
  runId: maybe(text),
  attempts: fc.integer({ min: 1, max: 4 }),
  retries: fc.array(retry, { maxLength: 2 }),
  agentVersion: maybe(text),
  model: maybe(text),
  authentication: maybe(text),
  throttled: fc.nat({ max: 3 }),
  costUsd: maybe(amount),
  costSource: maybe(fc.constant("estimated" as const)),
  usage: maybe(fc.record({ inputTokens: count, outputTokens: count, totalTokens: count })),
  durationMs: maybe(amount),
  turns: maybe(count),
  commands: fc.record({ run: count, failed: count }),
  changes: maybe(fc.record({ files: count, insertions: count, deletions: count })),
  worker: maybe(text),
});

type Fate =
  | { kind: "done"; result: Partial<CellResult> }
  | { kind: "waiting" | "running" | "retrying" | "skipped"; text: string };

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: result.map((one): Fate => ({ kind: "done", result: one })) },
  fc
    .tuple(fc.constantFrom("waiting", "running", "retrying", "skipped"), text)
    .map(([kind, why]): Fate => ({ kind, text: why })),
);

/** Any batch that a ledger can describe, and some that it should not. */
export const anyBatch: fc.Arbitrary<BatchState> = fc
  .record({
    name: text,
    arms: fc.uniqueArray(fc.record({ id: text, agent: text, model: maybe(text) }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ id }) => id,
    }),
    tasks: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
    repeats: fc.integer({ min: 1, max: 3 }),
    fates: fc.array(fate, { minLength: 36, maxLength: 36 }),
    end: maybe(fc.constantFrom("completed", "budget", "cancelled")),
    stopped: maybe(fc.tuple(text, failure)),
    isolated: fc.boolean(),
  })
  .map(({ name, arms, tasks, repeats, fates, end, stopped, isolated }) =>
    batchOf({
      name,
      arms,
      tasks,
      repeats,
      plan: { isolated },
      result: (_cell, index) => {
        const own = fates[index];
        return own?.kind === "done" ? own.result : undefined;
      },
      lines: (cells) => [
        ...cells.flatMap((cell, index): LedgerLine[] => linesOf(cell.id, fates[index])),
        ...(stopped === undefined
          ? []
          : [{ type: "agent_stopped" as const, at: endedAt, agent: stopped[0], failure: stopped[1] }]),
        ...(end === undefined ? [] : [{ type: "ended" as const, at: endedAt, reason: end }]),
      ],
    }),
  );

function linesOf(cellId: string, given: Fate | undefined): LedgerLine[] {
  if (given === undefined || given.kind === "done" || given.kind === "waiting") return [];
  const { kind, text: why } = given;
  if (kind === "skipped") return [{ type: "skipped", at: endedAt, cellId, reason: why }];
  const attempt = { at: startedAt, cellId, attempt: 1, runId: why };
  const started: LedgerLine = { type: "started", ...attempt };
  if (kind === "running") return [started];
  return [
    started,
    { type: "retrying", ...attempt, failure: { kind: "network", message: why }, until: endedAt },
  ];
}
