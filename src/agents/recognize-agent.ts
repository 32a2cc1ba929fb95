import { textOfRecord } from "../events/raw-jsonl.js";
import type { RawRecord } from "../events/raw-record.js";
import type { AgentDefinition } from "./definition.js";
import { recordedAs } from "./recorded-protocol.js";
import { agents } from "./registry.js";
import { createSteps } from "./steps.js";

/** Which agent printed a log. Several candidates: it could be any of them. None: no agent prints such lines. */
export type Recognition = { agent: AgentDefinition } | { candidates: readonly AgentDefinition[] };

/** The most that is looked at: an agent shows itself in its first lines. */
const mostLines = 64;
const mostCharacters = 1024 * 1024;

/** An agent whose score is at least this share of the best one is a candidate, too. */
const closeShare = 0.8;

/**
 * Recognises the agent of a log by its first records. A line with an agent's own mark decides. Otherwise every translator reads
 * them, and the one that knows the most of them is the agent, unless another knows about as many: agents that share a format often
 * do. The answer depends on the records only, not on how they arrive.
 *
 * Undefined: more records may follow (`isWhole` is false), and they are needed.
 */
export function recognizeAgent(records: readonly RawRecord[], isWhole: boolean): Recognition | undefined {
  const printed = printedIn(records);
  const { sample, isFull } = sampleOf(printed);
  const marked = markedIn(sample);
  if (marked !== undefined) return { agent: marked };
  if (!isWhole && !isFull) return undefined;
  const scores = agents
    .filter(({ id }) => id !== "generic")
    .map((agent) => ({ agent, score: scoreOf(agent, records, sample) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  if (best === undefined || best.score <= 0) return { candidates: [] };
  if (second === undefined || second.score < best.score * closeShare) return { agent: best.agent };
  return {
    candidates: scores.filter(({ score }) => score >= best.score * closeShare).map(({ agent }) => agent),
  };
}

/** What the agent itself printed or sent. What harness sent to it would be the same for several agents. */
function printedIn(records: readonly RawRecord[]): RawRecord[] {
  return records.filter(({ stream }) => stream === "stdout" || stream === "received" || stream === "stored");
}

function sampleOf(printed: readonly RawRecord[]): { sample: readonly RawRecord[]; isFull: boolean } {
  let characters = 0;
  const end = printed.findIndex((record, at) => {
    characters += textOfRecord(record).length;
    return at + 1 >= mostLines || characters >= mostCharacters;
  });
  return end === -1
    ? { sample: printed, isFull: false }
    : { sample: printed.slice(0, end + 1), isFull: true };
}

/** The agent whose mark comes first. A mark in a text of the agent does not count: its quotes are escaped there. */
function markedIn(sample: readonly RawRecord[]): AgentDefinition | undefined {
  for (const record of sample) {
    const text = textOfRecord(record);
    const found = agents.find(({ logMark }) => logMark?.test(text));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What each line adds, by what the translator made of it. */
const points = { known: 2, reported: 1, unknown: -3 };

/** How well a translator knows the lines. Text that is not JSON says nothing: every translator reports it. */
function scoreOf(
  agent: AgentDefinition,
  records: readonly RawRecord[],
  sample: readonly RawRecord[],
): number {
  const steps = createSteps(agent, { hasTiming: false, ...recordedAs(agent, records) });
  steps.start();
  let score = 0;
  for (const record of sample) {
    const { events, rule } = steps.push(record);
    if (!textOfRecord(record).trimStart().startsWith("{")) continue;
    const types = new Set<string>(events.map(({ type }) => type));
    if (types.has("unknown")) score += points.unknown;
    else if (types.size === 0) score += rule === undefined ? 0 : points.known;
    else if ([...types].every((type) => type === "warning" || type === "error")) score += points.reported;
    else score += points.known;
  }
  return score;
}
