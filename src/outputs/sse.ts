import { jsonPieces } from "../text/json-pieces.js";
import { spellSafely, toJson } from "../text/to-json.js";
import type { Output, View } from "./contract.js";
import { isLongStep } from "./json-lines.js";

/**
 * Items as server-sent events: `data:`, the JSON text, an empty line. JSON has no line breaks inside, so no text of an agent can end
 * an event or begin another.
 */
export function toSse(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `data: ${toJson(item)}\n\n`;
  return spellSafely(text);
}

/** The items of a format as server-sent events. `last` is the data of the event after the last one. */
export function createSse(view: View<unknown>, last?: string): Output {
  return {
    push(steps) {
      const items: unknown[] = [];
      for (const { events } of steps) for (const item of view.push(events)) items.push(item);
      if (items.length === 0) return [];
      if (!steps.some(isLongStep)) return [toSse(items)];
      return [{ pieces: { [Symbol.iterator]: () => ssePieces(items) } }];
    },
    end() {
      const text = toSse(view.end?.() ?? []) + (last === undefined ? "" : `data: ${last}\n\n`);
      return text === "" ? [] : [text];
    },
  };
}

function* ssePieces(items: readonly unknown[]): Generator<string> {
  for (const item of items) {
    yield "data: ";
    for (const piece of jsonPieces(item)) yield spellSafely(piece);
    yield "\n\n";
  }
}
