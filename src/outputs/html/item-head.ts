import type { EventOf } from "../../events/event.js";
import { describeDecision } from "../../story/describe-request.js";
import { durationOfCall, exitCodeOfCall, isOpenCall } from "../../story/timeline/describe-call.js";
import {
  describeItem,
  type FoldedItem,
  type ItemStatus,
  statusOfItem,
} from "../../story/timeline/describe-item.js";
import type { CallItem, Item } from "../../story/timeline/items.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration } from "../../text/numbers.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";

/** What the parts of an item need to know about their run. */
export interface RowContext {
  allowance: Allowance;
  cwd: string | undefined;
  /** The message that is the answer. */
  answer: Item | undefined;
  answerTitle: string;
  /** The run is under way: what has no end yet is going on. */
  isUnderWay?: boolean;
  /** How long such a run has taken so far, in milliseconds. */
  now?: number;
}

export const lineLength = 400;

const monospaced: ReadonlySet<Item["kind"]> = new Set(["call", "operation"]);

/** The line of an item that can be unfolded: how it went, what it is, and facts at its end. */
export function renderHeadline(item: FoldedItem, context: RowContext, steps?: string): Markup {
  const { verb, object, more } = describeItem(item, context.cwd);
  const isMono = monospaced.has(item.kind);
  return html`
    ${renderSign(statusOfItem(item, context.isUnderWay === true))}${" "}
    <span class="verb">${toVisibleLine(verb, 60)}</span>${" "}
    <span class="object${isMono && " mono"}" dir="auto">${toVisibleLine(object, lineLength)}</span>
    ${more !== undefined && html` <span class="more">${more}</span>`}
    ${renderFacts(item, context, steps)}`;
}

const signs: Record<ItemStatus["sign"], string> = {
  completed: "✓",
  failed: "✗",
  cancelled: "✗",
  open: "○",
  running: "…",
};

export function renderSign(status: ItemStatus | undefined): Markup {
  if (status === undefined) return html`<span class="sign none"></span>`;
  const { sign, words } = status;
  return html`<span class="sign ${sign}" role="img" aria-label="${words}" title="${words}">${signs[sign]}</span>`;
}

function renderFacts(item: FoldedItem, context: RowContext, steps: string | undefined): Markup | false {
  if (item.kind === "call") return html`<span class="aside">${factsOfCall(item, context, steps)}</span>`;
  return item.kind === "request" && html`<span class="aside">${renderDecision(item.decision)}</span>`;
}

function factsOfCall(call: CallItem, { isUnderWay, now }: RowContext, steps = ""): (Markup | false)[] {
  const exitCode = exitCodeOfCall(call) ?? 0;
  const took =
    call.end !== undefined
      ? durationOfCall(call)
      : isUnderWay && now !== undefined && isOpenCall(call) && !call.isAsking
        ? Math.max(0, now - call.time)
        : undefined;
  return [
    exitCode !== 0 && html`<span class="exit">exit ${exitCode}</span>`,
    steps !== "" && html`<span>${steps}</span>`,
    call.operations.length > 0 && html`<span class="tool">${toVisibleLine(call.name, 40)}</span>`,
    took !== undefined &&
      html`<span class="took${call.end === undefined && " so-far"}">${formatDuration(took)}</span>`,
  ];
}

/** Who decided about a request, and how. */
function renderDecision(event: EventOf<"request_end"> | undefined): Markup {
  if (event === undefined) return html`<span>waits for an answer</span>`;
  const { words, rule, isDenied } = describeDecision(event, "the user");
  return html`
    <span class="${isDenied ? "exit" : event.outcome}">${words}
      ${rule !== undefined && html` <code>${toVisibleLine(rule, 80)}</code>`}</span>`;
}
