import type { RunEvent } from "./schema.js";

/** The order of the items that one native line gives. */
const places: { readonly [Kind in RunEvent["kind"]]: number } = {
  started: 0,
  session: 1,
  text: 2,
  thinking: 3,
  toolStart: 4,
  toolEnd: 5,
  suggestedEdits: 6,
  usage: 7,
  activity: 8,
  error: 9,
  exited: 10,
};

/** Collects the items of one line and sorts them by kind. Items of the same kind keep their order. */
export interface OrderedItems {
  /** `as` sorts the item as if it were of that kind. */
  add(item: RunEvent | undefined, as?: RunEvent["kind"]): void;
  take(): RunEvent[];
}

export function createOrderedItems(): OrderedItems {
  let entries: { place: number; item: RunEvent }[] = [];
  return {
    add(item, as) {
      if (item !== undefined) entries.push({ place: places[as ?? item.kind], item });
    },
    take() {
      const taken = entries;
      entries = [];
      if (taken.length > 1) taken.sort((a, b) => a.place - b.place);
      return taken.map((entry) => entry.item);
    },
  };
}
