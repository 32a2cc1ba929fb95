import { listRecordings } from "../../runs/archive/list.js";

/** What runs of an agent have cost before. */
export interface EarlierCost {
  /** The mean of those runs. */
  usd: number;
  runs: number;
}

/** Recent runs say more than old ones, and reading many takes time. */
const looksAt = 200;
const enough = 20;

/**
 * The cost of earlier runs of an agent with a model, from the newest recordings. Without a model, runs with any model count.
 * Undefined: no run of it with a known cost is recorded.
 */
export async function findEarlierCost(
  agent: string,
  model: string | undefined,
): Promise<EarlierCost | undefined> {
  const costs: number[] = [];
  for (const { meta } of await listRecordings({ agent, limit: looksAt })) {
    // Tokens of demos are made up, or were paid elsewhere.
    if (meta.isDemo) continue;
    if (meta.costUsd === undefined || (model !== undefined && meta.model !== model)) continue;
    costs.push(meta.costUsd);
    if (costs.length === enough) break;
  }
  if (costs.length === 0) return undefined;
  return { usd: costs.reduce((sum, cost) => sum + cost, 0) / costs.length, runs: costs.length };
}
