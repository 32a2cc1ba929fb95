import { costSourceWords } from "../../../src/story/recorded-summary.js";
import type { CostSource } from "../../../src/story/run-summary.js";
import { formatUsd } from "../../../src/text/numbers.js";

/** Formats a cost. An estimated cost is marked with `~`, so that it never looks like the agent's own figure. */
export function formatCost(usd: number, source: CostSource = "agent"): string {
  return `${source === "estimated" ? "~" : ""}${formatUsd(usd)}`;
}

/** Says where a cost comes from. */
export function wordsOfCost(source: CostSource = "agent"): string {
  return source === "estimated"
    ? `${costSourceWords.estimated} from the model’s price, because the agent reports no cost`
    : costSourceWords.agent;
}
