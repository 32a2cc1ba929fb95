import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `droid exec`. The prompt is the last argument, after `--`, so that it may begin with `-`. A long prompt goes to standard
 * input, which Droid reads only without a prompt.
 *
 * Without a flag Droid calls itself read-only, but it still runs every command that its model calls harmless (0.225.2, a
 * command that wrote a file). So a read-only run gets only the tools that read.
 */
export function launchDroid(task: LaunchTask): Launch {
  const { model, appendSystemPrompt, resume, prompt, effort } = task;
  const args = [
    "exec",
    "--output-format",
    "stream-json",
    ...(model === undefined ? [] : ["--model", model]),
    ...(task.permissions === "read-only" ? [] : ["--skip-permissions-unsafe"]),
    ...toolArguments(task),
    ...(effort === undefined ? [] : ["--reasoning-effort", effort]),
    ...(appendSystemPrompt === undefined ? [] : [`--append-system-prompt=${appendSystemPrompt}`]),
    ...(resume === undefined ? [] : [`--session-id=${resume}`]),
    ...task.extraArgs,
  ];
  if (isTooLongForArgument(prompt)) return { args, stdin: prompt };
  return { args: [...args, "--", prompt] };
}

const readingTools = ["Read", "LS", "Grep", "Glob"];

function toolArguments({ permissions, allowedTools }: Pick<LaunchTask, "permissions" | "allowedTools">) {
  const isReadOnly = permissions === "read-only";
  if (allowedTools === undefined) return isReadOnly ? ["--only-tools", readingTools.join(",")] : [];
  const tools = isReadOnly ? allowedTools.filter((name) => readingTools.includes(name)) : allowedTools;
  return ["--only-tools", tools.join(",")];
}
