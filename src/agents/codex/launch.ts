import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";

/**
 * `codex exec`. Options come before the `resume` subcommand, which does not accept all of them. The prompt goes to
 * standard input (`-`). If it were an argument, Codex would read standard input too and say so on standard error.
 */
export function launchCodex(task: LaunchTask): Launch {
  if (task.resume !== undefined) refuseIgnored(task.resume, task);
  const args = [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.permissions === "read-only"
      ? ["--sandbox", "read-only"]
      : ["--dangerously-bypass-approvals-and-sandbox"]),
    ...(task.appendSystemPrompt === undefined
      ? []
      : ["-c", `developer_instructions=${toTomlString(task.appendSystemPrompt)}`]),
    ...task.extraArgs,
    ...(task.resume === undefined ? ["-"] : ["resume", "--", task.resume, "-"]),
  ];
  return { args, stdin: task.prompt };
}

const threadId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Refuses options that Codex 0.166.0 would silently ignore when it resumes a thread. */
function refuseIgnored(resume: string, task: LaunchTask): void {
  if (!threadId.test(resume)) {
    throw new HarnessError(
      "invalid_option",
      `"${resume}" is not a valid thread id of Codex, and Codex would start a new thread; use the session id (a UUID) of the run to resume`,
    );
  }
  refuseIgnoredPrompt(task);
}

/** Codex 0.166.0 keeps the instructions that the thread began with, however it is resumed. */
export function refuseIgnoredPrompt(task: Pick<LaunchTask, "appendSystemPrompt">): void {
  if (task.appendSystemPrompt === undefined) return;
  throw new HarnessError(
    "unsupported_option",
    "Codex ignores an addition to the system prompt when it resumes a thread; leave appendSystemPrompt out, or put its text into the prompt",
  );
}

/** JSON strings are TOML strings, but TOML does not allow lone surrogates. Codex would use invalid TOML as plain text. */
function toTomlString(text: string): string {
  return JSON.stringify(new TextDecoder().decode(new TextEncoder().encode(text)));
}
