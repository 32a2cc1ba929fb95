import { asObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { toJson } from "../../../text/to-json.js";
import type { Sink } from "../../contract.js";
import { addTokens, countTokensOfWholeInput, type ReportedTokens } from "../../shared/tokens.js";
import { tokensIn } from "../usage.js";

/** The tokens of the turns of a stored session, those of subagents included. */
export interface StoredTokens {
  /** The tokens of the last request, and of the whole thread so far. The same total is repeated: then there was no request. */
  count(of: Counted, out: Sink): void;
  /** The turn ends. */
  settle(out: Sink): void;
}

export interface Counted {
  threadId: string | undefined;
  parentCallId: string | undefined;
  last: JsonObject | undefined;
  total: JsonObject | undefined;
}

export function createStoredTokens(): StoredTokens {
  const totals = new Map<string | undefined, string>();
  let turn: ReportedTokens | undefined;
  return {
    count({ threadId, parentCallId, last, total }, out) {
      const sum = toJson(asObject(total) ?? null);
      if (last === undefined || totals.get(threadId) === sum) return;
      totals.set(threadId, sum);
      const tokens = tokensIn(last);
      turn = turn === undefined ? tokens : addTokens(turn, tokens);
      out.emit({ type: "usage", ...countTokensOfWholeInput(tokens), scope: "step", parentCallId });
    },
    settle(out) {
      if (turn !== undefined)
        out.run.usage = { ...countTokensOfWholeInput(turn), scope: "run", line: out.lineNumber };
      turn = undefined;
    },
  };
}
