import type { RunCheck } from "../../events/run-check.js";
import type { RunSummary } from "../../story/run-summary.js";

/** What a job is to know about a run that is over, for its summary and the outputs of its step. */
export interface JobFacts {
  summary: RunSummary;
  agentName: string;
  prompt: string;
  /** What the command exits with. */
  exitCode: number;
  check?: RunCheck | undefined;
  recording?: string | undefined;
  /** What the run changed, if that is known. */
  patch?: string | undefined;
}

/** The run succeeded, and so did its check if there was one. */
export function isJobSuccess({ summary, check }: JobFacts): boolean {
  return summary.outcome?.isSuccess === true && check?.isSuccess !== false;
}

/** The files that the run changed: what git saw, else what the agent said that it wrote. */
export function changedPaths({ changes, filesWritten }: RunSummary): string[] {
  return changes?.files.map(({ path }) => path) ?? filesWritten.map(({ path }) => path);
}
