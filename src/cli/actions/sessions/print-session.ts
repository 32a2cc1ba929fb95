import { generic } from "../../../agents/generic/definition.js";
import type { Session } from "../../../sessions/index.js";
import { type ReplayOptions, replaySession } from "../../../sessions/replay.js";
import type { Output } from "../../output.js";
import { createStepWriter, joinPrinted, type StreamFormat } from "../../step-writer.js";
import { findRecordedAgent, requireRecordedAgent } from "./recorded-agent.js";

/** Prints a recorded run as a stream. Ends early when the reader goes away. */
export async function printSession(
  session: Session,
  format: StreamFormat,
  output: Output,
  options: Pick<ReplayOptions, "speed" | "signal"> = {},
): Promise<void> {
  const agent =
    format === "raw"
      ? // What the agent printed can be told without knowing what it means.
        ((await findRecordedAgent(session)) ?? generic)
      : await requireRecordedAgent(session);
  const write = createStepWriter(format, agent);
  for await (const steps of replaySession(session, { ...options, agent }).batches()) {
    await output.write(joinPrinted(steps.map(write)));
    if (output.isClosed) return;
  }
}
