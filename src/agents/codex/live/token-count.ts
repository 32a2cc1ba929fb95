import { asObject, asText } from "../../../text/fields.js";
import type { Sink } from "../../contract.js";
import { countTokensOfWholeInput } from "../../shared/tokens.js";
import { tokensIn } from "../usage.js";
import type { Notice, Session } from "./session.js";
import { toSnakeKeys } from "./spelling.js";

/**
 * `thread/tokenUsage/updated`: the tokens of the last request to the model, and of the whole thread. It comes after every request,
 * and again when a thread is resumed or forked, with the counts and the turn of the earlier session.
 */
export function createTokenCount({ turns }: Session): (notice: Notice, out: Sink) => void {
  /** The counts of each thread so far. */
  const totals = new Map<string, string>();

  return ({ params, speaker }, out) => {
    const usage = asObject(params["tokenUsage"]) ?? {};
    const last = asObject(usage["last"]);
    const total = JSON.stringify(usage["total"] ?? null);
    const isRepeated = totals.get(speaker.threadId) === total;
    totals.set(speaker.threadId, total);
    const { parentCallId } = speaker;
    const turnId = asText(params["turnId"]);
    // The counts of the earlier session may come after the first prompt, before Codex has named its turn.
    const isNamed = turnId === undefined || turns.isKnown(turnId);
    const isOfTurn = parentCallId !== undefined || (isNamed && turns.enter(turnId, out));
    if (last === undefined || isRepeated || !(isOfTurn || turns.isKnown(turnId)))
      return out.consume("thread/tokenUsage/updated: not a new request");
    const tokens = tokensIn(toSnakeKeys(last));
    if (isOfTurn) turns.count(tokens, out);
    out.emit({ type: "usage", ...countTokensOfWholeInput(tokens), scope: "step", parentCallId });
  };
}
