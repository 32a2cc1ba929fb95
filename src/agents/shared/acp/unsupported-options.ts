import { HarnessError } from "../../../errors.js";
import type { LiveTask } from "../../live-contract.js";

/** Options of a task that an agent may have as arguments of its one-shot mode only. */
const words = {
  systemPrompt: "a system prompt",
  appendSystemPrompt: "an addition to the system prompt",
  maxTurns: "a limit of turns",
  maxBudgetUsd: "a budget",
} satisfies Partial<Record<keyof LiveTask, string>>;

/** Throws if the task uses an option that the agent's ACP mode does not have. An option is refused, never ignored. */
export function refuseInSession(
  agentName: string,
  task: LiveTask,
  options: readonly (keyof typeof words)[],
): void {
  const used = options.find((option) => task[option] !== undefined);
  if (used === undefined) return;
  const message = `${agentName} cannot be given ${words[used]} (${used}) in a live session; leave it out`;
  throw new HarnessError("unsupported_option", message);
}
