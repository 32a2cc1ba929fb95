import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  type AgentDefinition,
  defaultPermissions,
  type Launch,
  type PermissionMode,
} from "../agents/definition.js";
import type { Abilities, LiveProtocol, LiveTask, SessionOption } from "../agents/live-contract.js";
import { processPerTurn } from "../agents/process-per-turn.js";
import { requireAgent } from "../agents/registry.js";
import { sessionAbilities } from "../agents/session-abilities.js";
import { HarnessError } from "../errors.js";
import { createRunId } from "../events/run-id.js";
import { completePlan, launchOf, type Plan, refuseUnsupported, toLaunchTask } from "../runs/plan.js";
import type { Task } from "../runs/task.js";
import { refuseGranted } from "./granted.js";
import { findLastSession } from "./last-session.js";
import { createJudge, type Judge } from "./rules/judge.js";
import { realPath } from "./rules/real-path.js";
import type { PermissionRules } from "./rules/rule.js";
import { unenforceable } from "./rules/unenforceable.js";
import { checkSessionTask, type OnRequest, type SessionTask } from "./session-task.js";

/** A checked task, and how the session is carried out. */
export interface SessionPlan extends Plan {
  /** Undefined: one process per turn. */
  protocol: LiveProtocol | undefined;
  can: Abilities;
  /** `ask` also stands for rules. */
  mode: PermissionMode;
  /** What the rules say about a request, if there are rules. */
  judge: Judge | undefined;
  liveTask: LiveTask;
  turnTimeoutMs: number | undefined;
  onRequest: OnRequest | undefined;
}

/** Checks a task and plans its session. Nothing is started. Throws a `HarnessError` if the task is invalid. */
export function planSession(given: SessionTask): SessionPlan {
  const { turnTimeoutMs, onRequest, ...rest } = checkSessionTask(given);
  const agent = typeof rest.agent === "string" ? requireAgent(rest.agent) : rest.agent;
  const cwd = resolve(rest.cwd ?? ".");
  const task = { ...rest, prompt: "", resume: resumedBy(rest, agent, cwd) };
  refuseUnsupported(task, agent);
  refuseUncarried(task, agent);
  const { permissions = defaultPermissions } = task;
  const mode = typeof permissions === "string" ? permissions : "ask";
  const can = requireAbilities(agent);
  const rules = typeof permissions === "string" ? undefined : permissions;
  refuseUnasked(agent, can, mode, rules);
  const judge = rules && createJudge(rules, { cwd, home: homedir(), realPath });
  const runId = task.runId ?? createRunId();
  const liveTask: LiveTask = {
    ...toLaunchTask(task, cwd, runId),
    permissions: mode,
    password: randomBytes(24).toString("base64url"),
  };
  const { live: protocol } = agent;
  const planned = protocol === undefined ? { args: [] } : launchOf(agent, () => protocol.launch(liveTask));
  const { binary, launch } = withProgram(agent, task.binary, planned);
  const known = { task: { ...task, binary }, agent, runId, cwd, launch };
  const plan = completePlan({ ...known, live: protocol?.id ?? processPerTurn });
  if (rules !== undefined) refuseGranted(agent, plan.env);
  return { ...plan, protocol, can, mode, judge, liveTask, turnTimeoutMs, onRequest };
}

/** An agent without a program of its own is the command that it is given: its first word is the program. */
function withProgram(
  agent: AgentDefinition,
  binary: string | undefined,
  launch: Launch,
): { binary: string | undefined; launch: Launch } {
  if (binary !== undefined || agent.binaries.length > 0) return { binary, launch };
  const [program, ...args] = launch.args;
  return { binary: program, launch: { ...launch, args } };
}

/** `last`: the newest recorded session of this agent in this directory. */
function resumedBy(
  { resume, sessionsDirectory }: SessionTask,
  agent: AgentDefinition,
  cwd: string,
): string | undefined {
  return resume === "last" ? findLastSession(agent, cwd, sessionsDirectory) : resume;
}

/** Throws if no session with this agent is possible. */
function requireAbilities(agent: AgentDefinition): Abilities {
  const abilities = sessionAbilities(agent);
  if (abilities !== undefined) return abilities;
  const message = `${agent.name} cannot be talked with: it has no live protocol and cannot resume a session; use run()`;
  throw new HarnessError("unsupported_option", message);
}

/** Throws if the agent's protocol cannot carry an option that it has in a one-shot run. */
function refuseUncarried(task: Task, { name, live }: AgentDefinition): void {
  if (live === undefined) return;
  const wanted = sessionOptions.filter((option) => task[option] !== undefined);
  const lost = wanted.filter((option) => !live.options?.includes(option));
  if (lost.length === 0) return;
  const message = `a live session with ${name} cannot be given ${lost.join(" and ")}; leave it out, or use run() without rules for permissions`;
  throw new HarnessError("unsupported_option", message);
}

const sessionOptions: readonly SessionOption[] = ["mcpServers", "effort", "allowedTools", "schema"];

/** An agent that cannot ask, or does not ask about everything that the rules name, would do more than they allow. */
function refuseUnasked(
  agent: AgentDefinition,
  can: Abilities,
  mode: PermissionMode,
  rules: PermissionRules | undefined,
): void {
  if (mode !== "ask") return;
  if (!can.ask) {
    const what = rules === undefined ? 'permissions: "ask"' : "rules for permissions";
    const message = `${agent.name} cannot ask for permission, so ${what} cannot be kept; choose another agent, or "read-only" or "full-access"`;
    throw new HarnessError("unsupported_option", message);
  }
  const problems = rules === undefined ? [] : unenforceable(rules, agent.live?.unasked ?? []);
  if (problems.length === 0) return;
  const message = `${agent.name} cannot be run with these rules: ${problems.join("; ")}. Change the rules, or choose another agent`;
  throw new HarnessError("unsupported_option", message);
}
