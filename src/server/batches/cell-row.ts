import type { BatchState, CellState } from "../../batch/model/batch-state.js";
import { type CellResult, cellVerdicts, type ShellResult } from "../../batch/model/cell.js";
import { cutText, ellipsis, toVisibleLine } from "../../text/cut.js";
import type { CellRow, CellSign } from "../batch-protocol.js";

const shownReason = 300;
const shownTail = 4000;
const shownOutput = 20_000;
const shownRetries = 20;

/** What the square of a cell shows. Nothing runs in a batch that was killed. */
export function signOf({ status, result }: CellState, isRunning: boolean): CellSign {
  if (status === "done") return cellVerdicts.find((each) => each === result?.verdict) ?? "error";
  return isRunning || status === "skipped" ? status : "waiting";
}

/** Turns cells into rows of the page. */
export function createToCellRow({
  head: { plan },
}: BatchState): (cell: CellState, isRunning: boolean) => CellRow {
  const tasks = new Map(plan.tasks.map(({ id }, index) => [id, index]));
  const arms = new Map(plan.arms.map(({ id }, index) => [id, index]));
  return (state, isRunning) => {
    const { cell, result, attempts, runId, worker, startedAt, until } = state;
    const sign = signOf(state, isRunning);
    const reason = reasonOf(state, sign);
    return {
      id: cell.id,
      task: tasks.get(cell.task.id) ?? 0,
      arm: arms.get(cell.arm.id) ?? 0,
      repetition: cell.repetition,
      sign,
      ...(attempts > 0 && { attempts }),
      ...(runId !== undefined && { runId }),
      ...(worker !== undefined && { worker }),
      ...(startedAt !== undefined && { startedAt }),
      ...(sign === "retrying" && until !== undefined && { until }),
      ...(reason !== undefined && { reason: toVisibleLine(reason, shownReason) }),
      ...(state.status === "done" && result !== undefined && factsOf(result)),
    };
  };
}

function factsOf({ endedAt, startedAt, costUsd, costSource, worker }: CellResult): Partial<CellRow> {
  return {
    startedAt,
    endedAt,
    ...(costUsd !== undefined && { costUsd, costSource: costSource ?? "agent" }),
    ...(worker !== undefined && { worker }),
  };
}

function reasonOf({ failure, reason, result }: CellState, sign: CellSign): string | undefined {
  if (sign === "failed" || sign === "error") return result?.reason ?? result?.outcome?.failure?.message;
  if (sign === "skipped") return reason;
  return sign === "retrying" ? failure?.message : undefined;
}

/** A result whose long texts are cut. */
export function cutResult({ setup, check, output, retries, ...result }: CellResult): CellResult {
  const text = output === undefined ? "" : JSON.stringify(output);
  return {
    ...result,
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
