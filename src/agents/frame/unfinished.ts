import type { RunState } from "../../events/run-state.js";
import type { Draft, OpenCall } from "../contract.js";

/** Work that an agent started and that did not end, described for people. */
export function unfinishedOf(
  { openWork = [], abandoned = [] }: RunState,
  calls: readonly OpenCall[],
): string[] {
  return [...openWork, ...abandoned, ...calls.map(describeCall)];
}

/** The command of a call, else its name. */
function describeCall({ name, operations }: OpenCall): string {
  const command = operations?.find((operation) => operation.type === "command");
  return command?.type === "command" ? `\`${command.command}\`` : name;
}

/** The warning of a successful run: whoever reads its answer should know that the agent did not wait for this. */
export function unfinishedWarning(agentName: string, work: readonly string[]): Draft<"warning"> {
  const message = `${agentName} ended without waiting for what it had started: ${[...new Set(work)].join(", ")}`;
  return { type: "warning", code: "unfinished", message };
}
