import { HarnessEvent } from "../events/event.js";
import { RawRecord } from "../events/raw-record.js";
import { NormalizedEvent } from "./events/schema.js";
import { RunReport } from "./json/schema.js";
import { UnifiedEvent } from "./ndjson/schema.js";
import { RunEvent } from "./run-events/schema.js";

/** The schema of one item of every stream; for `raw`, of a record of `raw.jsonl`. */
export const streamSchemas = {
  full: HarnessEvent,
  events: NormalizedEvent,
  ndjson: UnifiedEvent,
  "run-events": RunEvent,
  json: RunReport,
  raw: RawRecord,
} as const;

/** The streams that have a published JSON Schema. */
export type StreamName = keyof typeof streamSchemas;
