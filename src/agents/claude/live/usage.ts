import { asCost } from "../../../events/sound-numbers.js";
import type { JsonObject } from "../../../text/json.js";
import {
  addNumbers,
  type ModelNumbers,
  numbersOf,
  numbersOfModels,
  type Reported,
  type RunNumbers,
  tokensOfUsage,
} from "../../shared/claude-stream/usage.js";
import { addTokens, countTokens, type ReportedTokens } from "../../shared/tokens.js";

/** The tokens and the cost of one turn after the other. */
export interface TurnNumbers {
  /** A result record. A turn has several if Claude Code goes on by itself before it takes the prompt. */
  add(result: JsonObject): void;
  /** The numbers of all results since the last call. */
  take(): RunNumbers;
}

interface Sums extends Omit<Reported, "context" | "main"> {
  main: ReportedTokens | undefined;
}

const nothing: Sums = { main: undefined, all: undefined, own: undefined, costUsd: undefined };

/**
 * `usage` is that of the turn. `modelUsage` and the cost cover the process so far, so those of a turn are the difference
 * to the result before. They start at 0 again after `/clear` (2.1.325). Only `model_usage_since_last_result` (2.1.325) is
 * certainly without earlier runs of a resumed session.
 */
export function createTurnNumbers(): TurnNumbers {
  let before: ModelNumbers = { tokens: {}, costUsd: 0 };
  let turn = nothing;

  return {
    add(result) {
      const models = numbersOfModels(result["modelUsage"]);
      const total = { tokens: models?.tokens ?? {}, costUsd: asCost(result["total_cost_usd"]) };
      const added = addedSince(before, total);
      turn = {
        main: sum(turn.main, tokensOfUsage(result["usage"]), addTokens),
        all: models && sum(turn.all, added, addNumbers),
        own: sum(turn.own, numbersOfModels(result["model_usage_since_last_result"]), addNumbers),
        costUsd: sum(turn.costUsd, added.costUsd, (one, other) => plainCost(one + other)),
      };
      before = total;
    },
    take() {
      const { main, ...numbers } = turn;
      turn = nothing;
      const context = { isResumed: false, hasSubagents: () => true };
      return numbersOf({ ...numbers, main: main && countTokens(main), context });
    },
  };
}

function sum<T>(one: T | undefined, other: T | undefined, add: (one: T, other: T) => T): T | undefined {
  return one === undefined || other === undefined ? (one ?? other) : add(one, other);
}

const tokenNames = ["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const;

/** What has been added to an earlier total. A total that is smaller than before has started again. */
export function addedSince(before: ModelNumbers, total: ModelNumbers): ModelNumbers {
  const tokens: ReportedTokens = {};
  for (const name of tokenNames) {
    const count = total.tokens[name];
    const earlier = before.tokens[name] ?? 0;
    if (count !== undefined && count < earlier) return total;
    if (count !== undefined) tokens[name] = count - earlier;
  }
  const { costUsd } = total;
  if (costUsd === undefined || before.costUsd === undefined) return { tokens, costUsd: undefined };
  return costUsd < before.costUsd ? total : { tokens, costUsd: plainCost(costUsd - before.costUsd) };
}

/** Differences of binary fractions have digits that none of the costs has. */
function plainCost(costUsd: number): number {
  return Number(costUsd.toFixed(12));
}
