import { recordings } from "../../runs/archive/recordings.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatBytes, formatNumberOf } from "../../text/numbers.js";
import { formatAge } from "../moments.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { PruneFlags } from "./command.js";

/** Removes recordings, and prints which. */
export async function removeAction(ids: readonly string[]): Promise<number> {
  const removed = await recordings.remove(ids);
  await createOutput(process.stdout).print(removed.map((id) => `removed ${id}\n`).join(""));
  return 0;
}

/** Removes old recordings, or prints what it would remove. */
export async function pruneAction(flags: PruneFlags): Promise<number> {
  const pruned = await recordings.prune({ before: flags.olderThan, dryRun: flags.dryRun });
  const output = createOutput(process.stdout);
  const now = Date.now();
  if (flags.dryRun && pruned.sessions.length > 0) {
    const rows = pruned.sessions.map(({ id, outcome, meta }) => [
      id,
      formatAge(meta.startedAt, now),
      toVisibleLine(meta.agent, 20),
      outcome,
      toVisibleLine(meta.prompt, 60),
    ]);
    await output.print(toTable(["ID", "WHEN", "AGENT", "OUTCOME", "PROMPT"], rows));
  }
  const what = `${formatNumberOf(pruned.sessions.length, "recording")} (${formatBytes(pruned.bytes)})`;
  await output.print(`${flags.dryRun ? "would remove" : "removed"} ${what}\n`);
  return 0;
}
