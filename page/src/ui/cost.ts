import { costSourceWords } from "../../../src/story/recorded-summary.js";
import type { CostSource } from "../../../src/story/run-summary.js";
import { formatUsd } from "../../../src/text/numbers.js";

/** An amount as it is shown: what was estimated never looks like a figure of the agent's. */
export function formatCost(usd: number, source: CostSource = "agent"): string {
  return `${source === "estimated" ? "~" : ""}${formatUsd(usd)}`;
}

/** Where it comes from, for people. */
export function wordsOfCost(source: CostSource = "agent"): string {
  return source === "estimated"
    ? `${costSourceWords.estimated} from the model’s price: the agent reports none`
    : costSourceWords.agent;
}
