import type { HarnessEvent } from "../vocabulary/event.js";
import type { NormalizedEvent } from "./events/schema.js";
import { eventsFormat } from "./events/view.js";
import type { Format } from "./format.js";
import { fullFormat } from "./full.js";
import type { RunReport } from "./json/schema.js";
import { jsonFormat } from "./json/view.js";
import type { UnifiedEvent } from "./ndjson/schema.js";
import { ndjsonFormat } from "./ndjson/view.js";
import type { RunEvent } from "./run-events/schema.js";
import { runEventsFormat } from "./run-events/view.js";

/** What each format's items are. */
export interface FormatItems {
  events: NormalizedEvent;
  ndjson: UnifiedEvent;
  "run-events": RunEvent;
  full: HarnessEvent;
  json: RunReport;
}

export type FormatName = keyof FormatItems;

/** Every format that is a function of events, by name. `raw` is not: see `rawFormat`. */
export const formats: { readonly [Name in FormatName]: Format<FormatItems[Name]> } = {
  events: eventsFormat,
  ndjson: ndjsonFormat,
  "run-events": runEventsFormat,
  full: fullFormat,
  json: jsonFormat,
};

export const formatNames: readonly FormatName[] = ["events", "ndjson", "run-events", "full", "json"];
