import { asCost } from "../../../events/sound-numbers.js";
import type { TokenCounts } from "../../../events/usage.js";
import { asCount, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { addTokens, countTokens, countTokensOfWholeInput, type ReportedTokens } from "../tokens.js";
import type { AcpAgent } from "./agent.js";
import type { AcpDialect, AcpFacts } from "./dialect.js";

/** The tokens and the cost of each turn. */
export interface AcpUsage {
  /** A session began. Nothing was spent in a new one. What an earlier one has cost is not known yet. */
  opened(isNew: boolean): void;
  beginTurn(): void;
  /** `usage_update`: the cost of the session so far. Its other numbers are the fill of the context window. */
  updated(update: JsonObject, out: Sink): void;
  /** Counts of one request, where an agent reports them (Qwen Code: on empty chunks of text). */
  request(usage: JsonObject, parentCallId: string | undefined, out: Sink): void;
  /** The answer to a prompt. */
  answered(answer: JsonObject): void;
  /** Sets the figures of the turn. `isOneRequest`: the model was asked once, so that the last request is the turn. */
  endTurn(about: { isOneRequest: boolean }, out: Sink): void;
}

export function createAcpUsage(dialect: AcpDialect, agent: AcpAgent): AcpUsage {
  const costs = createCosts();
  const session = createSessionCounts();
  /** Counts of this turn's requests. */
  let requests: ReportedTokens | undefined;
  /** The last answer's counts, and the sum over the answers of this turn. */
  let last: ReportedTokens | undefined;
  let sum: ReportedTokens | undefined;

  function set(counts: ReportedTokens, scope: "run" | "session", out: Sink): void {
    out.run.usage = { ...toCounts(counts, agent.facts), scope, line: out.lineNumber };
  }

  const byMeaning: Readonly<
    Record<AcpFacts["usage"], (counts: ReportedTokens, isOneRequest: boolean, out: Sink) => void>
  > = {
    none() {},
    turn: (_counts, _isOneRequest, out) => sum && set(sum, "run", out),
    request(counts, isOneRequest, out) {
      if (isOneRequest) set(counts, "run", out);
      else out.emit({ type: "usage", ...toCounts(counts, agent.facts), scope: "step" });
    },
    session(counts, _isOneRequest, out) {
      const turn = session.turnOf(counts);
      set(turn ?? counts, turn === undefined ? "session" : "run", out);
    },
  };

  return {
    opened: costs.opened,
    beginTurn() {
      requests = undefined;
      last = undefined;
      sum = undefined;
      costs.beginTurn();
    },
    updated(update, out) {
      costs.updated(update);
      out.consume("usage_update");
    },
    request(usage, parentCallId, out) {
      const counts = reportedIn(usage);
      if (counts === undefined) return;
      requests = addTokens(requests ?? {}, counts);
      // The turn may end without an answer.
      if (out.live.turnId !== undefined) set(requests, "run", out);
      out.emit({ type: "usage", parentCallId, ...toCounts(counts, agent.facts), scope: "step" });
    },
    answered(answer) {
      const counts = dialect.tokensOf === undefined ? reportedIn(answer["usage"]) : dialect.tokensOf(answer);
      if (counts === undefined) return;
      last = counts;
      sum = addTokens(sum ?? {}, counts);
    },
    endTurn({ isOneRequest }, out) {
      out.run.costUsd = costs.ofTurn();
      if (requests !== undefined) return;
      if (last === undefined) return session.skipTurn();
      byMeaning[agent.facts.usage](last, isOneRequest, out);
    },
  };
}

function toCounts(reported: ReportedTokens, facts: AcpFacts): TokenCounts {
  const { output, reasoning } = reported;
  const whole =
    facts.hasThoughtsApart && output !== undefined
      ? { ...reported, output: output + (reasoning ?? 0) }
      : reported;
  return facts.hasWholeInput ? countTokensOfWholeInput(whole) : countTokens(whole);
}

/** `usage` as the protocol has it. Undefined if there is none. OpenCode sends zeros for a turn that was interrupted. */
function reportedIn(value: JsonValue | undefined): ReportedTokens | undefined {
  const usage = asObject(value);
  if (usage === undefined || !Object.values(usage).some((count) => asCount(count))) return undefined;
  return {
    input: asCount(usage["inputTokens"]),
    cacheRead: asCount(usage["cachedReadTokens"]),
    cacheWrite: asCount(usage["cachedWriteTokens"]),
    output: asCount(usage["outputTokens"]),
    reasoning: asCount(usage["thoughtTokens"]),
  };
}

/** Turns the cost of the session so far into that of each turn. */
function createCosts() {
  let soFar: number | undefined;
  let before: number | undefined;
  let isUpdated = false;
  return {
    opened(isNew: boolean): void {
      soFar = isNew ? 0 : undefined;
    },
    beginTurn(): void {
      before = soFar;
      isUpdated = false;
    },
    updated(update: JsonObject): void {
      const cost = asObject(update["cost"]);
      const amount = asText(cost?.["currency"]) === "USD" ? asCost(cost?.["amount"]) : undefined;
      if (amount === undefined) return;
      soFar = amount;
      isUpdated = true;
    },
    /** Undefined if nothing was reported, or if it is not known what was spent before. */
    ofTurn(): number | undefined {
      if (!isUpdated || soFar === undefined || before === undefined || soFar < before) return undefined;
      // Subtraction leaves digits that nobody reported.
      return Number((soFar - before).toFixed(12));
    },
  };
}

/**
 * Turns counts of the session so far into those of each turn. After a turn without counts the difference would contain that turn
 * too, so the next counts stay those of the session.
 */
function createSessionCounts() {
  let before: ReportedTokens = {};
  let hasGap = false;
  return {
    skipTurn(): void {
      hasGap = true;
    },
    turnOf(soFar: ReportedTokens): ReportedTokens | undefined {
      const turn = hasGap ? undefined : difference(soFar, before);
      before = soFar;
      hasGap = false;
      return turn;
    },
  };
}

function difference(soFar: ReportedTokens, before: ReportedTokens): ReportedTokens {
  const minus = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined ? undefined : Math.max(0, a - (b ?? 0));
  return {
    input: minus(soFar.input, before.input),
    cacheRead: minus(soFar.cacheRead, before.cacheRead),
    cacheWrite: minus(soFar.cacheWrite, before.cacheWrite),
    output: minus(soFar.output, before.output),
    reasoning: minus(soFar.reasoning, before.reasoning),
  };
}
