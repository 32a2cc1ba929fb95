import { defineAgent } from "../../agents/define-agent.js";
import type { AgentDefinition } from "../../agents/definition.js";
import { findAgent } from "../../agents/registry.js";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { Step } from "../../events/step.js";
import { replayOptionsOf, replayRecording } from "../recording/replay.js";
import { readAsRecorded } from "./as-recorded.js";
import { paceSteps } from "./pace.js";
import type { Recording } from "./recording.js";

/** How a recording is played again. */
export interface ReplayOptions {
  /** 1: with the pauses of the run. 10: ten times as fast. Default: at once. */
  speed?: number | undefined;
  /** The agent's definition, if it is not a built-in agent. */
  agent?: AgentDefinition | undefined;
  /**
   * True: reads the recorded events without translating again, for an agent whose definition is not available.
   * Streamed pieces, thinking and tool calls are not recorded.
   */
  asRecorded?: boolean | undefined;
  /** Ends the replay. */
  signal?: AbortSignal | undefined;
}

/** A recorded run, event by event. It has the same shape as a run under way. */
export interface Replay extends AsyncIterable<HarnessEvent> {
  /** The same events, grouped with the native line that they came from. */
  batches(): AsyncIterable<readonly Step[]>;
}

/**
 * Runs a recording through its agent's translator again. An interrupted run ends as interrupted. A run under way is
 * replayed as far as it is recorded.
 */
export function createReplay(recording: Recording, options: ReplayOptions = {}): Replay {
  const { asRecorded = false } = options;
  const agent = asRecorded ? undefined : (options.agent ?? requireRecordedAgent(recording));
  const { speed = Number.POSITIVE_INFINITY, signal } = options;
  if (!(speed > 0)) throw new HarnessError("bad_speed", `the speed must be above 0, not ${speed}`);
  async function* batches(): AsyncGenerator<readonly Step[]> {
    const translated = (by: AgentDefinition) =>
      replayRecording(by, recording.paths.raw, {
        ...replayOptionsOf(recording.meta),
        known: recording.meta,
        completes: recording.outcome !== "running",
      });
    const steps = readable(recording, agent === undefined ? readAsRecorded(recording) : translated(agent));
    if (speed !== Number.POSITIVE_INFINITY) {
      yield* paceSteps(steps, speed, signal);
      return;
    }
    for await (const batch of steps) {
      if (signal?.aborted) return;
      yield batch;
    }
  }
  async function* events(): AsyncGenerator<HarnessEvent> {
    for await (const steps of batches()) for (const step of steps) yield* step.events;
  }
  return { batches, [Symbol.asyncIterator]: events };
}

/** Reports a file that is missing or cannot be opened as an unreadable recording. */
async function* readable<T>({ id }: Recording, batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof HarnessError) throw error;
    const message = `the recording ${id} cannot be read: ${messageOf(error)}; only its sidecar is left`;
    throw new HarnessError("unreadable_recording", message, { cause: error });
  }
}

/** The agent of a recording: a built-in agent, or a custom one that uses the translator of a built-in agent. */
export function findRecordedAgent({ meta }: Recording): AgentDefinition | undefined {
  const builtIn = findAgent(meta.agent);
  if (builtIn !== undefined || typeof meta.translator !== "string") return builtIn;
  if (findAgent(meta.translator) === undefined) return undefined;
  try {
    return defineAgent({ id: meta.agent, translator: meta.translator });
  } catch {
    // The sidecar was written by hand.
    return undefined;
  }
}

function requireRecordedAgent(recording: Recording): AgentDefinition {
  const agent = findRecordedAgent(recording);
  if (agent !== undefined) return agent;
  const { id, meta } = recording;
  const message = `${id} is a run of the agent "${meta.agent}", which is not known here; pass its definition (agent), or read the recorded events (asRecorded)`;
  throw new HarnessError("unknown_agent", message);
}
