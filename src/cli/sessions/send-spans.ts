import type { Recording } from "../../runs/archive/recordings.js";
import { createReplay } from "../../runs/archive/replay.js";
import { createOtlpFollower } from "../../sending/otlp/follower.js";
import { formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { exitCodes } from "../exit-codes.js";
import type { ExportFlags } from "./command.js";
import { readerFor } from "./recorded-agent.js";

/** Sends the spans of a recorded run. They are all that was asked for, so it is a failure if some are not accepted. */
export async function sendSpans(
  recording: Recording,
  { otlpEndpoint: endpoint, otlpContents: hasContents }: ExportFlags,
): Promise<number> {
  // A run that is over does not belong to the span of whoever exports it.
  const { TRACEPARENT, ...env } = process.env;
  const problems: string[] = [];
  const onProblem = (problem: string): number => problems.push(problem);
  const follower = await createOtlpFollower({ endpoint, hasContents, env, isWhole: true, onProblem });
  follower.begin?.({ prompt: recording.meta.prompt });
  for await (const steps of createReplay(recording, readerFor(recording, ["otlp"])).batches())
    follower.push(steps);
  await follower.end();
  for (const problem of problems) complain(problem);
  if (problems.length > 0) return exitCodes.notWritten;
  complain(`sent ${formatNumberOf(follower.report.sent, "span")}`);
  return exitCodes.success;
}
