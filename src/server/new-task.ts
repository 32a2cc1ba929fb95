import * as v from "valibot";
import type { AgentDefinition } from "../agents/definition.js";
import type { Config } from "../config/load-config.js";
import { refuseWeakening } from "../config/refuse-weakening.js";
import { taskSettings } from "../config/task-settings.js";
import { HarnessError } from "../errors.js";
import { chooseModel } from "../models/choose-model.js";
import { findPrice } from "../models/find-price.js";
import { loadModels } from "../models/load-models.js";
import type { Task } from "../runs/task.js";
import { checkOptions } from "../text/check-options.js";
import type { NewRun } from "./protocol.js";

const text = v.pipe(
  v.string(),
  v.maxLength(4_000_000, "must be shorter; put it into a file and name the file"),
);

const NewRunBody = v.strictObject({
  agent: v.pipe(v.string(), v.nonEmpty("must not be empty")),
  prompt: text,
  cwd: v.optional(text),
  model: v.optional(text),
  permissions: v.optional(v.picklist(["full-access", "read-only"])),
});

/** Checks the body of `POST /api/runs`. */
export function parseNewRun(body: unknown): NewRun {
  const wanted = checkOptions(NewRunBody, body, "run", "bad_request");
  if (wanted.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; write what the agent should do");
  return wanted;
}

/** Builds the task as `harness run` does: the page's choices override the configuration of the directory. */
export function toTask(
  { cwd, model: wantedModel, permissions, prompt }: NewRun,
  agent: AgentDefinition,
  config: Config,
): { task: Task; warnings: string[] } {
  const { layers } = loadModels(config);
  const { model, warnings } = chooseModel(wantedModel, agent, config, layers);
  const settings = taskSettings(agent.id, config);
  const asked = permissions ?? settings.permissions;
  if (asked !== undefined) refuseWeakening(agent, asked, config);
  const task: Task = {
    ...settings,
    agent,
    prompt,
    cwd,
    model,
    permissions: asked,
    findPrice: (id) => findPrice(id, layers),
  };
  return { task, warnings };
}
