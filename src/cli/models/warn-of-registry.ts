import type { LoadedModels } from "../../models/load-models.js";
import { complain } from "../complain.js";

/** Warns if the fetched registry cannot be used. */
export function warnOfRegistry({ registry }: LoadedModels): void {
  if (registry.problem === undefined) return;
  const remedy = registry.url === undefined ? "remove the file" : 'run "harness models update"';
  complain(`warning: ${registry.problem}; it is not used. To fix it, ${remedy}`);
}
