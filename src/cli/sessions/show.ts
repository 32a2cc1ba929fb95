import { messageOf } from "../../errors.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { createReplay } from "../../runs/archive/replay.js";
import { createSummary } from "../../story/create-summary.js";
import { type RecordedSummary, withMeta } from "../../story/recorded-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { describeRecording } from "./describe-recording.js";
import { readerOf } from "./recorded-agent.js";
import { toReport } from "./report.js";

/** What one recorded run did. */
export async function showAction(id: string, flags: { json?: boolean }): Promise<number> {
  const recording = await recordings.find(id);
  const summary = withMeta(recording.meta, recording.outcome, await summarize(recording));
  const output = createOutput(process.stdout);
  await (flags.json
    ? output.printJson(toJson(recording, summary))
    : output.print(describeRecording(recording, summary)));
  return 0;
}

/** What the list says of the run, which wins, and what it did. */
function toJson(recording: Recording, summary: RecordedSummary): object {
  const report = toReport(recording);
  return { ...report, ...summary, ...report };
}

/** Of an agent that is not known here, what was written when it ran; of files that are gone, nothing. */
async function summarize(recording: Recording): Promise<RunSummary> {
  const summary = createSummary();
  try {
    for await (const event of createReplay(recording, readerOf(recording))) summary.add(event);
  } catch (error) {
    complain(messageOf(error));
  }
  return summary.read();
}
