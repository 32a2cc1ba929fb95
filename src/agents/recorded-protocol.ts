import type { RawRecord } from "../events/raw-record.js";
import type { TranslatorOptions } from "./contract.js";
import type { TranslatedAgent } from "./frame/frame.js";
import { processPerTurn, readSentLine } from "./process-per-turn.js";

/**
 * What the first records of a recording are, for a `raw.jsonl` whose sidecar is not there to say it: a live session over a protocol,
 * or a session that the agent has stored itself. Empty for a one-shot run, in which nothing is sent.
 */
export function recordedAs(
  { live, store }: Pick<TranslatedAgent, "live" | "store">,
  records: readonly RawRecord[],
): Pick<TranslatorOptions, "live" | "stored"> {
  const distinctive = records.find(({ stream }) => other.has(stream));
  if (distinctive === undefined) return {};
  if (distinctive.stream === "stored") return store === undefined ? {} : { stored: store.id };
  if (distinctive.stream === "sent" && readSentLine(distinctive.line) !== undefined)
    return { live: processPerTurn };
  return live === undefined ? {} : { live: live.id };
}

const other: ReadonlySet<string> = new Set<RawRecord["stream"]>(["sent", "received", "stored"]);
