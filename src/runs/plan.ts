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
import type { JsonObject } from "../text/json.js";
import type { Environment } from "./files/user-directory.js";
import { type IsolatedHome, planHome } from "./isolated-home.js";
import { refuseBadSchema } from "./recording/output-check.js";
import { createRedactor, type Redactor } from "./redact/redactor.js";
import { runDirectory } from "./run-files.js";
import { redactValues, serverValues } from "./secret-values.js";
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
  /** The environment that the agent's is made from: ours, or the one of an isolated run. */
  inherited: Environment;
  /** Names of the variables that the agent's launcher or the user set. */
  envNames: string[];
  /** The run's own directory, for `launch.files` and the fresh home. */
  directory: string;
  /** The fresh home of an isolated run. */
  home: IsolatedHome | undefined;
  /** Masks secrets if that was asked for; otherwise returns the text unchanged. */
  redact(text: string): string;
  /** The same for the arguments of a command. */
  redactWords(words: readonly string[]): string[];
  redactor: Redactor | undefined;
  /** The schema as it is recorded and as answers are checked against it: masked, like them. The agent gets the task's own. */
  schema: JsonObject | undefined;
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
  const runId = task.runId ?? createRunId();
  const launch = launchOf(agent, () =>
    agent.launch({ ...toLaunchTask(task, cwd, runId), prompt: task.prompt, permissions }),
  );
  return completePlan({ task, agent, runId, cwd, launch });
}

/** The environment and the masking of a plan whose command is known. */
export function completePlan(
  known: Pick<Plan, "task" | "agent" | "runId" | "cwd" | "launch" | "live">,
): Plan {
  const { task, agent, runId, cwd, launch } = known;
  const directory = runDirectory(runId);
  const home = task.isolated ? planHome(agent, { directory, cwd, seed: task.home }) : undefined;
  const inherited = withoutRepository(home?.inherited ?? process.env, task);
  const env = createEnvironment(inherited, { runId, cwd, launch: launch.env, task: task.env });
  const envNames = [...new Set([...Object.keys(launch.env ?? {}), ...Object.keys(task.env ?? {})])].sort();
  const secrets = { ...env, ...serverValues(task.mcpServers) };
  const redactor = task.redact ? createRedactor({ env: secrets }) : undefined;
  const redact = (text: string): string => redactor?.text(text) ?? text;
  const redactWords = (words: readonly string[]): string[] => redactor?.words(words) ?? [...words];
  const schema = task.redact && task.schema ? redactValues(task.schema, redact) : task.schema;
  return { ...known, env, inherited, envNames, directory, home, redact, redactWords, redactor, schema };
}

/**
 * A hook of git sets variables that lead every git command to its own repository. The workspace of a batch is another one, so its agent
 * does not inherit them.
 */
function withoutRepository(env: Environment, { batch }: Task): Environment {
  if (batch === undefined) return env;
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(?!CONFIG|SSH|ASKPASS)/.test(name)),
  );
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
export function toLaunchTask(
  task: Task,
  cwd: string,
  runId: string,
): Omit<LaunchTask, "prompt" | "permissions"> {
  const { model, systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd, resume } = task;
  const { mcpServers, effort, allowedTools, schema } = task;
  return {
    cwd,
    directory: runDirectory(runId),
    extraArgs: task.extraArgs ?? [],
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    ...(resume !== undefined && { resume }),
    ...(mcpServers !== undefined && { mcpServers }),
    ...(effort !== undefined && { effort }),
    ...(allowedTools !== undefined && { allowedTools }),
    ...(schema !== undefined && { schema }),
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
  mcpServers: ["MCP servers", "--mcp-config"],
  effort: ["a level of effort", "--effort"],
  allowedTools: ["a list of tools", "--allowed-tools"],
  schema: ["a schema for its answer", "--schema"],
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
    mcpServers: task.mcpServers !== undefined,
    effort: task.effort !== undefined,
    allowedTools: task.allowedTools !== undefined,
    schema: task.schema !== undefined,
  };
  refuseUnknownEffort(task.effort, agent);
  refuseUnisolated(task, agent);
  if (task.schema !== undefined) refuseBadSchema(task.schema);
  for (const option of Object.keys(optionNames) as (keyof Capabilities)[]) {
    if (!wanted[option] || agent.capabilities[option]) continue;
    const [words, flag] = optionNames[option];
    const message = `${agent.name} cannot be given ${words} (${flag}, ${option}); leave it out or choose another agent`;
    throw new HarnessError("unsupported_option", message);
  }
}

function refuseUnknownEffort(effort: string | undefined, { name, capabilities }: AgentDefinition): void {
  const { effort: levels = [] } = capabilities;
  if (effort === undefined || levels.length === 0 || levels.includes(effort)) return;
  const message = `${name} does not know the effort "${effort}"; it knows ${levels.join(", ")}`;
  throw new HarnessError("invalid_option", message);
}

/** Half an isolation would be taken for a whole one. */
function refuseUnisolated(task: Task, agent: AgentDefinition): void {
  if (task.home !== undefined && !task.isolated)
    throw new HarnessError("invalid_option", "`home` is for an isolated run; add `isolated`");
  if (task.isolated && task.resume !== undefined)
    throw new HarnessError(
      "unsupported_option",
      "an isolated run begins with an empty home, so there is no session to resume; leave out `resume` or `isolated`",
    );
  if (!task.isolated || agent.isolation !== undefined) return;
  const message = `${agent.name} cannot be isolated (--isolated, isolated): harness knows no way to give it a home of its own; leave it out or choose another agent`;
  throw new HarnessError("unsupported_option", message);
}

function refuseEmpty(task: Task): void {
  if (task.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say in `prompt` what the agent is to do");
  if (task.model?.trim() === "")
    throw new HarnessError("empty_model", "the model is empty; name one, or leave `model` out");
}
