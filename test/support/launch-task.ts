import type { LaunchTask } from "../../src/agents/definition.js";

/** A task with only a prompt. */
export function launchTask(task: Partial<LaunchTask> = {}): LaunchTask {
  return {
    prompt: "Fix the failing test",
    cwd: "/repo",
    directory: "/run",
    permissions: "full-access",
    extraArgs: [],
    ...task,
  };
}

/** A prompt that is too long for an argument. */
export const longPrompt = "long ".repeat(20_000);
