import type { TranslatorOptions } from "../../src/agents/contract.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import type { Ended } from "../../src/events/run-state.js";
import { expectWellFormed } from "./conformance.js";

/** The events of a run, for tests that name the few records that matter. */
export interface TranslatedRun {
  events: HarnessEvent[];
  of<T extends EventType>(type: T): EventOf<T>[];
  result: EventOf<"result">;
}

/** Translates records (or bare lines) as one run in `/repo` that ended with exit code 0. */
export function translateRun(
  agent: AgentDefinition,
  records: readonly (object | string)[],
  { ended = { exitCode: 0 }, ...options }: TranslatorOptions & { ended?: Ended } = {},
): TranslatedRun {
  const translator = createFramedTranslator(agent, { runId: "run", cwd: "/repo", ...options });
  const events = translator.start("2026-01-01T00:00:00.000Z");
  for (const record of records)
    events.push(...translator.line(typeof record === "string" ? record : JSON.stringify(record)));
  events.push(...translator.end(ended));
  expectWellFormed(events);
  const of = <T extends EventType>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type);
  const [result] = of("result");
  if (result === undefined) throw new Error("a run has no result");
  return { events, of, result };
}
