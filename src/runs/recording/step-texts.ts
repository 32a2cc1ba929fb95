import type { HarnessEvent } from "../../events/event.js";
import { toRawLine } from "../../events/raw-jsonl.js";
import type { Step } from "../../events/step.js";
import { isLongStep } from "../../outputs/long-step.js";
import { formats } from "../../outputs/registry.js";
import { jsonPieces, ndjsonPieces } from "../../text/json-pieces.js";
import { toNdjson } from "../../text/to-json.js";
import type { FileWriter } from "../files/file-writer.js";
import { keepRecorded } from "./recorded-items.js";

/** What some steps add to each file of a recording. */
export interface StepTexts {
  raw(writer: FileWriter): void;
  events(writer: FileWriter): void;
  unified(writer: FileWriter): void;
}

/** Turns the steps of one run into the texts of its files. */
export function createStepTexts(): (steps: readonly Step[]) => StepTexts {
  const unifiedView = formats.ndjson.create();
  const eventsView = formats.events.create();
  return (steps) => {
    const events = itemsOf(eventsView, steps);
    const unified = itemsOf(unifiedView, steps);
    if (steps.some(isLongStep)) {
      keepRecorded(steps, { ndjson: unified, events });
      return {
        raw: (writer) => writeRecords(recordsOf(steps), writer),
        events: (writer) => writeInPieces(events, writer),
        unified: (writer) => writeInPieces(unified, writer),
      };
    }
    const texts = { ndjson: toNdjson(unified), events: toNdjson(events) };
    keepRecorded(steps, texts);
    return {
      raw({ text }) {
        for (const { record } of steps) if (record !== undefined) text(toRawLine(record));
      },
      events: ({ text }) => text(texts.events),
      unified: ({ text }) => text(texts.ndjson),
    };
  };
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

function recordsOf(steps: readonly Step[]): unknown[] {
  return steps.flatMap((step) => step.record ?? []);
}

/** As they are: `raw.jsonl` spells a line as `JSON.stringify` does, whatever it holds. */
function writeRecords(records: readonly unknown[], { text }: FileWriter): void {
  for (const record of records) {
    for (const piece of jsonPieces(record)) text(piece);
    text("\n");
  }
}

function writeInPieces(items: readonly unknown[], { text }: FileWriter): void {
  for (const piece of ndjsonPieces(items)) text(piece);
}
