import { HarnessEvent } from "../events/event.js";
import { RawRecord } from "../events/raw-record.js";
import { AcpMessage } from "./acp/schema.js";
import { AgUiEvent } from "./ag-ui/schema.js";
import { AtifTrajectory } from "./atif/schema.js";
import { ClaudeRecord } from "./claude/schema.js";
import { NormalizedEvent } from "./events/schema.js";
import { RunReport } from "./json/schema.js";
import { UnifiedEvent } from "./ndjson/schema.js";
import { OtlpTraces } from "./otlp/schema.js";
import { RunEvent } from "./run-events/schema.js";
import { UiMessageChunk } from "./ui-message/schema.js";

/** The schema of one item of every stream; for `raw`, of a record of `raw.jsonl`. */
export const streamSchemas = {
  full: HarnessEvent,
  events: NormalizedEvent,
  ndjson: UnifiedEvent,
  "run-events": RunEvent,
  json: RunReport,
  raw: RawRecord,
  atif: AtifTrajectory,
  "ui-message": UiMessageChunk,
  "ag-ui": AgUiEvent,
  otlp: OtlpTraces,
  acp: AcpMessage,
  claude: ClaudeRecord,
} as const;

/** The streams that have a published JSON Schema. */
export type StreamName = keyof typeof streamSchemas;
