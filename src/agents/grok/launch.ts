import type { Launch, LaunchTask } from "../definition.js";
import { checkedPrompt, joinedOption } from "../shared/launch-arguments.js";

/**
 * `grok --single=…`. After `=` a prompt may begin with `-`. With partial messages a call is printed when it starts, otherwise
 * only when it has ended. Without a terminal Grok cannot ask for permission, and a denied call ends the run. So a read-only run
 * gets only the tools that read.
 */
export function launchGrok(task: LaunchTask): Launch {
  return {
    args: [
      "--output-format=streaming-messages-json",
      "--include-partial-messages",
      ...joinedOption("--model", task.model),
      ...(task.permissions === "read-only" ? ["--permission-mode=plan"] : ["--always-approve"]),
      ...toolArguments(task),
      ...joinedOption("--system-prompt-override", task.systemPrompt),
      ...joinedOption("--rules", task.appendSystemPrompt),
      ...joinedOption("--max-turns", task.maxTurns),
      ...joinedOption("--resume", task.resume),
      ...joinedOption("--reasoning-effort", task.effort),
      ...joinedOption("--json-schema", task.schema && JSON.stringify(task.schema)),
      ...task.extraArgs,
      `--single=${checkedPrompt("Grok Build", task.prompt, longestPrompt)}`,
    ],
  };
}

const readingTools = ["read_file", "grep", "list_dir"];
/** They reach the tools of MCP servers, and `--tools` leaves them in place. */
const serverTools = ["search_tool", "use_tool"];

function toolArguments({ permissions, allowedTools }: Pick<LaunchTask, "permissions" | "allowedTools">) {
  const isReadOnly = permissions === "read-only";
  if (allowedTools === undefined) return isReadOnly ? [`--tools=${readingTools.join(",")}`] : [];
  const tools = isReadOnly ? allowedTools.filter((name) => readingTools.includes(name)) : allowedTools;
  const denied = serverTools.filter((name) => !tools.includes(name));
  return [`--tools=${tools.join(",")}`, ...joinedOption("--disallowed-tools", denied.join(",") || undefined)];
}

/** Grok does not read a prompt from standard input, and it cannot open `/dev/stdin` as a file. */
const longestPrompt = 127 * 1024;
