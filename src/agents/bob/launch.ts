import { HarnessError } from "../../errors.js";
import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * Bob 2.x (`bob run`) unless the extra arguments have `--chat-mode`, which only 1.x knows: the two
 * versions share the name of the program and hardly a flag, and a version is never probed before a run.
 */
export function launchBob(task: LaunchTask): Launch {
  return isForVersion1(task) ? launchVersion1(task) : launchVersion2(task);
}

function isForVersion1(task: LaunchTask): boolean {
  return task.extraArgs.some((arg) => arg === "--chat-mode" || arg.startsWith("--chat-mode="));
}

/**
 * There is no flag that approves everything: what runs unasked is decided by Bob's own settings
 * (`approval` in `~/.bob/settings/settings.json`). Reading only is certain, since tools can be taken away.
 */
function launchVersion2(task: LaunchTask): Launch {
  const args = [
    "run",
    "--format",
    "stream-json",
    "--trust",
    "--accept-license",
    ...(task.permissions === "read-only"
      ? ["--mode", "ask", "--disable-tool-groups", "edit,execute"]
      : ["--mode", "agent"]),
    ...(task.maxTurns === undefined ? [] : ["--max-turns", String(task.maxTurns)]),
    ...(task.resume === undefined ? [] : ["--resume", task.resume]),
    ...task.extraArgs,
  ];
  if (isTooLongForArgument(task.prompt)) return { args, stdin: task.prompt };
  return { args: [...args, "--", task.prompt] };
}

/** The prompt is behind `=`, so that it may begin with `-`; a long one is read from standard input. */
function launchVersion1(task: LaunchTask): Launch {
  if (task.maxTurns !== undefined) {
    throw new HarnessError(
      "unsupported_option",
      "Bob 1.x (chosen by --chat-mode) has no limit of turns; leave maxTurns out",
    );
  }
  const args = [
    "--output-format",
    "stream-json",
    "--accept-license",
    "--approval-mode",
    task.permissions === "read-only" ? "default" : "yolo",
    ...(task.resume === undefined ? [] : ["--resume", task.resume]),
    ...task.extraArgs,
  ];
  if (isTooLongForArgument(task.prompt)) return { args: [...args, "-p", "-"], stdin: task.prompt };
  return { args: [...args, `--prompt=${task.prompt}`] };
}
