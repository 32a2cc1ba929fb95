import * as v from "valibot";
import { type AgentDefinition, defaultPermissions, type PermissionMode } from "../agents/definition.js";
import { sessionAbilities } from "../agents/session-abilities.js";
import type { Config } from "../config/load-config.js";
import { refuseWeakening } from "../config/refuse-weakening.js";
import { taskSettings } from "../config/task-settings.js";
import { HarnessError } from "../errors.js";
import type { PermissionRules } from "../live/rules/rule.js";
import type { SessionTask } from "../live/session-task.js";
import { chooseModel } from "../models/choose-model.js";
import { findPrice } from "../models/find-price.js";
import { loadModels } from "../models/load-models.js";
import type { Recording } from "../runs/archive/recording.js";
import type { Task } from "../runs/task.js";
import { checkOptions } from "../text/check-options.js";
import type { NewRun, NewSession } from "./protocol.js";
import { longText } from "./sessions/answer.js";

const common = {
  agent: v.pipe(v.string(), v.nonEmpty("must not be empty"), v.description("Its id, as `claude`.")),
  prompt: v.pipe(longText, v.description("What the agent is to do.")),
  cwd: v.optional(v.pipe(longText, v.description("Where it works. Default: where the server was started."))),
  model: v.optional(v.pipe(longText, v.description("A name of harness, or the agent's own id of a model."))),
  resume: v.optional(v.pipe(longText, v.description("The id of a run whose session goes on."))),
};

export const NewRunBody = v.strictObject({
  ...common,
  permissions: v.optional(v.picklist(["full-access", "read-only"])),
});

export const NewSessionBody = v.strictObject({
  ...common,
  permissions: v.optional(v.picklist(["full-access", "read-only", "ask"])),
});

/** Checks what the page sends. Throws `bad_request` if anything is wrong or unknown. */
export function parseNewRun(body: unknown): NewRun {
  return requirePrompt(checkOptions(NewRunBody, body, "run", "bad_request"));
}

/** The same for a live session. */
export function parseNewSession(body: unknown): NewSession {
  return requirePrompt(checkOptions(NewSessionBody, body, "session", "bad_request"));
}

export function requirePrompt<T extends { prompt: string }>(wanted: T): T {
  if (wanted.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; write what the agent should do");
  return wanted;
}

interface Made<T> {
  task: T;
  /** What the user should know. */
  warnings: string[];
}

export interface Where {
  agent: AgentDefinition;
  config: Config;
  /** The recording whose session goes on. */
  resumed?: Recording | undefined;
}

/** Builds the task as `harness run` does: the page's choices override the configuration of the directory. */
export function toTask(wanted: NewRun, where: Where): Made<Task> {
  const { task, warnings } = toSettings(wanted, where);
  return { task: { ...task, prompt: wanted.prompt }, warnings };
}

/** The task of a live session. Its prompt is sent when it is open. */
export function toSessionTask(wanted: NewSession, where: Where): Made<SessionTask> {
  return toSettings(wanted, where, sessionAbilities(where.agent)?.ask ? "ask" : defaultPermissions);
}

function toSettings(
  { cwd, model: wantedModel, permissions }: NewSession,
  { agent, config, resumed }: Where,
  otherwise?: PermissionMode,
): Made<SessionTask> {
  const { layers } = loadModels(config);
  const { model, warnings } = chooseModel(wantedModel, agent, config, layers);
  const settings = taskSettings(agent.id, config);
  const asked: PermissionMode | PermissionRules | undefined =
    permissions ?? settings.permissions ?? otherwise;
  if (asked !== undefined) refuseWeakening(agent, asked, config);
  const task: SessionTask = {
    ...settings,
    agent,
    cwd,
    model,
    permissions: asked,
    ...(resumed !== undefined && { resume: sessionOf(resumed, agent) }),
    findPrice: (id) => findPrice(id, layers),
  };
  return { task, warnings };
}

/** The agent's own id of a recorded session. */
function sessionOf({ meta }: Recording, agent: AgentDefinition): string {
  const refuse = (why: string): HarnessError =>
    new HarnessError("no_session", `the run ${meta.runId} cannot be continued: ${why}; start a new one`);
  if (meta.agent !== agent.id) throw refuse(`it is a run of ${meta.agent}, not of ${agent.id}`);
  if (meta.isIsolated) throw refuse("it was isolated, and its session went with its home");
  if (meta.isDemo) throw refuse("it was a demo, and no agent has its session");
  if (typeof meta.sessionId !== "string") throw refuse(`${agent.name} named no session in it`);
  return meta.sessionId;
}
