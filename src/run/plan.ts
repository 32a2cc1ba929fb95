import { resolve } from "node:path";
import type { AgentDefinition, Capabilities, Launch, LaunchTask } from "../agents/definition.js";
import { requireAgent } from "../agents/registry.js";
import { HarnessError, messageOf } from "../errors.js";
import { createEnvironment } from "../process/environment.js";
import { defaultMaxLineBytes } from "../process/line-splitter.js";
import { createRedactor, type Redactor } from "../redact/redactor.js";
import { createRunId, isRunId } from "./run-id.js";
import type { Task } from "./task.js";

/** A task that can be carried out: checked, and turned into what is to be executed. */
export interface Plan {
  task: Task;
  agent: AgentDefinition;
  runId: string;
  cwd: string;
  launch: Launch;
  env: Record<string, string>;
  /** Names of the variables that the agent's launcher or the user set. */
  envNames: string[];
  /** Masks secrets, when that was asked for; otherwise gives the text as it is. */
  redact(text: string): string;
  /** The same for the arguments of a command. */
  redactWords(words: readonly string[]): string[];
  redactor: Redactor | undefined;
}

/**
 * Checks a task and plans its run; nothing is started. What the user got wrong is thrown as a
 * `HarnessError`; what is wrong with the machine (no such program or directory) is found at the start.
 */
export function planRun(task: Task): Plan {
  const agent = typeof task.agent === "string" ? requireAgent(task.agent) : task.agent;
  refuseUnsupported(task, agent);
  refuseInvalid(task);
  const runId = task.runId ?? createRunId();
  const cwd = resolve(task.cwd ?? ".");
  const launch = launchOf(agent, task, cwd);
  const env = createEnvironment(process.env, { runId, cwd, launch: launch.env, task: task.env });
  const envNames = [...new Set([...Object.keys(launch.env ?? {}), ...Object.keys(task.env ?? {})])].sort();
  const redactor = task.redact ? createRedactor({ env }) : undefined;
  const redact = (text: string): string => redactor?.text(text) ?? text;
  const redactWords = (words: readonly string[]): string[] => redactor?.words(words) ?? [...words];
  return { task, agent, runId, cwd, launch, env, envNames, redact, redactWords, redactor };
}

function launchOf(agent: AgentDefinition, task: Task, cwd: string): Launch {
  try {
    return agent.launch(toLaunchTask(task, cwd));
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const message = `the definition of ${agent.name} could not plan this task: ${messageOf(error)}`;
    throw new HarnessError("launch_failed", message, { cause: error });
  }
}

function toLaunchTask(task: Task, cwd: string): LaunchTask {
  const { prompt, model, systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd, resume } = task;
  return {
    prompt,
    cwd,
    permissions: task.permissions ?? "full-access",
    extraArgs: task.extraArgs ?? [],
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    ...(resume !== undefined && { resume }),
  };
}

/** The options that not every agent has: for people, and as the command line and the library name them. */
const optionNames: Record<keyof Capabilities, readonly [words: string, flag: string]> = {
  model: ["a model", "--model"],
  readOnly: ["read-only permissions", "--permissions read-only"],
  systemPrompt: ["a system prompt", "--system-prompt"],
  appendSystemPrompt: ["an addition to the system prompt", "--append-system-prompt"],
  maxTurns: ["a limit of turns", "--max-turns"],
  maxBudgetUsd: ["a budget", "--max-budget-usd"],
  resume: ["a session to resume", "--resume"],
};

function refuseUnsupported(task: Task, agent: AgentDefinition): void {
  const wanted: Record<keyof Capabilities, boolean> = {
    model: task.model !== undefined,
    readOnly: task.permissions === "read-only",
    systemPrompt: task.systemPrompt !== undefined,
    appendSystemPrompt: task.appendSystemPrompt !== undefined,
    maxTurns: task.maxTurns !== undefined,
    maxBudgetUsd: task.maxBudgetUsd !== undefined,
    resume: task.resume !== undefined,
  };
  for (const option of Object.keys(optionNames) as (keyof Capabilities)[]) {
    if (!wanted[option] || agent.capabilities[option]) continue;
    const [words, flag] = optionNames[option];
    const message = `${agent.name} cannot be given ${words} (${flag}, ${option}); leave it out or choose another agent`;
    throw new HarnessError("unsupported_option", message);
  }
}

function refuseInvalid(task: Task): void {
  // Also what a program without types may have left out.
  if (typeof task.prompt !== "string" || task.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say in `prompt` what the agent is to do");
  if (task.model?.trim() === "")
    throw new HarnessError("empty_model", "the model is empty; name one, or leave `model` out");
  if (task.runId !== undefined && !isRunId(task.runId)) {
    throw new HarnessError(
      "invalid_option",
      `"${task.runId}" is no run id; use letters, digits, ".", "_" and "-"`,
    );
  }
  refuseLongLines(task.maxLineBytes);
  for (const option of ["timeoutMs", "idleTimeoutMs", "graceMs", "silenceMs", "maxLineBytes"] as const) {
    const value = task[option];
    if (value === undefined || value > 0) continue;
    throw new HarnessError("invalid_option", `${option} is ${value}; give a number above 0 or leave it out`);
  }
}

/** More could not be written as a record that can be read again. */
function refuseLongLines(bytes: number | undefined): void {
  if (bytes === undefined || (Number.isInteger(bytes) && bytes <= defaultMaxLineBytes)) return;
  const message = `maxLineBytes is ${bytes}; give a whole number up to ${defaultMaxLineBytes} (64 MiB) or leave it out`;
  throw new HarnessError("invalid_option", message);
}
