import { tokenClassNames } from "../events/sound-numbers.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";

/** Tokens and cost so far. */
export interface Spent {
  tokens?: number;
  costUsd?: number;
}

/** The numbers of a usage event. */
export interface ReportedUsage extends TokenCounts {
  scope: UsageScope;
  costUsd?: number;
}

/**
 * Adds up what a run has taken, until its own numbers come: the turns that have ended, and the steps since then. The numbers
 * of a turn replace those of its steps.
 */
export interface Spending {
  readonly spent: Spent;
  add(usage: ReportedUsage): void;
  /** Some agents report the cost only with the end of the turn. */
  endTurn(costUsd: number | undefined): void;
  /** The cost of the whole run is known. */
  setCost(costUsd: number): void;
}

export function createSpending(): Spending {
  const spent: Spent = {};
  let ended: Spent = {};
  let steps: Spent = {};
  let hasTotals = false;
  let hasCostOfTurn = false;

  function count(): void {
    if (!hasTotals) Object.assign(spent, sumOf(ended, steps));
  }

  /** The steps gave the same numbers, piece by piece: they no longer count. */
  function endSteps(turn: Spent): void {
    if (turn.tokens !== undefined) delete steps.tokens;
    if (turn.costUsd !== undefined) delete steps.costUsd;
    ended = sumOf(ended, turn);
  }

  return {
    spent,
    add(usage) {
      const numbers = numbersOf(usage);
      if (usage.scope === "step") steps = sumOf(steps, numbers);
      else if (usage.scope === "turn") {
        hasCostOfTurn = usage.costUsd !== undefined;
        endSteps(numbers);
      } else {
        hasTotals = true;
        Object.assign(spent, numbers);
      }
      count();
    },
    endTurn(costUsd) {
      if (costUsd !== undefined && !hasCostOfTurn) endSteps({ costUsd });
      ended = sumOf(ended, steps);
      steps = {};
      hasCostOfTurn = false;
      count();
    },
    setCost(costUsd) {
      spent.costUsd = costUsd;
    },
  };
}

function numbersOf({ totalTokens, costUsd }: ReportedUsage): Spent {
  return {
    ...(totalTokens !== undefined && { tokens: totalTokens }),
    ...(costUsd !== undefined && { costUsd }),
  };
}

function sumOf(one: Spent, other: Spent): Spent {
  const tokens = add(one.tokens, other.tokens);
  const costUsd = add(one.costUsd, other.costUsd);
  return { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) };
}

function add(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** The token classes of an event that has them. */
export function tokensOf(event: TokenCounts): TokenCounts {
  const tokens: TokenCounts = {};
  for (const name of tokenClassNames) {
    const count = event[name];
    if (count !== undefined) tokens[name] = count;
  }
  return tokens;
}
