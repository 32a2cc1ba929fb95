import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `PROGRAM EXTRA-ARGS… PROMPT`: `--binary` names the program, and the prompt is its last argument.
 * A prompt that is too long for an argument is written to standard input instead.
 */
export function launchGeneric(task: LaunchTask): Launch {
  const args = [...task.extraArgs];
  if (isTooLongForArgument(task.prompt)) return { args, stdin: task.prompt };
  return { args: [...args, task.prompt] };
}
