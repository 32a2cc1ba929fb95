import type { Failure } from "../events/failure.js";
import { agentOf } from "./check-plan.js";
import type { Cell, CellResult } from "./model/cell.js";
import { hopelessKinds } from "./retries.js";

/** So many first cells must fail before an agent is stopped. */
const enough = 3;

/** Watches the first cells of each agent. */
export interface FirstCells {
  /** A cell has ended. Returns the failure if its agent is to be stopped now: all its first cells failed for a reason that will not pass. */
  add(cell: Cell, result: CellResult): Failure | undefined;
}

export function watchFirstCells(cells: readonly Cell[]): FirstCells {
  const agents = new Map<string, { cells: number; failed: number; isDecided: boolean }>();
  for (const { arm } of cells) {
    const agent = agents.get(agentOf(arm)) ?? { cells: 0, failed: 0, isDecided: false };
    agent.cells += 1;
    agents.set(agentOf(arm), agent);
  }
  return {
    add({ arm }, { outcome }) {
      const agent = agents.get(agentOf(arm));
      // Without an outcome the agent was not started, which says nothing about it.
      if (agent === undefined || agent.isDecided || outcome === undefined) return undefined;
      const { failure } = outcome;
      agent.failed += 1;
      agent.isDecided = agent.failed >= Math.min(enough, agent.cells);
      if (failure !== undefined && hopelessKinds.has(failure.kind))
        return agent.isDecided ? failure : undefined;
      agent.isDecided = true;
      return undefined;
    },
  };
}
