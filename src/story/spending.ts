import { tokenClassNames } from "../events/sound-numbers.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";

/** Tokens and cost so far. */
export interface Spent {
  tokens?: number;
  costUsd?: number;
  /** Some of the cost is not the agent's own figure. */
  costSource?: "estimated";
}

/** The numbers of a usage event. */
export interface ReportedUsage extends TokenCounts {
  scope: UsageScope;
  costUsd?: number;
  costSource?: "estimated";
}

/**
 * Adds up what a run has taken, until its own numbers come: the turns that have ended, and the steps since then. The numbers
 * of a turn replace those of its steps.
 */
export interface Spending {
  readonly spent: Spent;
  add(usage: ReportedUsage): void;
  /** Some agents report the cost only with the end of the turn. */
  endTurn(cost: Pick<Spent, "costUsd" | "costSource">): void;
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
    if (hasTotals) return;
    delete spent.costSource;
    Object.assign(spent, sumOf(ended, steps));
  }

  /** The steps gave the same numbers, piece by piece: they no longer count. */
  function endSteps(turn: Spent): void {
    if (turn.tokens !== undefined) delete steps.tokens;
    if (turn.costUsd !== undefined) {
      delete steps.costUsd;
      delete steps.costSource;
    }
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
    endTurn(cost) {
      if (!hasCostOfTurn) endSteps(costOf(cost));
      ended = sumOf(ended, steps);
      steps = {};
      hasCostOfTurn = false;
      count();
    },
    setCost(costUsd) {
      spent.costUsd = costUsd;
      delete spent.costSource;
    },
  };
}

function numbersOf(usage: ReportedUsage): Spent {
  const { totalTokens } = usage;
  return { ...(totalTokens !== undefined && { tokens: totalTokens }), ...costOf(usage) };
}

function costOf({ costUsd, costSource }: Pick<Spent, "costUsd" | "costSource">): Spent {
  if (costUsd === undefined) return {};
  return { costUsd, ...(costSource !== undefined && { costSource }) };
}

function sumOf(one: Spent, other: Spent): Spent {
  const tokens = add(one.tokens, other.tokens);
  const costUsd = add(one.costUsd, other.costUsd);
  const costSource = one.costSource ?? other.costSource;
  return {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
  };
}

function add(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** The token classes of an event that has them. */
export function tokenCountsOf(event: TokenCounts): TokenCounts {
  const tokens: TokenCounts = {};
  for (const name of tokenClassNames) {
    const count = event[name];
    if (count !== undefined) tokens[name] = count;
  }
  return tokens;
}
