import { isHarnessError } from "../../errors.js";
import { toJson } from "../../text/to-json.js";
import type { EventStream } from "../event-stream.js";
import type { SessionHere } from "../protocol.js";
import type { Pulse } from "../pulse.js";
import type { SessionControls } from "./session-controls.js";

/** The state is asked for at every so many beats. */
const beats = 3;

/**
 * Sends `session` whenever the state of a live session changes, until the signal aborts: what others do to its queue is no event of
 * the run. `null`: nobody can talk with it (any more).
 */
export async function watchSessionState(
  stream: Pick<EventStream, "send">,
  id: string,
  { controls, pulse, signal }: { controls: SessionControls; pulse: Pulse; signal: AbortSignal },
): Promise<void> {
  let sent = "";
  while (!signal.aborted) {
    const state = await stateOf(controls, id);
    const text = toJson(state);
    if (text !== sent && !signal.aborted) await stream.send("session", state);
    sent = text;
    for (let beat = 0; beat < beats; beat += 1) await pulse.next(signal);
  }
}

async function stateOf(controls: SessionControls, id: string): Promise<SessionHere | null> {
  try {
    return await controls.state(id);
  } catch (error) {
    if (isHarnessError(error)) return null;
    throw error;
  }
}
