import type { LoadedModels } from "../../models/load-models.js";
import { complain } from "../complain.js";

/** A fetched registry that cannot be used is told, and nothing else. */
export function tellProblem({ registry }: LoadedModels): void {
  if (registry.problem === undefined) return;
  const remedy = registry.url === undefined ? "remove the file" : 'run "harness models update"';
  complain(`warning: ${registry.problem}; it is not used. To mend it, ${remedy}`);
}
