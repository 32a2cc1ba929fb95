import type { HarnessEvent } from "../events/event.js";
import { isOperation } from "../events/operation.js";
import type { Session } from "../runs/archive/recording.js";
import { createSummary } from "../story/create-summary.js";
import { describeOperation } from "../story/describe-operation.js";
import { toOneLine } from "../text/cut.js";
import type { FindAgent } from "./find-agent.js";
import { followSession } from "./follow-recording.js";
import type { RunRow } from "./protocol.js";
import type { Pulse } from "./pulse.js";
import { withSummary } from "./run-row.js";

export interface LiveRowOptions {
  /** The row as the sidecar has it. */
  row: RunRow;
  findAgent: FindAgent;
  pulse: Pulse;
  signal: AbortSignal;
}

/** The row of a run under way, whenever it changes, until the run has ended. Its numbers are in its events only. */
export async function* followRow(
  session: Session,
  { row, findAgent, pulse, signal }: LiveRowOptions,
): AsyncGenerator<RunRow> {
  const summary = createSummary();
  let { cwd } = session.meta;
  let latest = row.latest;
  const { agent } = findAgent(session);
  for await (const steps of followSession(session, agent, { pulse, signal })) {
    for (const step of steps)
      for (const event of step.events) {
        summary.add(event);
        if (event.type === "session") cwd = event.cwd ?? cwd;
        latest = describeActivity(event, cwd) ?? latest;
      }
    if (signal.aborted) return;
    yield {
      ...withSummary(row, summary.read(), summary.spent),
      ...(latest !== undefined && { latest }),
    };
  }
}

function describeActivity(event: HarnessEvent, cwd: string): string | undefined {
  if (isOperation(event)) return describeOperation(event, cwd);
  if (event.type === "tool_start") return toOneLine(event.name);
  if (event.type === "thinking") return "Thinking";
  return event.type === "text" || event.type === "agent" ? "Writing" : undefined;
}
