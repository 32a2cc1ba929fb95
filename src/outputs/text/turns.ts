import type { EventOf } from "../../events/event.js";
import { formatDuration, formatShortCount, formatUsd } from "../../text/numbers.js";
import { marks, toDeedLine } from "./deed-line.js";
import type { Segment } from "./line.js";
import type { Page } from "./page.js";

/** The rows that begin and end the turns of a live session. */
export interface TurnWriter {
  start(event: EventOf<"turn">): void;
  /** Tokens of a turn come before its end. */
  addUsage(event: EventOf<"usage">): void;
  /** `isFailureShown`: an error has already said why the turn failed. */
  end(event: EventOf<"turn_end">, isFailureShown: boolean): void;
}

const maxPromptRows = 12;
const maxReasonRows = 10;

/** `startedWith`: the prompt that the run was started with, if it was. */
export function createTurnWriter(page: Page, startedWith: string | undefined): TurnWriter {
  const numbers = new Map<string, number>();
  let tokens: number | undefined;
  /**
   * The end of the first turn of a run that was started with a prompt. It is mostly the only turn, and the last rows of the run
   * say the same.
   */
  let heldEnd: (() => void) | undefined;

  function writeEnd(event: EventOf<"turn_end">, notes: Segment[], isFailureShown: boolean): void {
    page.beginNew("turn");
    const verb = `Turn ${numbers.get(event.turnId) ?? numbers.size} ${event.reason}`;
    const mark = event.isSuccess ? marks.success : marks.failure;
    page.row(toDeedLine({ mark, verb, object: "", notes }, page.columns));
    const why = event.failure?.message ?? "";
    if (why.trim() === "" || isFailureShown) return;
    page.paragraph({ text: why, style: "failure", mark: { text: " " }, maxRows: maxReasonRows });
  }

  return {
    start({ turnId, prompt = "" }) {
      heldEnd?.();
      heldEnd = undefined;
      numbers.set(turnId, numbers.size + 1);
      tokens = undefined;
      page.beginNew("turn");
      const { prompt: mark } = marks;
      if (prompt.trim() === "") page.paragraph({ text: "The agent goes on by itself", style: "dim", mark });
      else page.paragraph({ text: prompt.trim(), style: "bold", mark, maxRows: maxPromptRows });
    },
    addUsage({ totalTokens }) {
      tokens = totalTokens;
    },
    end(event, isFailureShown) {
      const notes = notesOf(event, tokens);
      tokens = undefined;
      // A row that says nothing but "completed" is not needed: the answer is there.
      if (event.isSuccess && notes.length === 0) return;
      if (numbers.size === 1 && startedWith) heldEnd = () => writeEnd(event, notes, isFailureShown);
      else writeEnd(event, notes, isFailureShown);
    },
  };
}

function notesOf({ durationMs, costUsd, costSource }: EventOf<"turn_end">, tokens = 0): Segment[] {
  const notes = [
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens === 0 ? [] : [`${formatShortCount(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd) + (costSource === undefined ? "" : " estimated")]),
  ];
  return notes.map((text) => ({ text, style: "dim" }));
}
