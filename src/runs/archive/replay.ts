import { defineAgent } from "../../agents/define-agent.js";
import type { AgentDefinition } from "../../agents/definition.js";
import { findAgent } from "../../agents/registry.js";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { Step } from "../../events/step.js";
import { replayOptionsOf, replayRecording } from "../recording/replay.js";
import { readAsRecorded } from "./as-recorded.js";
import { paceSteps } from "./pace.js";
import type { Session } from "./recording.js";

export interface ReplayOptions {
  /** 1: with the pauses of the run, 10: ten times as fast. Default: at once. */
  speed?: number | undefined;
  /** The agent's definition, when it is not a built-in one. */
  agent?: AgentDefinition | undefined;
  /**
   * True: gives what was recorded, without translating again, for an agent whose definition is not at hand.
   * Streamed pieces, thinking and tool calls are not recorded.
   */
  asRecorded?: boolean | undefined;
  /** Ends the replay. */
  signal?: AbortSignal | undefined;
}

/** A recorded run, event by event as it was. The same shape as a run under way. */
export interface Replay extends AsyncIterable<HarnessEvent> {
  /** The same with the native line of each group of events. */
  batches(): AsyncIterable<readonly Step[]>;
}

/**
 * Runs a recording through its agent's translator again. One that was interrupted ends as such; of one
 * that is still running, what there is so far.
 */
export function replaySession(session: Session, options: ReplayOptions = {}): Replay {
  const { asRecorded = false } = options;
  const agent = asRecorded ? undefined : (options.agent ?? requireRecordedAgent(session));
  const { speed = Number.POSITIVE_INFINITY, signal } = options;
  if (!(speed > 0)) throw new HarnessError("bad_speed", `the speed must be above 0, not ${speed}`);
  async function* batches(): AsyncGenerator<readonly Step[]> {
    const translated = (by: AgentDefinition) =>
      replayRecording(by, session.paths.raw, {
        ...replayOptionsOf(session.meta),
        known: session.meta,
        completes: session.outcome !== "running",
      });
    const steps = readable(session, agent === undefined ? readAsRecorded(session) : translated(agent));
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

/** A file that is missing or refused is told as what it means. */
async function* readable<T>({ id }: Session, batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof HarnessError) throw error;
    const message = `the recording ${id} cannot be read: ${messageOf(error)}; only what its sidecar tells is left`;
    throw new HarnessError("unreadable_recording", message, { cause: error });
  }
}

/** The agent of a recording: a built-in one, or one that speaks as a built-in one does. */
export function findRecordedAgent({ meta }: Session): AgentDefinition | undefined {
  const builtIn = findAgent(meta.agent);
  if (builtIn !== undefined || typeof meta.translator !== "string") return builtIn;
  if (findAgent(meta.translator) === undefined) return undefined;
  try {
    return defineAgent({ id: meta.agent, translator: meta.translator });
  } catch {
    // A sidecar that was written by hand.
    return undefined;
  }
}

function requireRecordedAgent(session: Session): AgentDefinition {
  const agent = findRecordedAgent(session);
  if (agent !== undefined) return agent;
  const { id, meta } = session;
  const message = `${id} is a run of the agent "${meta.agent}", which is not known here; give its definition (agent), or read it as it was recorded (asRecorded)`;
  throw new HarnessError("unknown_agent", message);
}
