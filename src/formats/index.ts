export type { NormalizedEvent } from "./events/schema.js";
export type { Format, FormatOptions, View } from "./format.js";
export { formatEvents } from "./format-events.js";
export { type FormatItems, type FormatName, formatNames, formats } from "./formats.js";
export type { RunReport } from "./json/schema.js";
export type { UnifiedEvent } from "./ndjson/schema.js";
export { type NativeLine, rawFormat } from "./raw.js";
export type { RunEvent } from "./run-events/schema.js";
export { toNdjson } from "./to-ndjson.js";
