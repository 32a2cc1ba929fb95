import type { HarnessEvent } from "../events/event.js";
import type { Session } from "../runs/archive/recording.js";
import type { FindAgent } from "./find-agent.js";
import { followSession } from "./follow-recording.js";
import type { RunIndex } from "./run-index.js";

/** One event, whole. Translators know no random access: the recording is read up to it. */
export async function findEvent(
  session: Session,
  seq: number,
  { index, findAgent }: { index: RunIndex; findAgent: FindAgent },
): Promise<HarnessEvent | undefined> {
  const { agent } = findAgent(session);
  const signal = AbortSignal.timeout(60_000);
  for await (const steps of followSession(session, agent, { pulse: index.pulse, signal })) {
    for (const step of steps) {
      const event = step.events.find((each) => each.seq === seq);
      if (event !== undefined) return event;
    }
  }
  return undefined;
}
