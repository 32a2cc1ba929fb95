import type { Draft, OpenCall } from "./contract.js";

/** Subagents between their start and their end, over all that an agent's mapping tells. */
export interface OpenSubagents {
  note(draft: Draft<"orchestration">): void;
  /** In words for people. */
  describe(): string[];
}

export function createOpenSubagents(): OpenSubagents {
  let open: Draft<"orchestration">[] = [];
  return {
    note(draft) {
      if (draft.action === "subagent_started") open.push(draft);
      else open = open.filter((started) => !isSame(started, draft));
    },
    describe: () =>
      open.map(({ subagentName, subagentId }) => ["a subagent", subagentName ?? subagentId].join(" ").trim()),
  };
}

/** An end may come with another call than the start did (Codex), or as the first to name the subagent (Goose). */
function isSame(started: Draft<"orchestration">, ended: Draft<"orchestration">): boolean {
  if (started.subagentId !== undefined && ended.subagentId !== undefined)
    return started.subagentId === ended.subagentId;
  return started.callId !== undefined && started.callId === ended.callId;
}

/** A call that never ended, in words for people: its command, else its name. */
export function describeCall({ name, operations }: OpenCall): string {
  const command = operations?.find((operation) => operation.type === "command");
  return command?.type === "command" ? `\`${command.command}\`` : name;
}

/** Said of a run that succeeded. Whether anybody waited for it is not known: OpenCode tells no end of a subagent in the background. */
export function unfinishedWarning(agentName: string, work: readonly string[]): Draft<"warning"> {
  const message = `${agentName} never told the end of what it had started: ${[...new Set(work)].join(", ")}`;
  return { type: "warning", code: "unfinished", message };
}
