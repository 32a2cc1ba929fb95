import type { LaunchTask } from "../../src/agents/definition.js";

/** A task with nothing asked for but a prompt. */
export function launchTask(task: Partial<LaunchTask> = {}): LaunchTask {
  return { prompt: "Fix the failing test", cwd: "/repo", permissions: "full-access", extraArgs: [], ...task };
}

/** A prompt that does not fit into an argument. */
export const longPrompt = "long ".repeat(20_000);
