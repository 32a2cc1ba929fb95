import { HarnessError } from "../../errors.js";
import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `gemini --prompt=…`: after `=` a prompt may begin with `-` (as a separate argument it may not, and `--` is not
 * supported). A long prompt is passed on standard input only. A folder that is not trusted would end the run and
 * disable `--yolo`, so it is trusted for this run.
 */
export function launchGemini(task: LaunchTask): Launch {
  const args = [
    "--output-format",
    "stream-json",
    "--skip-trust",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.permissions === "read-only" ? ["--approval-mode", "plan"] : ["--yolo"]),
    ...(task.resume === undefined ? [] : ["--resume", task.resume]),
    ...(task.allowedTools === undefined ? [] : ["--policy", `${task.directory}/${toolsFile}`]),
    ...task.extraArgs,
  ];
  const files = task.allowedTools && { files: { [toolsFile]: policyOf(task.allowedTools, task) } };
  if (isTooLongForArgument(task.prompt)) return { args, stdin: task.prompt, ...files };
  return { args: [...args, `--prompt=${task.prompt}`], ...files };
}

const toolsFile = "tools.toml";

/** Tools that a policy denies are not offered to the model. The priorities are above everything else that a user can configure. */
function policyOf(tools: readonly string[], { permissions }: LaunchTask): string {
  if (permissions === "read-only")
    throw new HarnessError(
      "unsupported_option",
      "the tools of a read-only run of Gemini CLI are those that only read; leave out `allowedTools`, or allow everything",
    );
  const allowed = tools.map(
    (tool) => `[[rule]]\ntoolName = ${JSON.stringify(tool)}\ndecision = "allow"\npriority = 999\n`,
  );
  return [`[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 998\n`, ...allowed].join("\n");
}
