import type { AgentDefinition } from "../../src/agents/definition.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { translateRun } from "./translated-run.js";

/** The events of a few records, without timestamps. */
export function unified(agent: AgentDefinition, records: readonly (object | string)[]): object[] {
  return [...formatEvents("ndjson", translateRun(agent, records).events)].map(
    ({ timestamp_ms, ...item }) => item,
  );
}
