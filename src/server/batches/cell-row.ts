import * as v from "valibot";
import type { BatchState, CellState } from "../../batch/model/batch-state.js";
import { type CellResult, cellVerdicts, type ShellResult } from "../../batch/model/cell.js";
import { Failure } from "../../events/failure.js";
import { cutText, ellipsis, toVisibleLine } from "../../text/cut.js";
import type { CellRow, CellSign } from "../batch-protocol.js";

const shownReason = 300;
const shownTail = 4000;
const shownOutput = 20_000;
const shownRetries = 20;

/** What the square of a cell shows. */
export function signOfCell({ status, result }: CellState): CellSign {
  if (status !== "done") return status;
  return cellVerdicts.find((each) => each === result?.verdict) ?? "error";
}

/** Turns cells into rows of the page. */
export function createToCellRow({ head: { plan } }: BatchState): (cell: CellState) => CellRow {
  const tasks = new Map(plan.tasks.map(({ id }, index) => [id, index]));
  const arms = new Map(plan.arms.map(({ id }, index) => [id, index]));
  return (state) => {
    const { cell, result } = state;
    const sign = signOfCell(state);
    return {
      id: cell.id,
      task: tasks.get(cell.task.id) ?? 0,
      arm: arms.get(cell.arm.id) ?? 0,
      repetition: cell.repetition,
      sign,
      ...factsOf({ ...state, ...(state.status === "done" && result), reason: reasonOf(state, sign) }),
    };
  };
}

const factTypes = {
  attempts: "number",
  runId: "string",
  worker: "string",
  startedAt: "string",
  endedAt: "string",
  until: "string",
  reason: "string",
  costUsd: "number",
  costSource: "string",
} as const satisfies Partial<Record<keyof CellRow, string>>;

/** The facts that are known. Lines of a ledger that somebody else wrote may have fields of other types: they are left out. */
function factsOf(given: object): Partial<CellRow> {
  const names = Object.keys(factTypes) as (keyof typeof factTypes)[];
  const known = names.flatMap((name) => {
    const value: unknown = Reflect.get(given, name);
    return typeof value === factTypes[name] ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}

function reasonOf({ failure, reason, result }: CellState, sign: CellSign): string | undefined {
  const words = {
    failed: result?.reason ?? result?.outcome?.failure?.message,
    error: result?.reason ?? result?.outcome?.failure?.message,
    skipped: reason,
    retrying: failure?.message,
  };
  const found = Object.hasOwn(words, sign) ? words[sign as keyof typeof words] : undefined;
  return typeof found === "string" ? toVisibleLine(found, shownReason) : undefined;
}

const Shell = v.looseObject({
  isSuccess: v.boolean(),
  exitCode: v.nullable(v.number()),
  durationMs: v.number(),
  tail: v.string(),
});
const count = v.number();

/** What the page reads of a result. A ledger that somebody else wrote may have anything in its place. */
const ShownResult = v.looseObject({
  outcome: v.optional(
    v.looseObject({ isSuccess: v.boolean(), reason: v.string(), failure: v.optional(Failure) }),
  ),
  setup: v.optional(Shell),
  check: v.optional(Shell),
  retries: v.array(v.looseObject({ runId: v.string(), failure: Failure })),
  model: v.optional(v.string()),
  agentVersion: v.optional(v.string()),
  turns: v.optional(count),
  changes: v.optional(v.looseObject({ files: count, insertions: count, deletions: count })),
});

/** A result with its long texts cut. Undefined: the page could not show it. */
export function toShownResult(result: CellResult): CellResult | undefined {
  if (!v.is(ShownResult, result)) return undefined;
  const { setup, check, output, retries, ...others } = result;
  const text = output === undefined ? "" : JSON.stringify(output);
  return {
    ...others,
    retries: retries.slice(-shownRetries),
    ...(setup !== undefined && { setup: cutShell(setup) }),
    ...(check !== undefined && { check: cutShell(check) }),
    ...(output !== undefined && {
      output: text.length <= shownOutput ? output : cutText(text, shownOutput).head + ellipsis,
    }),
  };
}

function cutShell(shell: ShellResult): ShellResult {
  return { ...shell, tail: shell.tail.slice(-shownTail) };
}
