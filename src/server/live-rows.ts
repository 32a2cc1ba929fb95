import type { HarnessEvent } from "../events/event.js";
import type { Recording } from "../runs/archive/recording.js";
import { createSummary } from "../story/create-summary.js";
import { describePlan } from "../story/describe-operation.js";
import { askRequest } from "../story/describe-request.js";
import { toOneLine } from "../text/cut.js";
import type { FindAgent } from "./find-agent.js";
import { followRecording } from "./follow-recording.js";
import type { RunRow } from "./protocol.js";
import type { Pulse } from "./pulse.js";
import type { RunChanges } from "./run-changes.js";
import type { RunEntries, RunEntry } from "./run-entries.js";
import { withSummary } from "./run-row.js";

/** Changes of rows are sent to listeners at most this often. */
export const rowMs = 200;

/** Keeps the rows of runs under way up to date. */
export interface LiveRows {
  /** Follows a run until it ends, or until its entry is stopped. */
  follow(entry: RunEntry): void;
  /** Follows every run under way that is not followed yet. */
  followAll(): void;
  /** Stops following all runs. */
  stop(): void;
}

export interface LiveRowsOptions {
  entries: RunEntries;
  changes: RunChanges;
  findAgent: FindAgent;
  pulse: Pulse;
  /** Called after a run that was followed has ended. */
  onEnded(): void;
}

export function createLiveRows(options: LiveRowsOptions): LiveRows {
  const { entries, changes, findAgent, pulse, onEnded } = options;

  async function followUntilEnd(entry: RunEntry, signal: AbortSignal): Promise<void> {
    const { recording, row } = entry;
    for await (const next of rowsOf(recording, { row, findAgent, pulse, signal })) {
      if (!entries.isCurrent(entry)) return;
      // These two come from the sidecar, while the run goes on.
      const { stopping, isAnswerable } = entry.row;
      entries.setRow(entry, {
        ...next,
        ...(stopping !== undefined && { stopping }),
        ...(isAnswerable && { isAnswerable }),
      });
      changes.emit(rowMs);
    }
    if (signal.aborted) return;
    entries.refresh(recording.id);
    onEnded();
  }

  function follow(entry: RunEntry): void {
    entry.stop = new AbortController();
    followUntilEnd(entry, entry.stop.signal).catch(() => {
      // The recording was removed or cannot be read. The watched directory reports that.
    });
  }

  return {
    follow,
    followAll() {
      for (const entry of entries.all())
        if (entry.recording.outcome === "running" && entry.stop === undefined) follow(entry);
    },
    stop() {
      for (const entry of entries.all()) {
        entry.stop?.abort();
        delete entry.stop;
      }
    },
  };
}

interface RowOptions {
  /** The row as the sidecar has it. */
  row: RunRow;
  findAgent: FindAgent;
  pulse: Pulse;
  signal: AbortSignal;
}

/** The row of a run under way, each time it changes, until the run ends. Its numbers are in its events only. */
async function* rowsOf(
  recording: Recording,
  { row, findAgent, pulse, signal }: RowOptions,
): AsyncGenerator<RunRow> {
  const summary = createSummary();
  const activity = createActivity(recording.meta.cwd);
  let latest = row.latest;
  const asked = new Set<string>();
  const { agent } = findAgent(recording);
  for await (const steps of followRecording(recording, agent, { pulse, signal })) {
    for (const step of steps)
      for (const event of step.events) {
        summary.add(event);
        if (event.type === "request") asked.add(event.requestId);
        if (event.type === "request_end") asked.delete(event.requestId);
        latest = activity(event) ?? latest;
      }
    if (signal.aborted) return;
    yield {
      ...withSummary(row, summary.read(), summary.spent),
      ...(latest !== undefined && { latest }),
      ...(asked.size > 0 && { requests: asked.size }),
    };
  }
}

/** What a run is doing, as its events come: the call that runs, else what is waited for. Undefined: the same as before. */
function createActivity(startedIn: string): (event: HarnessEvent) => string | undefined {
  const running = new Map<string, string>();
  let cwd = startedIn;
  return (event) => {
    switch (event.type) {
      case "session":
        cwd = event.cwd ?? cwd;
        return undefined;
      case "tool_start": {
        const [first] = event.operations ?? [];
        const words = first === undefined ? toOneLine(event.name) : describePlan(first, cwd);
        running.set(event.callId, words);
        return words;
      }
      case "tool_end":
        running.delete(event.callId);
        return [...running.values()].at(-1) ?? waitingForModel;
      case "request":
        return toOneLine(`Asks: ${askRequest(event, cwd)}`);
      case "request_end":
        return [...running.values()].at(-1) ?? waitingForModel;
      case "turn_end":
        return "Waiting for a prompt";
      case "turn":
        return waitingForModel;
      case "thinking":
        return "Thinking";
      case "text":
        return "Writing";
      case "agent":
        return event.role === undefined ? waitingForModel : undefined;
      default:
        return undefined;
    }
  };
}

const waitingForModel = "Waiting for the model";
