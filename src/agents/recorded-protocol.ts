import type { RawRecord } from "../events/raw-record.js";
import type { TranslatedAgent } from "./frame/frame.js";
import { processPerTurn, readSentLine } from "./process-per-turn.js";

/**
 * The protocol of a recorded live session, by its first records: for a `raw.jsonl` whose sidecar is not there to say it.
 * Undefined for a one-shot run, in which nothing is sent.
 */
export function protocolOf(
  { live }: Pick<TranslatedAgent, "live">,
  records: readonly RawRecord[],
): string | undefined {
  const exchanged = records.find(({ stream }) => stream === "sent" || stream === "received");
  if (exchanged === undefined) return undefined;
  const isOwn = exchanged.stream === "sent" && readSentLine(exchanged.line) !== undefined;
  return isOwn ? processPerTurn : live?.id;
}
