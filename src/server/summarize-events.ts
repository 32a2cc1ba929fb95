import { createLineSplitter } from "../process/line-splitter.js";
import { streamRegularFile } from "../runs/files/regular-file.js";
import { createSummary, type Summary } from "../story/create-summary.js";
import type { SummaryEvent } from "../story/run-summary.js";
import { isObject } from "../text/fields.js";
import { parseOwnJson } from "../text/parse-json.js";

/** Sums up an `events.jsonl`. A line that is none of its events is passed over. */
export async function summarizeEvents(path: string): Promise<Summary> {
  const summary = createSummary();
  const splitter = createLineSplitter({
    onLine(line) {
      const event = parseEvent(line);
      if (event !== undefined) summary.add(event);
    },
  });
  for await (const chunk of streamRegularFile(path, 256 * 1024)) splitter.push(chunk);
  splitter.end();
  return summary;
}

function parseEvent(line: string): SummaryEvent | undefined {
  const value = parseOwnJson(line);
  return isEvent(value) ? value : undefined;
}

function isEvent(value: unknown): value is SummaryEvent {
  return isObject(value) && typeof value["type"] === "string" && typeof value["timestamp"] === "string";
}
