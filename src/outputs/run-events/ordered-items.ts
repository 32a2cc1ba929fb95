import type { RunEvent } from "./schema.js";

/** The order of the items that one native line gives. */
const places: { readonly [Kind in RunEvent["kind"]]: number } = {
  turnStarted: 0,
  started: 1,
  session: 2,
  text: 3,
  thinking: 4,
  toolStart: 5,
  toolEnd: 6,
  suggestedEdits: 7,
  plan: 8,
  askQuestion: 9,
  questionEnded: 10,
  usage: 11,
  activity: 12,
  turnEnded: 13,
  error: 14,
  exited: 15,
};

/**
 * Collects the items of one line and sorts them by kind. Items of the same kind keep their order, and so do the turns: no
 * item leaves its turn.
 */
export interface OrderedItems {
  /** `as` sorts the item as if it were of that kind. */
  add(item: RunEvent | undefined, as?: RunEvent["kind"]): void;
  take(): RunEvent[];
}

export function createOrderedItems(): OrderedItems {
  let entries: { turn: number; place: number; item: RunEvent }[] = [];
  let turn = 0;
  return {
    add(item, as) {
      if (item === undefined) return;
      if (item.kind === "turnStarted") turn += 1;
      entries.push({ turn, place: places[as ?? item.kind], item });
      if (item.kind === "turnEnded") turn += 1;
    },
    take() {
      const taken = entries;
      entries = [];
      if (taken.length > 1) taken.sort((a, b) => a.turn - b.turn || a.place - b.place);
      return taken.map((entry) => entry.item);
    },
  };
}
