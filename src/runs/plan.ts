import { resolve } from "node:path";
import { LaunchSchema } from "../agents/agent-schemas.js";
import {
  type AgentDefinition,
  type Capabilities,
  defaultPermissions,
  type Launch,
  type LaunchTask,
  type Permissions,
} from "../agents/definition.js";
import { requireAgent } from "../agents/registry.js";
import { HarnessError, messageOf } from "../errors.js";
import { createRunId } from "../events/run-id.js";
import { createEnvironment } from "../process/environment.js";
import { checkOptions } from "../text/check-options.js";
import { createRedactor, type Redactor } from "./redact/redactor.js";
import type { Task } from "./task.js";
import { checkTask } from "./task-schema.js";

/** A checked task, and the command that carries it out. */
export interface Plan {
  task: Task;
  agent: AgentDefinition;
  runId: string;
  cwd: string;
  launch: Launch;
  env: Record<string, string>;
  /** Names of the variables that the agent's launcher or the user set. */
  envNames: string[];
  /** Masks secrets if that was asked for; otherwise returns the text unchanged. */
  redact(text: string): string;
  /** The same for the arguments of a command. */
  redactWords(words: readonly string[]): string[];
  redactor: Redactor | undefined;
  /** The protocol of a live session. Undefined for a one-shot run. */
  live?: string;
}

/**
 * Checks a task and plans its run. Nothing is started. Throws a `HarnessError` if the task is invalid. Problems of the
 * machine (no such program or directory) show when the run starts.
 */
export function planRun(given: Task): Plan {
  const task = checkTask(given);
  const agent = typeof task.agent === "string" ? requireAgent(task.agent) : task.agent;
  refuseUnsupported(task, agent);
  refuseEmpty(task);
  const cwd = resolve(task.cwd ?? ".");
  const permissions = launchPermissions(task);
  const launch = launchOf(agent, () =>
    agent.launch({ ...toLaunchTask(task, cwd), prompt: task.prompt, permissions }),
  );
  return completePlan({ task, agent, runId: task.runId ?? createRunId(), cwd, launch });
}

/** The environment and the masking of a plan whose command is known. */
export function completePlan(
  known: Pick<Plan, "task" | "agent" | "runId" | "cwd" | "launch" | "live">,
): Plan {
  const { task, runId, cwd, launch } = known;
  const env = createEnvironment(process.env, { runId, cwd, launch: launch.env, task: task.env });
  const envNames = [...new Set([...Object.keys(launch.env ?? {}), ...Object.keys(task.env ?? {})])].sort();
  const redactor = task.redact ? createRedactor({ env }) : undefined;
  const redact = (text: string): string => redactor?.text(text) ?? text;
  const redactWords = (words: readonly string[]): string[] => redactor?.words(words) ?? [...words];
  return { ...known, env, envNames, redact, redactWords, redactor };
}

/** What a launcher returned, checked. Whatever it throws becomes a `HarnessError`. */
export function launchOf(agent: AgentDefinition, plan: () => Launch): Launch {
  try {
    const launch: unknown = plan();
    return checkOptions(LaunchSchema, launch, `launch() of ${agent.name}: its result`, "launch_failed");
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const message = `the definition of ${agent.name} could not plan this task: ${messageOf(error)}`;
    throw new HarnessError("launch_failed", message, { cause: error });
  }
}

/** The task as launchers see it, without what differs between a run and a session. */
export function toLaunchTask(task: Task, cwd: string): Omit<LaunchTask, "prompt" | "permissions"> {
  const { model, systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd, resume } = task;
  return {
    cwd,
    extraArgs: task.extraArgs ?? [],
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    ...(resume !== undefined && { resume }),
  };
}

/** Without a live session nobody can be asked. */
function launchPermissions({ permissions = defaultPermissions }: Task): Permissions {
  if (permissions === "full-access" || permissions === "read-only") return permissions;
  const message = "rules for permissions and `ask` need a live session, where the agent can ask";
  throw new HarnessError("unsupported_option", message);
}

/** The options that not every agent has: in words, and as the command line calls them. */
const optionNames: Record<keyof Capabilities, readonly [words: string, flag: string]> = {
  model: ["a model", "--model"],
  readOnly: ["read-only permissions", "--permissions read-only"],
  systemPrompt: ["a system prompt", "--system-prompt"],
  appendSystemPrompt: ["an addition to the system prompt", "--append-system-prompt"],
  maxTurns: ["a limit of turns", "--max-turns"],
  maxBudgetUsd: ["a budget", "--max-budget-usd"],
  resume: ["a session to resume", "--resume"],
};

/** Throws if the agent lacks an option that the task uses. */
export function refuseUnsupported(task: Task, agent: AgentDefinition): void {
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

function refuseEmpty(task: Task): void {
  if (task.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say in `prompt` what the agent is to do");
  if (task.model?.trim() === "")
    throw new HarnessError("empty_model", "the model is empty; name one, or leave `model` out");
}
