import { statSync } from "node:fs";
import type { AgentDefinition } from "../../agents/definition.js";
import { messageOf } from "../../errors.js";
import type { Step } from "../../events/step.js";
import type { JobFacts } from "../../outputs/github/job-facts.js";
import { appendTo } from "../../runs/files/append-file.js";
import { secretVariables } from "../../runs/redact/secret-variables.js";
import { serverValues } from "../../runs/secret-values.js";
import type { Task } from "../../runs/task.js";
import { createSummary } from "../../story/create-summary.js";
import { complain } from "../complain.js";

/** The step of a GitHub job that this command runs in. */
export interface GitHubJob {
  /** Values that the log must not show. The runner masks them once it has been given them. */
  secrets: readonly string[];
  push(steps: readonly Step[]): void;
  /** The run is over: writes the summary of the job and the outputs of the step. Never throws: a file that cannot be written is a warning. */
  end(facts: Omit<JobFacts, "summary" | "agentName">): Promise<void>;
}

/**
 * The files by which a step steers its job. Whoever can write to them sets variables and outputs of later steps, so neither the agent nor
 * the check inherits their names.
 */
const runnerFiles = [
  "GITHUB_OUTPUT",
  "GITHUB_STEP_SUMMARY",
  "GITHUB_ENV",
  "GITHUB_PATH",
  "GITHUB_STATE",
] as const;

/** Joins the job. It takes the files of the runner out of this process's environment. */
export function joinGitHubJob(task: Task, agent: AgentDefinition): GitHubJob {
  const { env } = process;
  const outputs = env["GITHUB_OUTPUT"];
  const summaryFile = env["GITHUB_STEP_SUMMARY"];
  const secrets = env["GITHUB_ACTIONS"] === "true" ? secretsOf(task) : [];
  for (const name of runnerFiles) delete env[name];
  const summary = createSummary();
  return {
    secrets,
    push(steps) {
      for (const { events } of steps) for (const event of events) summary.add(event);
    },
    async end(given) {
      const facts: JobFacts = { ...given, summary: summary.read(), agentName: agent.name };
      if (summaryFile)
        await attempt("GITHUB_STEP_SUMMARY", summaryFile, () => writeSummary(summaryFile, facts));
      if (outputs) await attempt("GITHUB_OUTPUT", outputs, () => writeOutputs(outputs, facts));
    },
  };
}

/**
 * The values that `--redact` masks, each once. Of a value with several lines only those that are long: the runner would mask each of its
 * lines, and one may be a single bracket.
 */
function secretsOf({ env, mcpServers }: Task): string[] {
  const variables = secretVariables({ ...process.env, ...env, ...serverValues(mcpServers) });
  return [...new Set(variables.map(({ value }) => value.trim()).filter((value) => !/[\r\n]/.test(value)))];
}

async function attempt(variable: string, path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    complain(
      `warning: the file of ${variable}, ${path}, cannot be written (${messageOf(error)}); the run is not affected`,
    );
  }
}

async function writeSummary(path: string, facts: JobFacts): Promise<void> {
  const { mostSummaryBytes, toJobSummary } = await import("../../outputs/github/job-summary.js");
  const size = sizeOf(path);
  const text = toJobSummary(facts, mostSummaryBytes - size - 1);
  if (text === undefined)
    throw new Error("GitHub takes 1 MiB for the summary of a step, and what is there leaves no room");
  appendTo(path, size === 0 ? text : `\n${text}`);
}

async function writeOutputs(path: string, facts: JobFacts): Promise<void> {
  const { toOutputFile, toStepOutputs } = await import("../../outputs/github/step-outputs.js");
  const text = toOutputFile(toStepOutputs(facts));
  // What is there may not end with a line feed. The runner ignores empty lines.
  appendTo(path, sizeOf(path) === 0 ? text : `\n${text}`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
