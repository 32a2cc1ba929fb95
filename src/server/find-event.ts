import type { HarnessEvent } from "../events/event.js";
import type { Recording } from "../runs/archive/recording.js";
import type { FindAgent } from "./find-agent.js";
import { followRecording } from "./follow-recording.js";
import type { RunIndex } from "./run-index.js";

/** One event in full. Translators have no random access, so the recording is read up to that event. */
export async function findEvent(
  recording: Recording,
  seq: number,
  { index, findAgent }: { index: RunIndex; findAgent: FindAgent },
): Promise<HarnessEvent | undefined> {
  const { agent } = findAgent(recording);
  const signal = AbortSignal.timeout(60_000);
  for await (const steps of followRecording(recording, agent, { pulse: index.pulse, signal })) {
    for (const step of steps) {
      const event = step.events.find((each) => each.seq === seq);
      if (event !== undefined) return event;
    }
  }
  return undefined;
}
