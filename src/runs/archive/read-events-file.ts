import type { NormalizedEvent } from "../../outputs/events/schema.js";
import { createLineSplitter } from "../../process/line-splitter.js";
import { isObject } from "../../text/fields.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { streamRegularFile } from "../files/regular-file.js";

/**
 * The normalized events of a recording as they were written, in arrays as they are read. They can be read
 * without knowing the agent. A line that is damaged or torn is left out.
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

/** We wrote them ourselves: a look at what every event has will do. */
function isEvent(value: unknown): value is NormalizedEvent {
  return isObject(value) && typeof value["type"] === "string" && typeof value["timestamp"] === "string";
}
