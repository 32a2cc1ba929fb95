import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `codex exec`. Options stand before the `resume` subcommand, which does not know all of them. The
 * prompt is behind `--`; `-` means "read standard input", which is how a long prompt travels.
 */
export function launchCodex(task: LaunchTask): Launch {
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
      : ["-c", `developer_instructions=${JSON.stringify(task.appendSystemPrompt)}`]),
    ...task.extraArgs,
    ...(task.resume === undefined ? [] : ["resume"]),
  ];
  const session = task.resume === undefined ? [] : [task.resume];
  if (isTooLongForArgument(task.prompt) || task.prompt === "-")
    return { args: [...args, "--", ...session, "-"], stdin: task.prompt };
  return { args: [...args, "--", ...session, task.prompt] };
}
