import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `pi --mode json`. The prompt is the value of `--print`, since an option that Pi does not know (of an extension)
 * takes the next argument as its value. A prompt that Pi would read as an option or as a file (`@`) travels on
 * standard input, as long ones do; 0.74 has no `--`.
 *
 * Pi asks for no permissions: read-only is the list of the tools that only read.
 */
export function launchPi(task: LaunchTask): Launch {
  const { model, systemPrompt, appendSystemPrompt, resume, prompt } = task;
  const args = [
    "--mode",
    "json",
    ...(model === undefined ? [] : ["--model", model]),
    ...(task.permissions === "read-only" ? ["--tools", "read,grep,find,ls"] : []),
    ...(systemPrompt === undefined ? [] : ["--system-prompt", systemPrompt]),
    ...(appendSystemPrompt === undefined ? [] : ["--append-system-prompt", appendSystemPrompt]),
    ...(resume === undefined ? [] : ["--session", resume]),
    ...task.extraArgs,
    "--print",
  ];
  const isUnsafe = prompt.startsWith("-") || prompt.startsWith("@") || isTooLongForArgument(prompt);
  return isUnsafe ? { args, stdin: prompt } : { args: [...args, prompt] };
}
