import type { RunState } from "../../events/run-state.js";
import type { Draft, OpenCall } from "../contract.js";

/** What an agent has started that never ended, in words for people. */
export function unfinishedOf(
  { openWork = [], abandoned = [] }: RunState,
  calls: readonly OpenCall[],
): string[] {
  return [...openWork, ...abandoned, ...calls.map(describeCall)];
}

/** Its command, else its name. */
function describeCall({ name, operations }: OpenCall): string {
  const command = operations?.find((operation) => operation.type === "command");
  return command?.type === "command" ? `\`${command.command}\`` : name;
}

/** Said of a run that succeeded: whoever reads its answer should know that this was not waited for. */
export function unfinishedWarning(agentName: string, work: readonly string[]): Draft<"warning"> {
  const message = `${agentName} ended without waiting for what it had started: ${[...new Set(work)].join(", ")}`;
  return { type: "warning", code: "unfinished", message };
}
