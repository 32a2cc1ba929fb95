import { HarnessError } from "../../errors.js";
import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * Bob 2.x (`bob run`), or Bob 1.x if the extra arguments have `--chat-mode`, which only 1.x knows. Both versions
 * have the same program name and hardly a flag in common. The version is never probed before a run.
 */
export function launchBob(task: LaunchTask): Launch {
  return isForVersion1(task) ? launchVersion1(task) : launchVersion2(task);
}

function isForVersion1(task: LaunchTask): boolean {
  return task.extraArgs.some((arg) => arg === "--chat-mode" || arg.startsWith("--chat-mode="));
}

/**
 * No flag approves everything: Bob's own settings decide what runs without asking (`approval` in
 * `~/.bob/settings/settings.json`). Read-only is certain, since the tools that edit and execute are disabled.
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

/** The prompt follows `=`, so that it may begin with `-`. A long prompt goes to standard input. */
function launchVersion1(task: LaunchTask): Launch {
  if (task.maxTurns !== undefined) {
    throw new HarnessError(
      "unsupported_option",
      "Bob 1.x (selected by --chat-mode) cannot limit turns; leave maxTurns out",
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
