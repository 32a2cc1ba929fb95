import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { findAgent } from "../agents/registry.js";
import { HarnessError } from "../errors.js";
import { checkOptions } from "../text/check-options.js";
import { suggestFrom } from "../text/suggest.js";
import { maxCells } from "./ledger-schema.js";
import type { BatchPlan, CheckedArm, CheckedPlan, CheckedTask, Workspace } from "./model/plan.js";
import { ArmSchema, BatchTaskSchema, PlanSchema } from "./plan-schema.js";

const defaultConcurrency = 4;

/**
 * Checks a plan and returns it, for editors that complete its keys. Throws a `HarnessError` with the code `invalid_plan` that
 * names the key.
 *
 * @example
 * const plan = defineBatch({
 *   name: "cart",
 *   repeats: 5,
 *   tasks: [{ id: "fix-total", prompt: "Fix the total.", workspace: { git: "./cart" }, check: "npm test" }],
 *   arms: [{ agent: "claude" }, { agent: "codex" }],
 * });
 */
export function defineBatch(plan: BatchPlan): BatchPlan {
  checkPlan(plan);
  return plan;
}

/** Checks a plan and fills in its defaults. Agents and their options are checked when they are resolved. */
export function checkPlan(given: unknown): CheckedPlan {
  const plan = checkOptions(PlanSchema, given, "plan", "invalid_plan");
  const tasks = plan.tasks.map((task, index) => checkTaskOf(task, `plan.tasks[${index}]`));
  const arms = plan.arms.map((arm, index) => checkArm(arm, `plan.arms[${index}]`));
  refuseTwins(tasks, "plan.tasks", "give each task an id of its own");
  refuseTwins(arms, "plan.arms", "give one of them an `id`");
  const cells = tasks.length * arms.length * plan.repeats;
  if (cells > maxCells)
    throw invalid(`plan has ${cells} cells (tasks × arms × repeats); at most ${maxCells} are possible`);
  return {
    ...plan,
    tasks,
    arms,
    concurrency: plan.concurrency ?? Math.min(defaultConcurrency, availableParallelism()),
    limits: limitsOf(plan.limits, arms),
  };
}

/** The name by which an agent is limited and stopped: the id of a built-in agent, else the name in the plan. */
export function agentOf({ agent }: Pick<CheckedArm, "agent">): string {
  return findAgent(agent)?.id ?? agent;
}

/** The plan with only these tasks and arms. Without a task among them all tasks stay, and so for arms. */
export function onlyOf(plan: CheckedPlan, only: readonly string[] | undefined): CheckedPlan {
  if (only === undefined || only.length === 0) return plan;
  const ids = [...plan.tasks, ...plan.arms].map(({ id }) => id);
  for (const word of only)
    if (!ids.includes(word))
      throw invalid(`the plan has no task and no arm "${word}"${suggestFrom(word, ids, "known ids")}`);
  const tasks = chosen(plan.tasks, only);
  const arms = chosen(plan.arms, only);
  const agents = new Set(arms.map(agentOf));
  const limits = Object.entries(plan.limits).filter(([agent]) => agents.has(agent));
  return { ...plan, tasks, arms, limits: Object.fromEntries(limits) };
}

function chosen<T extends { id: string }>(all: readonly T[], only: readonly string[]): readonly T[] {
  const some = all.filter(({ id }) => only.includes(id));
  return some.length === 0 ? all : some;
}

function checkTaskOf(given: unknown, name: string): CheckedTask {
  const task = checkOptions(BatchTaskSchema, given, name, "invalid_plan");
  return { ...task, workspace: absolute(task.workspace) };
}

function absolute(workspace: Workspace): Workspace {
  if ("git" in workspace) return { ...workspace, git: resolve(workspace.git) };
  return "copy" in workspace ? { copy: resolve(workspace.copy) } : workspace;
}

function checkArm(given: unknown, name: string): CheckedArm {
  const arm = checkOptions(ArmSchema, given, name, "invalid_plan");
  const { id = defaultId(arm), home, binary } = arm;
  return {
    ...arm,
    id,
    ...(home !== undefined && { home: resolve(home) }),
    // A name is looked for on PATH. A path would be seen from the run's workspace.
    ...(binary !== undefined && { binary: /[\\/]/.test(binary) ? resolve(binary) : binary }),
  };
}

/** Names of models may have characters that an id cannot have. */
function defaultId({ agent, model }: { agent: string; model?: string | undefined }): string {
  const name = model === undefined ? agent : `${agent}-${model}`;
  return name.replace(/[^\w.-]+/g, "-").slice(0, 100);
}

function refuseTwins(all: readonly { id: string }[], name: string, advice: string): void {
  const seen = new Map<string, number>();
  for (const [index, { id }] of all.entries()) {
    const first = seen.get(id);
    if (first !== undefined)
      throw invalid(`${name}[${index}] has the id "${id}" of ${name}[${first}]; ${advice}`);
    seen.set(id, index);
  }
}

/** The limits, by the names of `agentOf`. */
function limitsOf(limits: Readonly<Record<string, number>>, arms: readonly CheckedArm[]) {
  const agents = [...new Set(arms.map(agentOf))];
  const entries = Object.entries(limits).map(([name, limit]): [string, number] => {
    const agent = agentOf({ agent: name });
    if (agents.includes(agent)) return [agent, limit];
    const known = suggestFrom(name, agents, "its agents");
    throw invalid(`plan.limits.${name} is not an agent of this plan${known}`);
  });
  return Object.fromEntries(entries);
}

function invalid(message: string): HarnessError {
  return new HarnessError("invalid_plan", message);
}
