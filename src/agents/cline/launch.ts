import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";

/** The longest argument that Linux passes to a program: 128 KiB with the zero at its end. */
const longestArgument = 128 * 1024 - 1;

/**
 * `cline --json`. Tools are approved in both modes, since one that asks is denied without a terminal; plan mode
 * offers no tool that writes and blocks commands that would.
 *
 * Two facts of 3.0.65 to know of: `-m` and `-P` stay in effect for later runs (they are saved as the last
 * choice), and the session of a run cannot be continued in this mode (`--id` drops the prompt).
 */
export function launchCline(task: LaunchTask): Launch {
  const args = [
    "--json",
    ...(task.permissions === "read-only" ? ["--plan"] : []),
    "--auto-approve",
    "true",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.systemPrompt === undefined ? [] : ["--system", task.systemPrompt]),
    ...task.extraArgs,
    "--",
    promptArgument(task.prompt),
  ];
  return { args, env: environment };
}

/**
 * - The default backend starts a daemon that outlives the run, serves later runs with the environment of the
 *   first, and runs their commands where stopping the run does not reach them. In-process, the run is all in
 *   one place. It is slow to heed SIGTERM, for which SIGKILL follows.
 * - An update that begins when the run ends would be stopped with it, half installed.
 */
const environment = { CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" };

/**
 * The prompt can only be an argument: standard input is refused, or ignored beside one. An argument without
 * white space is taken for a command (`cline doctor`), and `--config=…` is looked for even behind `--`. Cline
 * trims the prompt, so a line feed before it changes nothing but that.
 */
function promptArgument(prompt: string): string {
  const argument = /^-|^\S*$/.test(prompt) ? `\n${prompt}` : prompt;
  const bytes = new TextEncoder().encode(argument).length;
  if (bytes <= longestArgument) return argument;
  throw new HarnessError(
    "prompt_too_long",
    `Cline takes a prompt only as an argument, of at most ${longestArgument} bytes, and this one has ${bytes}; put its long part into a file and name that file in the prompt`,
  );
}
