import type { AgentDefinition } from "../../agents/definition.js";
import { generic } from "../../agents/generic/definition.js";
import { type HarnessEvent, isHarnessEvent } from "../../events/event.js";
import { endingSentences } from "../../events/outcome.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import { readEventsFile } from "./read-events-file.js";
import type { Recording } from "./recording.js";

/**
 * Reads a run without the agent's translator: the events in `events.jsonl`, between a start and an end made from the
 * sidecar. Streamed pieces, thinking and tool calls are not recorded there.
 */
export async function* readAsRecorded(recording: Recording): AsyncGenerator<Step[]> {
  const { meta, outcome } = recording;
  let seq = 0;
  let answer: string | undefined;
  const number = (draft: object): HarnessEvent[] => {
    const event: unknown = { ...draft, runId: recording.id, seq };
    if (!isHarnessEvent(event)) return [];
    seq += 1;
    if (event.type === "agent") answer = event.message;
    return [event];
  };
  const toSteps = (drafts: readonly object[]): Step[] => drafts.map((draft) => ({ events: number(draft) }));
  yield toSteps([startOf(meta)]);
  for await (const events of readEventsFile(recording.paths.events)) yield toSteps(events);
  if (outcome !== "running") yield toSteps(endOf(meta, answer));
}

/** Stands in for an agent whose definition is not available, for printing its events. */
export function standInOf({ meta }: Recording): AgentDefinition {
  return { ...generic, id: meta.agent, name: meta.agent, aliases: [] };
}

function startOf({ agent, agentVersion, cwd, startedAt }: RecordingMeta): object {
  return {
    type: "started",
    timestamp: startedAt,
    agent,
    cwd,
    ...(agentVersion !== undefined && { agentVersion }),
  };
}

function endOf(meta: RecordingMeta, answer: string | undefined): object[] {
  const { usage, costUsd, costSource, durationMs, exitCode = null, signal } = meta;
  const timestamp = meta.endedAt ?? meta.startedAt;
  const { isSuccess, reason, failure } = meta.outcome ?? interrupted;
  const cost = { ...(costUsd !== undefined && { costUsd }), ...(costSource !== undefined && { costSource }) };
  return [
    ...(usage === undefined ? [] : [{ type: "usage", timestamp, ...usage, ...cost }]),
    {
      type: "result",
      timestamp,
      isSuccess,
      ...(isSuccess && answer !== undefined && { text: answer }),
      ...(durationMs !== undefined && { durationMs }),
      ...cost,
      ...(failure !== undefined && { failure }),
    },
    { type: "exited", timestamp, exitCode, reason, ...(signal !== undefined && { signal }) },
  ];
}

const interrupted: NonNullable<RecordingMeta["outcome"]> = {
  isSuccess: false,
  reason: "interrupted",
  failure: { kind: "interrupted", message: endingSentences.interrupted },
};
