import { isTooLongForArgument, type Launch, type LaunchTask, type Permissions } from "../definition.js";

/**
 * `claude --print`. The prompt is the last argument, after `--`, so that a flag with several values cannot swallow
 * it. A prompt of one word could be taken for a subcommand (`claude -- doctor`), so it goes to standard input.
 * So does a prompt that is too long for an argument.
 */
export function launchClaude(task: LaunchTask): Launch {
  const args = [
    "--print",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    ...taskArguments(task, permissionArguments[task.permissions]),
  ];
  if (isTooLongForArgument(task.prompt) || /^[\w-]+$/.test(task.prompt)) return { args, stdin: task.prompt };
  return { args: [...args, "--", task.prompt] };
}

export const permissionArguments: Readonly<Record<Permissions, readonly string[]>> = {
  "full-access": ["--dangerously-skip-permissions"],
  "read-only": ["--permission-mode", "plan"],
};

/** The options of a task that one-shot runs and live sessions have in common. */
export function taskArguments(
  task: Omit<LaunchTask, "prompt" | "permissions">,
  permissions: readonly string[],
): string[] {
  return [
    ...option("--model", task.model),
    ...permissions,
    ...option("--max-turns", task.maxTurns),
    ...option("--max-budget-usd", task.maxBudgetUsd),
    ...option("--system-prompt", task.systemPrompt),
    ...option("--append-system-prompt", task.appendSystemPrompt),
    ...option("--resume", task.resume),
    ...task.extraArgs,
  ];
}

function option(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)];
}
