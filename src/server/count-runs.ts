import { recordingOutcomes } from "../runs/archive/recording.js";
import type { RunOutcome } from "../story/run-record.js";
import type { KnownRuns } from "./known-runs.js";
import type { RunList } from "./protocol.js";
import type { RunEntries } from "./run-entries.js";

/** How many runs ended how, and which agents they used, without opening a recording. */
export function countRuns(
  known: KnownRuns,
  entries: RunEntries,
): Pick<RunList, "outcomes" | "agents" | "ofBatches"> {
  const counts = new Map<string, number>();
  const agents = new Set<string>();
  const count = ({ outcome, agent }: { outcome: string; agent: string }): void => {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    agents.add(agent);
  };
  let ofBatches = 0;
  for (const id of known.ids()) {
    if (isRunOfBatch(id)) {
      ofBatches += 1;
      continue;
    }
    const facts = known.facts(id);
    if (facts !== undefined) count(facts);
  }
  // A finished run can be in both, with the same outcome.
  for (const { row } of entries.all())
    if (known.facts(row.id) === undefined && !isRunOfBatch(row.id)) count(row);
  const outcomes: Partial<Record<RunOutcome, number>> = {};
  for (const outcome of recordingOutcomes) {
    const count = counts.get(outcome);
    if (count !== undefined) outcomes[outcome] = count;
  }
  return { outcomes, agents: [...agents].sort(), ofBatches };
}

const cellRunId = /^c[0-9a-f]{15}-/;

/** By its id, which begins with that of its cell. The sidecar says it too, but reading all of them takes long. */
function isRunOfBatch(id: string): boolean {
  return cellRunId.test(id);
}
