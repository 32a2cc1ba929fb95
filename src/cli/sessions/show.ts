import { messageOf } from "../../errors.js";
import { type Session, sessions } from "../../runs/archive/recordings.js";
import { replaySession } from "../../runs/archive/replay.js";
import { createSummary } from "../../story/create-summary.js";
import { type RecordedSummary, withMeta } from "../../story/recorded-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import type { ShowFlags } from "./command.js";
import { describeSession } from "./describe-session.js";
import { readerOf } from "./recorded-agent.js";
import { toReport } from "./report.js";

/** Prints what one recorded run did. */
export async function showAction(id: string, flags: ShowFlags): Promise<number> {
  const session = await sessions.find(id);
  const summary = withMeta(session.meta, session.outcome, await summarize(session));
  const output = createOutput(process.stdout);
  await (flags.json
    ? output.printJson(toJson(session, summary))
    : output.print(describeSession(session, summary)));
  return 0;
}

/** What `sessions list --json` has for the run, which wins, and what the run did. */
function toJson(session: Session, summary: RecordedSummary): object {
  const report = toReport(session);
  return { ...report, ...summary, ...report };
}

/** If the agent is not known here, this uses what was recorded. If files are missing, the summary is empty. */
async function summarize(session: Session): Promise<RunSummary> {
  const summary = createSummary();
  try {
    for await (const event of replaySession(session, readerOf(session))) summary.add(event);
  } catch (error) {
    complain(messageOf(error));
  }
  return summary.read();
}
