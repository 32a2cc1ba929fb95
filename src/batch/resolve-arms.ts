import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { requireAgent } from "../agents/registry.js";
import { HarnessError, problemOf } from "../errors.js";
import { planTask } from "../live/run.js";
import { secretVariables } from "../runs/redact/secret-variables.js";
import type { Task } from "../runs/task.js";
import type { ResolveArm, ResolvedArm } from "./batch.js";
import { hashOf } from "./make-cells.js";
import type { CheckedArm, CheckedPlan, CheckedTask } from "./model/plan.js";

export interface ResolvedArms {
  /** By the arm's id. */
  resolved: ReadonlyMap<string, ResolvedArm>;
  /** `BatchLine.arms`. */
  hashes: Readonly<Record<string, string>>;
}

/**
 * Finds the agent of every arm and checks that it can do every task, before the first run is started. `work` is where the workspaces
 * will be. Throws a `HarnessError` that names the arm.
 */
export function resolveArms(plan: CheckedPlan, work: string, resolveArm?: ResolveArm): ResolvedArms {
  const resolved = new Map<string, ResolvedArm>();
  const hashes: Record<string, string> = {};
  for (const arm of plan.arms)
    named(arm, () => {
      const one = (resolveArm ?? resolveBuiltIn)(arm);
      for (const task of plan.tasks) planTask({ ...taskOf(plan, task, arm, one), cwd: join(work, "run") });
      resolved.set(arm.id, one);
      hashes[arm.id] = fingerprint(plan, arm, one);
    });
  return { resolved, hashes };
}

function resolveBuiltIn({ agent }: CheckedArm): ResolvedArm {
  return { agent: requireAgent(agent) };
}

/** What the agent is asked, without what differs between the attempts. */
export function taskOf(
  plan: CheckedPlan,
  { prompt, schema, timeoutMs = plan.timeoutMs }: CheckedTask,
  { id: _, home, ...arm }: CheckedArm,
  { agent, findPrice, ...resolved }: ResolvedArm,
): Task {
  const { model = arm.model, binary = arm.binary, extraArgs = arm.extraArgs, env = arm.env } = resolved;
  const { isolated, redact, idleTimeoutMs } = plan;
  const own = { agent, model, binary, extraArgs, env, findPrice };
  return { ...arm, ...own, prompt, schema, timeoutMs, idleTimeoutMs, redact, isolated, home };
}

/** A hash of everything in an arm that matters for the result. */
function fingerprint(plan: CheckedPlan, arm: CheckedArm, resolved: ResolvedArm): string {
  const { agent, env = {}, findPrice, prompt, home, ...options } = taskOf(plan, noTask, arm, resolved);
  const { id, credentials } = resolved.agent;
  // Another key of the same account gives the same results, and a renewed one must not end a batch.
  const secret = new Set([...credentials, ...secretVariables(env).map(({ name }) => name)]);
  const variables = Object.entries(env).map(([name, value]) => [name, secret.has(name) ? "" : value]);
  const homeHash = home === undefined ? undefined : hashDirectory(home);
  return hashOf({ ...options, agent: id, env: Object.fromEntries(variables), home: homeHash });
}

const noTask: CheckedTask = { id: "", prompt: "", workspace: { empty: true } };

/** A hash of the names and the content of all files below a directory. */
function hashDirectory(directory: string): string {
  const hash = createHash("sha256");
  const add = (path: string, name: string): void => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(join(path, entry), `${name}/${entry}`);
      return;
    }
    const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path) : "";
    const isExecutable = (stat.mode & 0o100) !== 0;
    hash.update(JSON.stringify([name, stat.isSymbolicLink(), isExecutable, Buffer.byteLength(content)]));
    hash.update(content);
  };
  try {
    add(directory, "");
  } catch (error) {
    throw new HarnessError("invalid_option", `home: ${directory} cannot be read: ${problemOf(error)}`);
  }
  return hash.digest("hex");
}

/** Errors say which arm is meant. */
function named(arm: CheckedArm, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new HarnessError(error.code, `arm "${arm.id}": ${error.message}`, { cause: error });
  }
}
