import type { HarnessEvent } from "../events/event.js";
import type { Format } from "./contract.js";
import { eventsFormat } from "./events/output.js";
import type { NormalizedEvent } from "./events/schema.js";
import { fullFormat } from "./full/output.js";
import { jsonFormat } from "./json/output.js";
import type { RunReport } from "./json/schema.js";
import { ndjsonFormat } from "./ndjson/output.js";
import type { UnifiedEvent } from "./ndjson/schema.js";
import { runEventsFormat } from "./run-events/output.js";
import type { RunEvent } from "./run-events/schema.js";

/** What each format's items are. */
export interface FormatItems {
  events: NormalizedEvent;
  ndjson: UnifiedEvent;
  "run-events": RunEvent;
  full: HarnessEvent;
  json: RunReport;
}

/** The formats that the library offers as objects. */
export type FormatName = keyof FormatItems;

/** The outputs whose items the library offers as objects, by name. */
export const formats: { readonly [Name in FormatName]: Format<FormatItems[Name]> } = {
  events: eventsFormat,
  ndjson: ndjsonFormat,
  "run-events": runEventsFormat,
  full: fullFormat,
  json: jsonFormat,
};

/** The names of `formats`, in the order of the documentation. */
export const formatNames: readonly FormatName[] = ["events", "ndjson", "run-events", "full", "json"];
