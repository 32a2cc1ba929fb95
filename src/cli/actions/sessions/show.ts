import { createReadStream } from "node:fs";
import { outcomeWords } from "../../../export/facts.js";
import { costSourceWords, hasFailed, type RecordedSummary, summarizeRun } from "../../../export/summary.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../../export/text/numbers.js";
import { toVisibleLine, toVisibleText } from "../../../export/text/visible-text.js";
import { createLineSplitter } from "../../../process/line-splitter.js";
import { type Session, sessions } from "../../../sessions/index.js";
import { replaySession } from "../../../sessions/replay.js";
import type { ToldEvent } from "../../../summary/index.js";
import { relativeTo } from "../../../translator/paths.js";
import { createOutput } from "../../output.js";
import { toTable } from "../../table.js";
import { formatAge, formatMoment } from "./moments.js";
import { findRecordedAgent } from "./recorded-agent.js";
import { toReport } from "./report.js";

/** What one recorded run did. */
export async function showAction(id: string, flags: { json?: boolean }): Promise<number> {
  const session = await sessions.find(id);
  const summary = summarizeRun(session.meta, session.outcome, await readEvents(session));
  const output = createOutput(process.stdout);
  await output.write(
    flags.json
      ? `${JSON.stringify({ ...toReport(session), ...summary }, null, 2)}\n`
      : describe(session, summary),
  );
  return 0;
}
