import type { JsonValue } from "../../text/json.js";
import {
  formatCount,
  formatDuration,
  formatNumberOf,
  formatShortCount,
  formatUsd,
} from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { toJsonText } from "../../text/to-json.js";
import { type Deed, describeDeed } from "../describe-operation.js";
import { describeRecord } from "../describe-record.js";
import { describeRequest } from "../describe-request.js";
import { hasFailed, outcomeWords } from "../outcomes.js";
import { progressOf } from "../plan-progress.js";
import { describeCall, isFailedCall, isOpenCall } from "./describe-call.js";
import type { EndItem, Item, TurnEndItem } from "./items.js";

/** Items that are shown in full. All others are one line that can be unfolded. */
export type SpokenItem = Extract<Item, { kind: "message" | "error" | "warning" | "turn" }>;
export type FoldedItem = Exclude<Item, SpokenItem>;

const spokenKinds: ReadonlySet<Item["kind"]> = new Set(["message", "error", "warning", "turn"]);

export function isSpoken(item: Item): item is SpokenItem {
  return spokenKinds.has(item.kind);
}

/** A record in words, if it has any. A line that is no record stays as it is. */
function describeRaw(raw: JsonValue): string {
  return typeof raw === "string" ? raw : (describeRecord(raw) ?? toJsonText(raw));
}

/** An item in one line. Not yet safe to show. */
export function describeItem(item: FoldedItem, cwd: string | undefined): Deed & { more?: string } {
  switch (item.kind) {
    case "call": {
      const { verb, object, more } = describeCall(item, cwd);
      return more > 0 ? { verb, object, more: `and ${formatCount(more)} more` } : { verb, object };
    }
    case "operation":
      return describeDeed(item.operation, cwd);
    case "thinking":
      return { verb: "Thinking", object: item.text };
    case "edits":
      return {
        verb: `Proposed ${formatNumberOf(item.edits.length, "edit")}`,
        object: [...new Set(item.edits.map(({ filePath }) => relativeTo(filePath, cwd)))].join(", "),
      };
    case "unknown":
      return { verb: "Not understood", object: describeRaw(item.raw).slice(0, 2000) };
    case "session":
      return {
        verb: "Session",
        object: [item.model, item.sessionId].filter((part) => part !== undefined).join("  "),
      };
    case "turn_end":
      return describeTurnEnd(item);
    case "request":
      return describeRequest(item.request, cwd);
    case "plan": {
      const { words, current } = progressOf(item.entries);
      return { verb: "Plan", object: current === undefined ? words : `${words}: ${current}` };
    }
    case "end":
      return describeEnd(item);
  }
}

function describeEnd({ result, exited }: EndItem): Deed {
  const verb = result?.isSuccess ? outcomeWords.completed : outcomeWords[exited?.reason ?? "failed"];
  const exit = exited?.exitCode === null ? exited.signal : exited && `exit code ${exited.exitCode}`;
  const kind = result?.failure?.kind;
  const why = kind === exited?.reason ? undefined : kind?.replaceAll("_", " ");
  return { verb, object: [why, exit].filter(Boolean).join(", ") };
}

function describeTurnEnd({ number, end, tokens }: TurnEndItem): Deed {
  const { reason, failure, durationMs, costUsd, costSource } = end;
  const facts = [
    ...(failure === undefined ? [] : [failure.message]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens === undefined ? [] : [`${formatShortCount(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd) + (costSource === undefined ? "" : " estimated")]),
  ];
  return { verb: `Turn ${number}: ${outcomeWords[reason].toLowerCase()}`, object: facts.join(" · ") };
}

/** How an item went, with its meaning in words. Undefined: nothing can be said. */
export interface ItemStatus {
  sign: "completed" | "failed" | "cancelled" | "open" | "running";
  words: string;
}

const failed: ItemStatus = { sign: "failed", words: "failed" };
const done: ItemStatus = { sign: "completed", words: "done" };

/** `isUnderWay`: what has no end yet is still going on. */
export function statusOfItem(item: Item, isUnderWay: boolean): ItemStatus | undefined {
  switch (item.kind) {
    case "end":
      if (item.exited?.reason === "cancelled") return { sign: "cancelled", words: "cancelled" };
      return item.result?.isSuccess ? done : failed;
    case "turn_end":
      if (item.end.reason === "interrupted") return { sign: "cancelled", words: "interrupted" };
      return item.end.isSuccess ? done : failed;
    case "request":
      return item.decision === undefined ? { sign: "open", words: "waits for an answer" } : undefined;
    case "operation":
      return hasFailed(item.operation) ? failed : done;
    case "call":
      if (isFailedCall(item)) return failed;
      if (item.isSuccess !== undefined) return done;
      if (!isOpenCall(item)) return { sign: "open", words: "outcome unknown" };
      if (isUnderWay && item.isAsking) return { sign: "open", words: "waits for an answer" };
      return isUnderWay ? { sign: "running", words: "running" } : { sign: "open", words: "did not finish" };
    default:
      return undefined;
  }
}
