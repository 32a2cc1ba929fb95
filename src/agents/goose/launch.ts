import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

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
  const env = { GOOSE_MODE: task.permissions === "read-only" ? "chat" : "auto" };
  if (isTooLongForArgument(prompt)) return { args: [...args, "--instructions", "-"], env, stdin: prompt };
  return { args: [...args, `--text=${prompt}`], env };
}
