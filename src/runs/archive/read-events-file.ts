import type { NormalizedEvent } from "../../outputs/events/schema.js";
import { createLineSplitter } from "../../process/line-splitter.js";
import { isObject } from "../../text/fields.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { streamRegularFile } from "../files/regular-file.js";

/**
 * The normalized events of a recording, in arrays as they are read. The agent's definition is not needed. Damaged and
 * incomplete lines are skipped.
 */
export async function* readEventsFile(path: string): AsyncGenerator<NormalizedEvent[]> {
  let events: NormalizedEvent[] = [];
  const splitter = createLineSplitter({
    onLine(line) {
      const event = parseOwnJson(line);
      if (isEvent(event)) events.push(event);
    },
  });
  for await (const chunk of streamRegularFile(path, 256 * 1024)) {
    splitter.push(chunk);
    yield events;
    events = [];
  }
  splitter.end();
  yield events;
}

/** harness wrote these lines itself, so checking the fields that every event has is enough. */
function isEvent(value: unknown): value is NormalizedEvent {
  return isObject(value) && typeof value["type"] === "string" && typeof value["timestamp"] === "string";
}
