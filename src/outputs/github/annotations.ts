import type { RunCheck } from "../../events/run-check.js";
import { describeCheck } from "../../story/describe-check.js";
import { titleOfFailure } from "../../story/explain-failure.js";
import { nextStepOf } from "../../story/outcomes.js";
import type { RunSummary } from "../../story/run-summary.js";
import { cutEndOf, toVisibleLine } from "../../text/cut.js";
import { formatNumberOf } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { toCommand, toInertLines } from "./commands.js";

/** GitHub shows ten errors and ten warnings of a step. What comes after them is lost. */
const mostWarnings = 10;
const mostPlaces = 8;
const longestMessage = 4000;
const longestTitle = 160;

export interface Annotated {
  agentName: string;
  check: RunCheck | undefined;
}

/** What went wrong in a run, as annotations: of the run, of its check with the places that it names, and of warnings. */
export function toAnnotations(summary: RunSummary, { agentName, check }: Annotated): string[] {
  return [
    ...ofRun(summary, agentName),
    ...(check === undefined || check.isSuccess ? [] : ofCheck(check, summary)),
    ...ofWarnings(summary, agentName),
  ];
}

function ofRun({ outcome, failure }: RunSummary, agentName: string): string[] {
  if (outcome === undefined) {
    const title = `${agentName}: the end of the run is missing`;
    return [annotate("warning", "The events stop before the run does.", title)];
  }
  if (outcome.isSuccess) return [];
  const { reason } = outcome;
  const title = `${agentName}: ${titleOfFailure(reason === "completed" ? "failed" : reason, failure?.kind)}`;
  const hint = nextStepOf(failure);
  const parts = [failure?.message ?? "", ...(hint === undefined ? [] : [`Next step: ${hint}`])];
  return [annotate("error", parts.filter((part) => part.trim() !== "").join("\n") || title, title)];
}

function ofCheck(check: RunCheck, summary: RunSummary): string[] {
  const places = placesIn(check.tail, summary).slice(0, mostPlaces);
  const title = `${check.isCancelled ? "Check cancelled" : "Check failed"}: ${toVisibleLine(check.command, 80)}`;
  return [
    annotate("error", `${describeCheck(check)}\n${check.tail}`.trim(), title),
    ...places.map(({ path, line, text }) => annotate("error", text, title, { file: path, line })),
  ];
}

interface Place {
  /** Relative to the repository. */
  path: string;
  line: string;
  /** The line that names it. */
  text: string;
}

/** `src/a.ts:3:7`, `./src/a.ts(3,7)`. A name is looked for only where one can begin: a long word would otherwise take forever. */
const place = /(?<![\w@.+~/-])([\w@.+~/-]+\.\w+)(?::(\d{1,7})\b|\((\d{1,7}),\d+\))/g;

/** Where the output of a check points at, but only in files that the run changed: other names may mean anything. */
function placesIn(output: string, { changes, cwd = "" }: RunSummary): Place[] {
  const changed = new Set((changes?.files ?? []).map(({ path }) => path));
  const root = changes?.root ?? cwd;
  const found = new Map<string, Place>();
  for (const text of output.split("\n")) {
    for (const [, name = "", colon, bracket] of text.matchAll(place)) {
      const line = colon ?? bracket ?? "";
      const path = namesOf(name, cwd, root).find((candidate) => changed.has(candidate));
      const key = `${path}:${line}`;
      if (path !== undefined && !found.has(key)) found.set(key, { path, line, text: text.trim() });
    }
  }
  return [...found.values()];
}

/** The ways to read a name: as an absolute path, from where the check runs, from the top of the repository. */
function namesOf(name: string, cwd: string, root: string): string[] {
  const plain = name.replace(/^(?:\.\/)+/, "");
  if (plain.startsWith("/")) return [relativeTo(plain, root)];
  return [relativeTo(`${cwd}/${plain}`, root), plain];
}

function ofWarnings({ warnings, outcome }: RunSummary, agentName: string): string[] {
  const messages = [...new Set(warnings.map(({ message }) => message))];
  // A missing end is a warning as well.
  const most = outcome === undefined ? mostWarnings - 1 : mostWarnings;
  const shown = messages.length > most ? messages.slice(0, most - 1) : messages;
  const rest = messages.length - shown.length;
  return [
    ...shown.map((message) => annotate("warning", message, agentName)),
    ...(rest === 0
      ? []
      : [annotate("warning", `${formatNumberOf(rest, "more warning")}: the log has them.`, agentName)]),
  ];
}

/** An annotation. Its message is shown in the log, line by line. */
export function annotate(
  name: "error" | "warning",
  message: string,
  title: string,
  place: { file?: string; line?: string } = {},
): string {
  const text = toInertLines(cutEndOf(message.trim(), longestMessage)).join("\n");
  return toCommand(name, text, { ...place, title: toVisibleLine(title, longestTitle) });
}
