import type { EventOf } from "../../events/event.js";
import { createSummary } from "../../story/create-summary.js";
import type { ChangedFiles, FileCount, ReportedEnd, RunSummary } from "../../story/run-summary.js";
import { relativeTo } from "../../text/paths.js";
import { spellSafely, toJson } from "../../text/to-json.js";
import type { Format, Output, OutputDefinition, OutputOptions, View } from "../contract.js";
import type { RunReport } from "./schema.js";

/** `--format json`: one object, when the run has ended, that says how it ended and what it did. */
export const jsonFormat: Format<RunReport> = { name: "json", create: createJsonView };

export const jsonOutput = {
  name: "json",
  summary: "one JSON object at the end: outcome, answer, files, commands, tokens, cost",
  isForPeople: false,
  extensions: [".json"],
  schema: async () => (await import("./schema.js")).RunReport,
  open: createReportOutput,
} as const satisfies OutputDefinition;

/** On a terminal, where a person reads it, the object has line breaks. */
function createReportOutput({ columns, recording, check }: OutputOptions = {}): Output {
  const view = createJsonView();
  let held: RunReport[] = [];
  const toText = ({ outcome, ...report }: RunReport): string => {
    const path = recording?.();
    const checked = check?.();
    const whole = {
      outcome,
      ...(checked !== undefined && { check: checked }),
      ...report,
      ...(path !== undefined && { recording: path }),
    };
    return `${spellSafely(columns === undefined ? toJson(whole) : JSON.stringify(whole, null, 2))}\n`;
  };
  return {
    push(steps) {
      const reports = steps.flatMap(({ events }) => view.push(events));
      if (check === undefined) return reports.map(toText);
      // A check follows the run.
      held = [...held, ...reports];
      return [];
    },
    end: () => held.map(toText),
  };
}

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

/** What matters most comes first, lists last. */
function toReport(summary: RunSummary, exited: EventOf<"exited">): RunReport {
  const { outcome, failure, text, output, agent, startedAt, endedAt, ...rest } = summary;
  const { filesRead, filesWritten, commands, tools, subagents, errors, warnings, unknown, ...others } = rest;
  const { turns, requests, plan, changes, ...facts } = others;
  return {
    outcome: outcome ?? outcomeOf(exited),
    ...(failure !== undefined && { failure }),
    ...(text !== undefined && { text }),
    ...(output !== undefined && { output }),
    ...facts,
    runId: exited.runId,
    agent: agent ?? "unknown",
    startedAt: startedAt ?? exited.timestamp,
    endedAt: endedAt ?? exited.timestamp,
    ...(turns !== undefined && { turns }),
    ...(requests !== undefined && { requests }),
    ...(plan !== undefined && { plan }),
    ...(changes !== undefined && { changes }),
    files: { read: filesRead, written: withNumbers(filesWritten, changes) },
    commands,
    tools,
    subagents,
    errors,
    warnings: warnings.length,
    unknown,
  };
}

/** Agents name files by absolute paths, and changes are relative to the repository. */
function withNumbers(
  written: readonly FileCount[],
  changes: ChangedFiles | undefined,
): RunReport["files"]["written"] {
  if (changes === undefined) return [...written];
  const files = new Map(changes.files.map((file) => [file.path, file]));
  return written.map((file) => {
    const { isBinary, insertions, deletions } = files.get(relativeTo(file.path, changes.root)) ?? {};
    // The log of an agent may not have its edits. Git would have found a line.
    const isUncounted = changes.source === "edits" && insertions === 0 && deletions === 0;
    const isKnown =
      insertions !== undefined && deletions !== undefined && isBinary === undefined && !isUncounted;
    return isKnown ? { ...file, insertions, deletions } : file;
  });
}

function outcomeOf({ reason, exitCode }: EventOf<"exited">): ReportedEnd {
  return { isSuccess: reason === "completed", reason, exitCode };
}
