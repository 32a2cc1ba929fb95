import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";
import { joinedOption } from "../shared/launch-arguments.js";
import { mcpFileOf, mcpFiles } from "../shared/mcp-servers.js";

/**
 * `qwen --prompt=…`. After `=` a prompt may begin with `-`. A long prompt is passed on standard input only. The first variable
 * stops Qwen Code from starting itself again as a child, which would go on when the first process is killed. The second one
 * suppresses the warning about full access.
 */
export function launchQwen(task: LaunchTask): Launch {
  const args = [
    "--output-format=stream-json",
    "--include-partial-messages",
    ...joinedOption("--model", task.model),
    ...(task.permissions === "read-only" ? readOnly : ["--yolo"]),
    ...joinedOption("--system-prompt", task.systemPrompt),
    ...joinedOption("--append-system-prompt", task.appendSystemPrompt),
    ...joinedOption("--max-session-turns", task.maxTurns),
    ...joinedOption("--resume", task.resume),
    ...joinedOption("--mcp-config", mcpFileOf(task)),
    ...joinedOption("--json-schema", task.schema && JSON.stringify(task.schema)),
    ...task.extraArgs,
  ];
  const files = mcpFiles(task, mcpStyle);
  const env = { QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" };
  if (isTooLongForArgument(task.prompt)) return { args, env, stdin: task.prompt, ...files };
  return { args: [...args, `--prompt=${task.prompt}`], env, ...files };
}

/** Its `url` is for the older way with server-sent events. */
const mcpStyle = { program: {}, address: {}, addressKey: "httpUrl" };

/** Plan mode refuses edits and commands, but would let the model create a worktree (0.24.4). */
const readOnly = ["--approval-mode=plan", "--exclude-tools=enter_worktree,exit_worktree,record_artifact"];
