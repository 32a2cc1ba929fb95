import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `cursor-agent -p`. The prompt is the last argument. It goes to standard input if it begins with `-`, is too long,
 * or is a single word, which could be a subcommand (`login`). In an untrusted folder the run would end at once.
 * `--force` and `--trust` both trust the folder.
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
