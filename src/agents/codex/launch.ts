import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";

/**
 * `codex exec`. Options stand before the `resume` subcommand, which does not know all of them. The prompt
 * is read from standard input (`-`): beside a prompt that is an argument, Codex reads standard input too
 * and says so on standard error.
 */
export function launchCodex(task: LaunchTask): Launch {
  if (task.resume !== undefined) refuseLost(task.resume, task);
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

/** What Codex 0.166.0 would pass over in silence when it resumes. */
function refuseLost(resume: string, task: LaunchTask): void {
  if (!threadId.test(resume)) {
    throw new HarnessError(
      "invalid_option",
      `"${resume}" is no thread id of Codex, which would begin a new thread; give the id (a UUID) that the run to resume printed as its session id`,
    );
  }
  if (task.appendSystemPrompt !== undefined) {
    throw new HarnessError(
      "unsupported_option",
      "Codex ignores an addition to the system prompt when it resumes a thread; leave appendSystemPrompt out or put it into the prompt",
    );
  }
}

/** JSON strings are TOML strings, except that TOML has no lone surrogates; Codex would take the text as it is. */
function toTomlString(text: string): string {
  return JSON.stringify(new TextDecoder().decode(new TextEncoder().encode(text)));
}
