import type { EventOf, PlanEntry } from "../../events/event.js";
import { askRequest, describeDecision, describeRequest } from "../../story/describe-request.js";
import { hasSameEntries, isSamePlan, progressOf } from "../../story/plan-progress.js";
import { cleanLine } from "../../text/cut.js";
import { formatDuration, formatShortCount, formatUsd } from "../../text/numbers.js";
import { cutEnd } from "./cut.js";
import { marks, toDeedLine } from "./deed-line.js";
import type { Segment } from "./line.js";
import type { Page } from "./page.js";
import { widthOf } from "./width.js";
import type { Setting } from "./work.js";

/** Rows that only live sessions have, about turns and requests, and rows about the agent's plan. */
export interface Conversation {
  turn(event: EventOf<"turn">): void;
  /** Tokens of a turn come before its end. */
  usage(event: EventOf<"usage">): void;
  /** `isFailureShown`: an error has already said why the turn failed. */
  turnEnd(event: EventOf<"turn_end">, isFailureShown: boolean): void;
  request(event: EventOf<"request">): void;
  requestEnd(event: EventOf<"request_end">): void;
  plan(event: EventOf<"plan">): void;
  /** What the agent waits for, in words. */
  readonly waitsFor: string | undefined;
}

export interface ConversationOptions {
  /** What the run was started with, if it was started with a prompt. */
  prompt: string | undefined;
  /** Rows of work in the thread of a subagent follow. Returns their depth. */
  begin(parentCallId: string | undefined): number;
}

const maxPromptRows = 12;
const maxMessageRows = 12;
const maxEntries = 10;
/** What is asked gets so many columns beside the decision, with the mark and the gaps. */
const leastObject = 22;

export function createConversation(
  page: Page,
  setting: Readonly<Setting>,
  { prompt: startedWith, begin }: ConversationOptions,
): Conversation {
  const numbers = new Map<string, number>();
  const open = new Map<string, EventOf<"request">>();
  let tokens: number | undefined;
  let shownPlan: readonly PlanEntry[] | undefined;
  /** The end of the first turn. If the run was started with its prompt, it is mostly the only one, and the last rows say the same. */
  let heldEnd: (() => void) | undefined;

  function writeEnd(event: EventOf<"turn_end">, notes: Segment[], isFailureShown: boolean): void {
    page.beginNew("turn");
    const verb = `Turn ${numbers.get(event.turnId) ?? numbers.size} ${event.reason}`;
    const mark = event.isSuccess ? marks.success : marks.failure;
    page.row(toDeedLine({ mark, verb, object: "", notes }, page.columns));
    const why = event.failure?.message ?? "";
    if (why.trim() !== "" && !isFailureShown)
      page.paragraph({ text: why, style: "failure", mark: { text: " " }, maxRows: maxMessageRows });
  }

  function writeEntries(entries: readonly PlanEntry[]): void {
    const shown = entries.length > maxEntries ? entries.slice(0, maxEntries - 1) : entries;
    for (const { content, status } of shown)
      page.row([
        { text: "  " },
        entryMarks[status],
        { text: ` ${cutEnd(cleanLine(content), page.columns - 4)}` },
      ]);
    const missing = entries.length - shown.length;
    if (missing > 0) page.row([{ text: `    … ${missing} more`, style: "dim" }]);
  }

  return {
    turn({ turnId, prompt = "" }) {
      heldEnd?.();
      heldEnd = undefined;
      numbers.set(turnId, numbers.size + 1);
      tokens = undefined;
      page.beginNew("turn");
      if (prompt.trim() !== "")
        page.paragraph({ text: prompt.trim(), style: "bold", mark: marks.prompt, maxRows: maxPromptRows });
      else page.paragraph({ text: "The agent goes on by itself", style: "dim", mark: marks.prompt });
    },
    usage({ totalTokens }) {
      tokens = totalTokens;
    },
    turnEnd(event, isFailureShown) {
      const notes = notesOfTurn(event, tokens);
      tokens = undefined;
      // "Completed" alone is no news: the answer is there.
      if (event.isSuccess && notes.length === 0) return;
      if (numbers.size === 1 && startedWith) heldEnd = () => writeEnd(event, notes, isFailureShown);
      else writeEnd(event, notes, isFailureShown);
    },
    request(event) {
      open.set(event.requestId, event);
    },
    requestEnd(event) {
      const request = open.get(event.requestId);
      open.delete(event.requestId);
      if (request === undefined) return;
      const depth = begin(request.parentCallId);
      const { verb, object } = describeRequest(request, setting.cwd);
      const columns = page.columnsAt(depth);
      const note = toNote(event);
      const isBeside = widthOf(verb) + widthOf(note.text) + leastObject <= columns;
      const notes = isBeside ? [note] : [];
      const deed = { mark: marks.request, verb, object: cleanLine(object), notes };
      page.row(toDeedLine(deed, columns), depth);
      // Who decided is never left out: it gets a row of its own if there is no room.
      if (!isBeside) page.row([{ text: "  " }, { ...note, text: cutEnd(note.text, columns - 2) }], depth);
      const plan = request.kind === "plan" ? request.message : undefined;
      for (const text of [plan ?? "", event.message ?? ""]) {
        if (text.trim() === "") continue;
        page.paragraph({ text, style: "dim", mark: { text: " " }, depth, maxRows: maxMessageRows });
      }
    },
    plan({ entries, parentCallId }) {
      // The main agent's own plan covers what its subagents do.
      if (parentCallId !== undefined || isSamePlan(entries, shownPlan ?? [])) return;
      const isKnown = shownPlan !== undefined && hasSameEntries(entries, shownPlan);
      shownPlan = entries;
      begin(undefined);
      const { words, current, isDone } = progressOf(entries);
      const object = isKnown && current !== undefined ? `${words}: ${cleanLine(current)}` : words;
      const mark = isDone ? marks.success : marks.open;
      page.row(toDeedLine({ mark, verb: "Plan", object }, page.columns));
      if (!isKnown) writeEntries(entries);
    },
    get waitsFor() {
      const request = [...open.values()].at(-1);
      return request && `Asks: ${cleanLine(askRequest(request, setting.cwd))}`;
    },
  };
}

const entryMarks = {
  completed: marks.success,
  in_progress: marks.subagent,
  pending: marks.open,
} as const satisfies Record<PlanEntry["status"], Segment>;

function notesOfTurn(event: EventOf<"turn_end">, tokens: number | undefined): Segment[] {
  const { durationMs, costUsd, costSource } = event;
  const notes = [
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens ? [`${formatShortCount(tokens)} tokens`] : []),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd) + (costSource === undefined ? "" : " estimated")]),
  ];
  return notes.map((text) => ({ text, style: "dim" }));
}

const decisionStyles = {
  allowed: "success",
  answered: "success",
  denied: "failure",
  withdrawn: "dim",
} as const;

/** The words are for the one at the terminal, who answers. */
function toNote(event: EventOf<"request_end">): Segment {
  const { words, rule } = describeDecision(event, "you");
  const text = rule === undefined ? words : `${words} \`${cleanLine(rule)}\``;
  return { text, style: decisionStyles[event.outcome] };
}
