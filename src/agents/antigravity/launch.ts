import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `agy --print=…`: `--print` is a flag with a value and would swallow the next word, whatever it is. A long
 * prompt is a line of JSON on standard input. The program's own time limit (5 minutes, after which it
 * exits 0 with half an answer) is moved out of the way: the harness has its own.
 */
export function launchAntigravity(task: LaunchTask): Launch {
  const args = [
    "--output-format",
    "stream-json",
    "--print-timeout",
    "24h",
    "--dangerously-skip-permissions",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.resume === undefined ? [] : ["--conversation", task.resume]),
    ...task.extraArgs,
  ];
  if (!isTooLongForArgument(task.prompt)) return { args: [...args, `--print=${task.prompt}`] };
  const message = { event: "user", message: { role: "user", content: task.prompt } };
  return {
    args: [...args, "--input-format", "stream-json", "--print="],
    stdin: `${JSON.stringify(message)}\n`,
  };
}
