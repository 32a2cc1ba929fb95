import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";
import { type McpSettings, mcpSettingsOf } from "./mcp-servers.js";
import { toTomlString } from "./toml.js";

const schemaFile = "schema.json";

/**
 * `codex exec`. Options come before the `resume` subcommand, which does not accept all of them. The prompt goes to
 * standard input (`-`). If it were an argument, Codex would read standard input too and say so on standard error.
 */
export function launchCodex(task: LaunchTask): Launch {
  if (task.resume !== undefined) refuseIgnored(task.resume, task);
  const { settings, env } = taskSettings(task);
  const args = [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.permissions === "read-only"
      ? ["--sandbox", "read-only"]
      : ["--dangerously-bypass-approvals-and-sandbox"]),
    ...(task.appendSystemPrompt === undefined
      ? []
      : ["-c", `developer_instructions=${toTomlString(task.appendSystemPrompt)}`]),
    ...settings.flatMap((setting) => ["-c", setting]),
    ...(task.schema === undefined ? [] : ["--output-schema", `${task.directory}/${schemaFile}`]),
    ...task.extraArgs,
    ...(task.resume === undefined ? ["-"] : ["resume", "--", task.resume, "-"]),
  ];
  return {
    args,
    stdin: task.prompt,
    ...(Object.keys(env).length > 0 && { env }),
    ...(task.schema !== undefined && { files: { [schemaFile]: JSON.stringify(task.schema) } }),
  };
}

/** The settings for options of a task that Codex has no flags for, in runs and in sessions. */
export function taskSettings({ effort, mcpServers }: Pick<LaunchTask, "effort" | "mcpServers">): McpSettings {
  const { settings, env } = mcpSettingsOf(mcpServers);
  const more = effort === undefined ? [] : [`model_reasoning_effort=${toTomlString(effort)}`];
  return { settings: [...more, ...settings], env };
}

const threadId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Refuses options that Codex 0.166.0 would silently ignore when it resumes a thread. */
function refuseIgnored(resume: string, task: LaunchTask): void {
  if (!threadId.test(resume)) {
    throw new HarnessError(
      "invalid_option",
      `"${resume}" is not a valid thread id of Codex, and Codex would start a new thread; use the session id (a UUID) of the run to resume`,
    );
  }
  refuseIgnoredPrompt(task);
}

/** Codex 0.166.0 keeps the instructions that the thread began with, however it is resumed. */
export function refuseIgnoredPrompt(task: Pick<LaunchTask, "appendSystemPrompt">): void {
  if (task.appendSystemPrompt === undefined) return;
  throw new HarnessError(
    "unsupported_option",
    "Codex ignores an addition to the system prompt when it resumes a thread; leave appendSystemPrompt out, or put its text into the prompt",
  );
}
