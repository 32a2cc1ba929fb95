import { HarnessError } from "../../errors.js";
import { isTooLongForArgument, type Launch, type LaunchTask, type Permissions } from "../definition.js";
import { joinedOption } from "../shared/launch-arguments.js";
import { mcpFileOf, mcpFiles } from "../shared/mcp-servers.js";

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
    ...joinedOption("--json-schema", task.schema && JSON.stringify(task.schema)),
    ...taskArguments(task, permissionArguments[task.permissions]),
  ];
  const files = mcpFiles(task);
  if (isTooLongForArgument(task.prompt) || /^[\w-]+$/.test(task.prompt))
    return { args, stdin: task.prompt, ...files };
  return { args: [...args, "--", task.prompt], ...files };
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
    ...joinedOption("--mcp-config", mcpFileOf(task)),
    ...option("--effort", task.effort),
    ...toolArguments(task),
    ...task.extraArgs,
  ];
}

/**
 * `--tools` limits the built-in tools only. Of the servers, only the task's own are started, and those that the list does not name are
 * denied. Claude Code cannot hide single tools of a server that it does not know yet.
 */
function toolArguments({ allowedTools, mcpServers = {} }: Pick<LaunchTask, "allowedTools" | "mcpServers">) {
  if (allowedTools === undefined) return [];
  const [servers, tools] = [true, false].map((is) => allowedTools.filter((name) => isOfServer(name) === is));
  const known = Object.keys(mcpServers).map((name) => `mcp__${name}`);
  const unknown = servers?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const choice = known.length === 0 ? "" : ` (${known.join(", ")})`;
    throw new HarnessError(
      "unsupported_option",
      `Claude Code cannot be limited to ${unknown}; name whole servers of \`mcpServers\` in \`allowedTools\`${choice}`,
    );
  }
  const denied = known.filter((name) => !servers?.includes(name));
  return [
    `--tools=${tools?.join(",")}`,
    "--strict-mcp-config",
    ...(denied.length === 0 ? [] : [`--disallowedTools=${denied.join(",")}`]),
  ];
}

function isOfServer(tool: string): boolean {
  return tool.startsWith("mcp__");
}

function option(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)];
}
