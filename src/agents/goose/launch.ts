import { isTooLongForArgument, type Launch, type LaunchTask, type McpServer } from "../definition.js";

/** Goose's own ids are a date and a number. Anything else is the name of a session. */
const sessionId = /^\d{8}_\d+$/;

/**
 * `goose run`. `--quiet` is not set, because it suppresses the banner. Only the banner names the session, which a resumed run
 * needs. Free text is joined to its option, since it may begin with a hyphen. A
 * long prompt is read from standard input.
 *
 * Goose has no tool that only reads, so read-only is its chat mode, in which no tool is run at all. Its modes that ask
 * for approval would end a run without a terminal at the first tool.
 */
export function launchGoose(task: LaunchTask): Launch {
  const { model, appendSystemPrompt, maxTurns, resume, prompt } = task;
  const args = [
    "run",
    "--output-format",
    "stream-json",
    ...(model === undefined ? [] : ["--model", model]),
    ...(appendSystemPrompt === undefined ? [] : [`--system=${appendSystemPrompt}`]),
    ...(maxTurns === undefined ? [] : ["--max-turns", String(maxTurns)]),
    ...(resume === undefined ? [] : ["--resume", sessionId.test(resume) ? "--session-id" : "--name", resume]),
    ...task.extraArgs,
  ];
  const env = {
    GOOSE_MODE: task.permissions === "read-only" ? "chat" : "auto",
    ...(task.effort !== undefined && { GOOSE_THINKING_EFFORT: task.effort }),
    ...(task.mcpServers !== undefined && {
      GOOSE_ADDITIONAL_CONFIG_FILES: `${task.directory}/${extensionsFile}`,
    }),
  };
  const files = task.mcpServers && { files: { [extensionsFile]: extensionsOf(task.mcpServers) } };
  if (isTooLongForArgument(prompt))
    return { args: [...args, "--instructions", "-"], env, stdin: prompt, ...files };
  return { args: [...args, `--text=${prompt}`], env, ...files };
}

const extensionsFile = "extensions.yaml";

/** How long Goose waits for a call, in seconds. Without it, its files are not valid. */
const timeout = 300;

/** A configuration that Goose adds to the user's. JSON is YAML. */
function extensionsOf(servers: Readonly<Record<string, McpServer>>): string {
  const extensions = Object.entries(servers).map(([name, server]) => [
    name,
    { name, description: name, enabled: true, timeout, ...extensionOf(server) },
  ]);
  return JSON.stringify({ extensions: Object.fromEntries(extensions) });
}

function extensionOf(server: McpServer): object {
  if ("url" in server) return { type: "streamable_http", uri: server.url, headers: server.headers ?? {} };
  const { command, args = [], env = {} } = server;
  return { type: "stdio", cmd: command, args, envs: env };
}
