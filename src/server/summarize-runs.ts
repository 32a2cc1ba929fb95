import { createLineSplitter } from "../process/line-splitter.js";
import { streamRegularFile } from "../runs/files/regular-file.js";
import { createSummary, type Summary } from "../story/create-summary.js";
import type { SummaryEvent } from "../story/run-summary.js";
import { isObject } from "../text/fields.js";
import { parseOwnJson } from "../text/parse-json.js";
import { rowMs } from "./live-rows.js";
import type { RunChanges } from "./run-changes.js";
import type { RunEntries } from "./run-entries.js";
import { withSummary } from "./run-row.js";

/** Adds what only the events know, such as the number of changed files, to the rows of the newest finished runs. */
export async function summarizeNewest(entries: RunEntries, changes: RunChanges, most: number): Promise<void> {
  const waiting = entries
    .all()
    .filter(({ isSummarized, row }) => !isSummarized && row.outcome !== "running")
    .sort((a, b) => (a.row.startedAt < b.row.startedAt ? 1 : -1));
  for (const entry of waiting.slice(0, most)) {
    if (!changes.hasListeners) return;
    entry.isSummarized = true;
    try {
      const summary = await summarizeEvents(entry.recording.paths.events);
      if (!entries.isCurrent(entry)) continue;
      entries.setRow(entry, withSummary(entry.row, summary.read(), summary.spent));
      changes.emit(rowMs);
    } catch {
      // Without that file the row shows what the sidecar knows.
    }
  }
}

/** Summarizes an `events.jsonl`. Lines that are not events are skipped. */
async function summarizeEvents(path: string): Promise<Summary> {
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
