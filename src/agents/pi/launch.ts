import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";
import type { LiveTask } from "../live-contract.js";

/**
 * `pi --mode json`. The prompt is the value of `--print`, because an option that Pi does not know (of an
 * extension) takes the next argument as its value. A long prompt, or one that Pi would read as an option or as a file
 * (`@`), is passed on standard input: 0.74 does not support `--`.
 *
 * Pi does not ask for permissions. Read-only is the list of the tools that only read.
 */
export function launchPi(task: LaunchTask): Launch {
  const { prompt } = task;
  const args = ["--mode", "json", ...piOptions(task), ...task.extraArgs, "--print"];
  const isUnsafe = prompt.startsWith("-") || prompt.startsWith("@") || isTooLongForArgument(prompt);
  return isUnsafe ? { args, stdin: prompt } : { args: [...args, prompt] };
}

/** What a task asks for, in the options that every mode of Pi has. */
export function piOptions(task: Omit<LiveTask, "password" | "directory">): string[] {
  const { model, systemPrompt, appendSystemPrompt, resume, effort } = task;
  return [
    ...(model === undefined ? [] : ["--model", model]),
    ...toolArguments(task),
    ...(effort === undefined ? [] : ["--thinking", effort]),
    ...(systemPrompt === undefined ? [] : ["--system-prompt", systemPrompt]),
    ...(appendSystemPrompt === undefined ? [] : ["--append-system-prompt", appendSystemPrompt]),
    ...(resume === undefined ? [] : ["--session", resume]),
  ];
}

const readingTools = ["read", "grep", "find", "ls"];

/** Pi keeps the tools of all MCP servers unless the list has a name that begins as theirs do. */
const noServers = "mcp__";

function toolArguments({ permissions, allowedTools }: Pick<LiveTask, "permissions" | "allowedTools">) {
  const isReadOnly = permissions === "read-only";
  if (allowedTools === undefined) return isReadOnly ? ["--tools", readingTools.join(",")] : [];
  const tools = isReadOnly ? allowedTools.filter((name) => readingTools.includes(name)) : allowedTools;
  const isOfServer = (name: string): boolean => name.startsWith(noServers);
  return ["--tools", [...tools, ...(tools.some(isOfServer) ? [] : [noServers])].join(",")];
}
