import { isOpenCall } from "./describe-call.js";
import type { Item, Timeline } from "./items.js";

/** What a run under way waits for, and since when, in milliseconds after its start. */
export interface Waiting {
  what: "model" | "answer" | "prompt";
  since: number;
}

/** Undefined: a call is running, an answer is being written, or the run has ended. The items show that themselves. */
export function waitingFor({ items, duration }: Timeline): Waiting | undefined {
  const last = items.at(-1);
  if (last?.kind === "end" || items.some(isRunning)) return undefined;
  if (last?.kind === "turn_end") return { what: "prompt", since: last.time };
  const request = items.findLast((item) => item.kind === "request" && item.decision === undefined);
  if (request !== undefined) return { what: "answer", since: request.time };
  if (last?.kind === "message" && last.isCutOff) return undefined;
  return { what: "model", since: duration };
}

function isRunning(item: Item): boolean {
  return item.kind === "call" && isOpenCall(item) && !item.isAsking;
}

export const waitingWords: Record<Waiting["what"], string> = {
  model: "waiting for the model",
  answer: "waiting for an answer",
  prompt: "waiting for a prompt",
};

/** How many commands have not ended yet, those of subagents included. */
export function countRunningCommands(items: readonly Item[]): number {
  let count = 0;
  for (const item of items) {
    if (item.kind !== "call") continue;
    if (item.operations.length === 0 && isOpenCall(item) && !item.isAsking)
      count += (item.planned ?? []).filter(({ type }) => type === "command").length;
    count += countRunningCommands(item.children);
  }
  return count;
}
