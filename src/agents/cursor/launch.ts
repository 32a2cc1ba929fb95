import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `cursor-agent -p`. The prompt is the last argument. One that begins with `-`, that is a single word and
 * so could be a subcommand (`login`), or that is too long goes through standard input. A folder that is
 * not trusted would end the run at once: `--force` and `--trust` both trust it.
 */
export function launchCursor(task: LaunchTask): Launch {
  const args = [
    "-p",
    "--output-format",
    "stream-json",
    "--stream-partial-output",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.permissions === "read-only" ? ["--mode", "plan", "--trust"] : ["--force", "--approve-mcps"]),
    ...(task.resume === undefined ? [] : ["--resume", task.resume]),
    ...task.extraArgs,
  ];
  const isAmbiguous = task.prompt.startsWith("-") || /^\S*$/.test(task.prompt);
  if (isAmbiguous || isTooLongForArgument(task.prompt)) return { args, stdin: task.prompt };
  return { args: [...args, task.prompt] };
}
