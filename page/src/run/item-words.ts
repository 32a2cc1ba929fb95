import { describeDeed } from "../../../src/story/describe-operation.js";
import { describeRequest } from "../../../src/story/describe-request.js";
import { hasFailed, outcomeWords } from "../../../src/story/outcomes.js";
import { progressOf } from "../../../src/story/plan-progress.js";
import { describeCall, isFailedCall } from "../../../src/story/timeline/describe-call.js";
import type { EndItem, Item, TurnEndItem } from "../../../src/story/timeline/items.js";
import { formatCount, formatDuration, formatNumberOf, formatShortCount } from "../../../src/text/numbers.js";
import { toJsonText } from "../../../src/text/to-json.js";
import { formatCost } from "../ui/cost.js";
import type { ViewState } from "./view-state.js";

export type SpokenItem = Extract<Item, { kind: "message" | "error" | "warning" | "turn" }>;

/** An entry in one line. Not yet safe to show. */
export function wordsOf(item: Exclude<Item, SpokenItem>, cwd: string): { verb: string; object: string } {
  switch (item.kind) {
    case "call": {
      const { verb, object, more } = describeCall(item, cwd);
      return { verb, object: more > 0 ? `${object}  and ${formatCount(more)} more` : object };
    }
    case "operation":
      return describeDeed(item.operation, cwd);
    case "thinking":
      return { verb: "Thinking", object: item.text };
    case "edits":
      return {
        verb: `Proposed ${formatNumberOf(item.edits.length, "edit")}`,
        object: [...new Set(item.edits.map(({ filePath }) => filePath))].join(", "),
      };
    case "unknown":
      return { verb: "Not understood", object: toJsonText(item.raw).slice(0, 2000) };
    case "session":
      return {
        verb: "Session",
        object: [item.model, item.sessionId].filter((part) => part !== undefined).join("  "),
      };
    case "turn_end":
      return wordsOfTurnEnd(item);
    case "request":
      return describeRequest(item.request, cwd);
    case "plan": {
      const { words, current } = progressOf(item.entries);
      return { verb: "Plan", object: current === undefined ? words : `${words}: ${current}` };
    }
    case "end":
      return wordsOfEnd(item);
  }
}

function wordsOfEnd({ result, exited }: EndItem): { verb: string; object: string } {
  const verb = exited === undefined ? "Ended" : outcomeWords[exited.reason];
  const exit = exited?.exitCode === null ? exited.signal : exited && `exit code ${exited.exitCode}`;
  const kind = result?.failure?.kind;
  const why = kind === exited?.reason ? undefined : kind?.replaceAll("_", " ");
  return { verb, object: [why, exit].filter(Boolean).join(", ") };
}

function wordsOfTurnEnd({ number, end, tokens }: TurnEndItem): { verb: string; object: string } {
  const { reason, failure, durationMs, costUsd, costSource } = end;
  const facts = [
    ...(failure === undefined ? [] : [failure.message]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens === undefined ? [] : [`${formatShortCount(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatCost(costUsd, costSource)]),
  ];
  return { verb: `Turn ${number} ${reason}`, object: facts.join(" · ") };
}

/** The sign before an entry, with its meaning in words. */
export function statusOf(item: Item, view: ViewState): { sign: string; words: string } | undefined {
  const failed = { sign: "failed", words: "failed" };
  const done = { sign: "completed", words: "done" };
  const asks = { sign: "open", words: "waits for an answer" };
  if (item.kind === "end") {
    if (item.exited?.reason === "cancelled") return { sign: "cancelled", words: "cancelled" };
    return item.result?.isSuccess ? done : failed;
  }
  if (item.kind === "turn_end") {
    if (item.end.reason === "interrupted") return { sign: "cancelled", words: "interrupted" };
    return item.end.isSuccess ? done : failed;
  }
  if (item.kind === "request") return item.decision === undefined ? asks : undefined;
  if (item.kind === "operation") return hasFailed(item.operation) ? failed : done;
  if (item.kind !== "call") return undefined;
  if (isFailedCall(item)) return failed;
  if (item.isSuccess === undefined && item.end === undefined) {
    const isOn = view.source.state.value === "live" || view.isReplaying.value;
    return isOn ? { sign: "running", words: "running" } : { sign: "open", words: "did not finish" };
  }
  return item.isSuccess === undefined ? { sign: "open", words: "outcome unknown" } : done;
}
