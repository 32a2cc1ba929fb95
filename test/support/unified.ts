import type { AgentDefinition } from "../../src/agents/definition.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { tell } from "./told.js";

/** The events of a few records, without timestamps. */
export function unified(agent: AgentDefinition, records: readonly (object | string)[]): object[] {
  return [...formatEvents("ndjson", tell(agent, records).events)].map(({ timestamp_ms, ...item }) => item);
}
