import type { LoadedModels } from "../../../models/load-models.js";

/** A fetched registry that cannot be used is told, and nothing else. */
export function tellProblem({ registry }: LoadedModels): void {
  if (registry.problem === undefined) return;
  const remedy = registry.url === undefined ? "remove the file" : 'run "harness models update"';
  process.stderr.write(`harness: warning: ${registry.problem}; it is not used. To mend it, ${remedy}\n`);
}
