import { createSummary } from "../../summary/create-summary.js";
import type { RunOutcome, RunSummary } from "../../summary/run-summary.js";
import type { EventOf } from "../../vocabulary/event.js";
import type { Format, View } from "../format.js";
import type { RunReport } from "./schema.js";

/** `--format json`: one object, when the run has ended, that says how it ended and what it did. */
export const jsonFormat: Format<RunReport> = { name: "json", create: createJsonView };

function createJsonView(): View<RunReport> {
  const summary = createSummary();
  let isOver = false;
  return {
    push(events) {
      for (const event of events) {
        if (isOver) break;
        summary.add(event);
        if (event.type !== "exited") continue;
        isOver = true;
        return [toReport(summary.read(), event)];
      }
      return [];
    },
  };
}

function toReport(summary: RunSummary, exited: EventOf<"exited">): RunReport {
  const { filesRead, filesWritten, warnings, outcome, ...rest } = summary;
  return {
    ...rest,
    runId: exited.runId,
    agent: rest.agent ?? "unknown",
    startedAt: rest.startedAt ?? exited.timestamp,
    endedAt: exited.timestamp,
    outcome: outcome ?? outcomeOf(exited),
    files: { read: filesRead, written: filesWritten },
    warnings: warnings.length,
  };
}

function outcomeOf({ reason, exitCode }: EventOf<"exited">): RunOutcome {
  return { isSuccess: reason === "completed", reason, exitCode };
}
