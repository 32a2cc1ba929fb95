import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";
import { joinedOption } from "../shared/launch-arguments.js";

/**
 * `agy --print=…`. `--print` takes a value and would swallow the next argument. A long prompt goes to standard
 * input as a line of JSON. After its own time limit (5 minutes) `agy` exits 0 with half an answer, so that limit
 * is raised: harness has its own.
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
    ...joinedOption("--json-schema", task.schema && JSON.stringify(task.schema)),
    ...task.extraArgs,
  ];
  if (!isTooLongForArgument(task.prompt)) return { args: [...args, `--print=${task.prompt}`] };
  const message = { event: "user", message: { role: "user", content: task.prompt } };
  return {
    args: [...args, "--input-format", "stream-json", "--print="],
    stdin: `${JSON.stringify(message)}\n`,
  };
}
