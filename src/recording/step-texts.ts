import { formats, toNdjson } from "../formats/index.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import { jsonPieces, longFrom } from "./json-pieces.js";
import { toRawLine } from "./raw-line.js";
import { keepTexts } from "./recorded-texts.js";
import type { Step } from "./step.js";

/** What some steps add to each file of a recording, in pieces that can be written as they come. */
export interface StepTexts {
  raw(): Iterable<string>;
  events(): Iterable<string>;
  unified(): Iterable<string>;
}

/** Turns the steps of one run into the texts of its files. */
export function createStepTexts(): (steps: readonly Step[]) => StepTexts {
  const unifiedView = formats.ndjson.create();
  const eventsView = formats.events.create();
  return (steps) => {
    const events = itemsOf(eventsView, steps);
    const unified = itemsOf(unifiedView, steps);
    const records = steps.flatMap((step) => step.record ?? []);
    if (steps.some(isLongStep))
      return {
        raw: () => inPieces(records),
        events: () => inPieces(events),
        unified: () => inPieces(unified),
      };
    const texts = { ndjson: toNdjson(unified), events: toNdjson(events) };
    keepTexts(steps, texts);
    return { raw: () => records.map(toRawLine), events: () => [texts.events], unified: () => [texts.ndjson] };
  };
}

/** The end of a run repeats its answer, which may be as long as any line. */
function isLongStep({ record }: Step): boolean {
  if (record === undefined || record.stream === "harness") return false;
  if (record.stream === "exit") return true;
  return (record.line ?? record.bytes ?? "").length >= longFrom;
}

function itemsOf(
  view: { push(events: readonly HarnessEvent[]): unknown[] },
  steps: readonly Step[],
): unknown[] {
  const items: unknown[] = [];
  for (const { events } of steps) {
    if (events.length === 0) continue;
    // One by one: a hostile line can give more items than a call takes arguments.
    for (const item of view.push(events)) items.push(item);
  }
  return items;
}

function* inPieces(items: readonly unknown[]): Generator<string> {
  for (const item of items) {
    yield* jsonPieces(item);
    yield "\n";
  }
}
