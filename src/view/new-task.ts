import * as v from "valibot";
import type { AgentDefinition } from "../agents/definition.js";
import type { Config } from "../config/load-config.js";
import { HarnessError } from "../errors.js";
import type { Task } from "../run/task.js";
import type { NewRun } from "./protocol.js";

const text = v.pipe(v.string(), v.maxLength(4_000_000));

const NewRunBody = v.strictObject({
  agent: v.pipe(v.string(), v.nonEmpty()),
  prompt: text,
  cwd: v.optional(text),
  model: v.optional(text),
  permissions: v.optional(v.picklist(["full-access", "read-only"])),
});

/** What the page asks for, checked. */
export function parseNewRun(body: unknown): NewRun {
  const parsed = v.safeParse(NewRunBody, body);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new HarnessError("bad_request", `the run cannot be started: ${issue.message}`);
  }
  if (parsed.output.prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; write what the agent is to do");
  return parsed.output;
}

/** The page's choices over those of the configuration. */
export function toTask(
  { cwd, model, permissions, prompt }: NewRun,
  agent: AgentDefinition,
  config: Config,
): Task {
  const { id, capabilities } = agent;
  const wantedModel = model ?? config.agent(id, "model")?.value;
  return {
    agent,
    prompt,
    cwd,
    permissions: permissions ?? config.get("default_permissions")?.value,
    ...(wantedModel !== undefined && (model !== undefined || capabilities.model) && { model: wantedModel }),
    binary: config.agent(id, "binary")?.value,
    extraArgs: config.agent(id, "extra_args")?.value,
    env: config.agent(id, "env")?.value,
  };
}
