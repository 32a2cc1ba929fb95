import { messageOf } from "../../errors.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { createReplay } from "../../runs/archive/replay.js";
import { createSummary } from "../../story/create-summary.js";
import { type RecordedSummary, withMeta } from "../../story/recorded-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { standardScreen } from "../screen.js";
import type { ShowFlags } from "./command.js";
import { describeRecording } from "./describe-recording.js";
import { readerOf } from "./recorded-agent.js";
import { toReport } from "./report.js";

/** Prints what one recorded run did. */
export async function showAction(id: string, flags: ShowFlags): Promise<number> {
  const recording = await recordings.find(id);
  const summary = withMeta(recording.meta, recording.outcome, await summarize(recording));
  const output = createOutput(process.stdout);
  const screen = standardScreen();
  await (flags.json
    ? output.printJson(toJson(recording, summary))
    : output.printLines(describeRecording(recording, summary, screen.columns), screen));
  return 0;
}

/** What `sessions list --json` has for the run, which wins, and what the run did. */
function toJson(recording: Recording, summary: RecordedSummary): object {
  const report = toReport(recording);
  return { ...report, ...summary, ...report };
}

/** If the agent is not known here, this uses what was recorded. If files are missing, the summary is empty. */
async function summarize(recording: Recording): Promise<RunSummary> {
  const summary = createSummary();
  try {
    for await (const event of createReplay(recording, readerOf(recording))) summary.add(event);
  } catch (error) {
    complain(messageOf(error));
  }
  return summary.read();
}
