import { cutText } from "../../text/cut.js";
import { formatCount } from "../../text/numbers.js";
import { changedPaths, isJobSuccess, type JobFacts } from "./job-facts.js";

/** The names of the step's outputs, in order. action.yml passes all of them on. */
export const stepOutputNames = [
  "outcome",
  "success",
  "exit-code",
  "failure-kind",
  "check",
  "answer",
  "changed-files",
  "cost-usd",
  "run-id",
  "session-id",
  "recording",
] as const;

export type StepOutputs = Record<(typeof stepOutputNames)[number], string>;

/** GitHub takes a megabyte for all outputs of a job. */
const longestAnswer = 200_000;
const longestList = 200_000;

/** What later steps can read. What is not known is empty. */
export function toStepOutputs(facts: JobFacts): StepOutputs {
  const { summary, exitCode, check, recording } = facts;
  return {
    outcome: summary.outcome?.reason ?? "",
    success: String(isJobSuccess(facts)),
    "exit-code": String(exitCode),
    "failure-kind": summary.outcome?.isSuccess ? "" : (summary.failure?.kind ?? ""),
    check: check === undefined ? "" : check.isSuccess ? "passed" : "failed",
    answer: shortAnswer(summary.text ?? ""),
    "changed-files": toList(changedPaths(summary)),
    "cost-usd": summary.costUsd === undefined ? "" : String(summary.costUsd),
    "run-id": summary.runId ?? "",
    "session-id": summary.sessionId ?? "",
    recording: recording ?? "",
  };
}

function shortAnswer(text: string): string {
  const { head, tail, omitted } = cutText(text, longestAnswer);
  return omitted === 0 ? text : `${head}\n… ${formatCount(omitted)} characters left out …\n${tail}`;
}

/** A JSON array, because a name may have a line break in it. */
function toList(paths: readonly string[]): string {
  let size = 0;
  return JSON.stringify(
    paths.filter((path) => {
      size += path.length + 3;
      return size <= longestList;
    }),
  );
}

/**
 * The text to append to the file `GITHUB_OUTPUT`. Each value ends at a line that it does not have itself, whatever it holds
 * (actions/runner, FileCommandManager.cs). The runner would take a carriage return at its end for a part of the line break.
 */
export function toOutputFile(outputs: StepOutputs): string {
  return stepOutputNames
    .map((name) => {
      const value = outputs[name].replace(/\r+$/, "");
      const delimiter = delimiterFor(value);
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join("");
}

function delimiterFor(value: string): string {
  const lines = new Set(value.split(/\r\n|\r|\n/));
  let delimiter = "end_of_output";
  while (lines.has(delimiter)) delimiter += "_";
  return delimiter;
}
