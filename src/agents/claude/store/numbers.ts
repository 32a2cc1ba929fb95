import { asCost } from "../../../events/sound-numbers.js";
import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { type ModelNumbers, numbersOfModels, tokensOfUsage } from "../../shared/claude-stream/usage.js";
import { addTokens, countTokens, type ReportedTokens } from "../../shared/tokens.js";
import { addedSince } from "../live/usage.js";

/** The tokens and the cost of the turns of a stored session. */
export interface StoredNumbers {
  /** The next turn begins. */
  begin(): void;
  /** An `assistant` line. All lines of a message repeat its usage; the last one is complete. */
  message(record: JsonObject, parentCallId: string | undefined, out: Sink): void;
  /** A `cost-state` line: what the session has cost so far (2.1.325). */
  total(record: JsonObject): void;
  /** The turn ends: writes its numbers to `out.run`, and emits the usage of messages that are still open. */
  settle(out: Sink): void;
}

interface OpenMessage {
  id: string | undefined;
  usage: ReportedTokens;
  line: number;
}

const nothing: ModelNumbers = { tokens: {}, costUsd: 0 };

/**
 * Requests that were cut off and asked again have no line, and only `cost-state` counts them. It is written when Claude Code exits, and
 * in between. So its difference to the one before is used for a turn if no other turn lies between the two.
 */
export function createStoredNumbers(): StoredNumbers {
  const open = new Map<string | undefined, OpenMessage>();
  let messages: ReportedTokens | undefined;
  let before: ModelNumbers | undefined = nothing;
  let latest: ModelNumbers | undefined;
  let inTurn: ModelNumbers | undefined;

  function close(parentCallId: string | undefined, out: Sink): void {
    const message = open.get(parentCallId);
    if (message === undefined) return;
    open.delete(parentCallId);
    messages = addTokens(messages ?? {}, message.usage);
    const { line } = message;
    out.emit({ type: "usage", ...countTokens(message.usage), scope: "step", parentCallId, line });
  }

  return {
    begin() {
      before = latest ?? before;
      latest = inTurn = undefined;
    },
    message(record, parentCallId, out) {
      const message = asObject(record["message"]) ?? {};
      const id = asText(message["id"]);
      if (open.get(parentCallId)?.id !== id) close(parentCallId, out);
      const usage = tokensOfUsage(message["usage"]);
      if (usage === undefined || message["model"] === "<synthetic>" || isCopied(record)) return;
      open.set(parentCallId, { id, usage, line: out.lineNumber });
    },
    total(record) {
      const models = numbersOfModels(record["modelUsage"]);
      if (models === undefined) return;
      const isKnown = asFlag(record["hasUnknownModelCost"]) !== true;
      latest = { tokens: models.tokens, costUsd: isKnown ? asCost(record["totalCostUSD"]) : undefined };
      inTurn = latest;
    },
    settle(out) {
      for (const parentCallId of [...open.keys()]) close(parentCallId, out);
      const spent = spentInTurn(messages, before, inTurn);
      // Without a total, it is not known where the next one starts.
      if (inTurn === undefined) before = undefined;
      const tokens = spent?.tokens ?? messages;
      messages = undefined;
      if (tokens !== undefined && countTokens(tokens).totalTokens !== undefined)
        out.run.usage = { ...countTokens(tokens), scope: "run", line: out.lineNumber };
      out.run.costUsd = spent?.costUsd;
    },
  };
}

/** The part of a total that belongs to the turn. It covers at least the messages: otherwise the total has started again, or is of another session. */
function spentInTurn(
  messages: ReportedTokens | undefined,
  before: ModelNumbers | undefined,
  total: ModelNumbers | undefined,
): ModelNumbers | undefined {
  if (total === undefined) return undefined;
  const least = totalOf(messages ?? {});
  const parts = before === undefined ? [] : [addedSince(before, total), total];
  return parts.find(({ tokens }) => totalOf(tokens) >= least);
}

function totalOf(tokens: ReportedTokens): number {
  return countTokens(tokens).totalTokens ?? 0;
}

/** A session that was forked begins with the lines of the other one, which are counted there. */
function isCopied(record: JsonObject): boolean {
  return asObject(record["forkedFrom"]) !== undefined;
}
