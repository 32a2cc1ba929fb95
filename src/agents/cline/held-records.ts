import { asCount, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Worker } from "./roster.js";

/**
 * Records whose agent is not known yet, since the models of several agents are answering. The next hook of the agent names
 * it. The pieces of a message are not needed then: its end restates the whole.
 */
export interface HeldRecords {
  keep(record: HeldRecord): void;
  /** Takes what the agent sent since its previous hook. */
  take(worker: Worker): HeldRecord[];
  /** Takes the step that a record of a teammate repeats. */
  takeUsage(usage: JsonObject): HeldRecord[];
  /** Takes everything but the pieces. */
  takeAll(): HeldRecord[];
  /** The only agent that is answering has ended this part of its answer. */
  ended(part: JsonObject): void;
  /** The pieces of messages that have no end yet. */
  pieces(): readonly HeldRecord[];
  /** True if the start of this call is held. */
  hasCall(callId: string): boolean;
  /** True if a call that was rejected without a hook is held. */
  hasRejectedCall(): boolean;
}

export interface HeldRecord {
  event: JsonObject;
  native: JsonObject;
  line: number;
}

/** What one agent sent in one or more turns. */
interface Answer {
  records: HeldRecord[];
  /** All tokens of the agent before and after these turns, if its records report them. */
  before: number | undefined;
  after: number | undefined;
  /** It ended with a call that was rejected without a hook, so the next turn of the agent belongs to it. */
  goesOn: boolean;
}

export function createHeldRecords(): HeldRecords {
  let answers: Answer[] = [];
  let pieces: HeldRecord[] = [];

  function begin(record: HeldRecord, spent?: Spent): void {
    answers.push({ records: [record], before: spent?.before, after: spent?.after, goesOn: false });
  }

  function keepUsage(record: HeldRecord): void {
    const spent = spentOf(record.event);
    const answer = answers.find(({ goesOn, after }) => goesOn && after === spent?.before);
    if (answer === undefined) return begin(record, spent);
    answer.records.push(record);
    answer.after = spent?.after;
    answer.goesOn = false;
  }

  /** The parts of an answer follow its `usage`, each kind once. */
  function keepPart(record: HeldRecord): void {
    const { event } = record;
    const answer = holderOf(asText(event["toolCallId"])) ?? answers.at(-1);
    const isWords = event["type"] === "content_end" && event["contentType"] !== "tool";
    if (answer === undefined || (isWords && hasPart(answer, event))) return begin(record);
    // Reasoning comes before the text, but its end comes after the end of the text.
    const isEarlier = isWords && event["contentType"] !== "text" && isEndOfText(answer.records.at(-1));
    answer.records.splice(isEarlier ? -1 : answer.records.length, 0, record);
    if (!isWords) answer.goesOn = true;
  }

  function holderOf(callId: string | undefined): Answer | undefined {
    if (callId === undefined) return undefined;
    return answers.find(({ records }) => records.some(({ event }) => event["toolCallId"] === callId));
  }

  function remove(answer: Answer | undefined): HeldRecord[] {
    if (answer === undefined) return [];
    answers = answers.filter((other) => other !== answer);
    for (const { event } of answer.records)
      if (event["type"] === "content_end") pieces = withoutPiecesOf(event, pieces);
    return answer.records;
  }

  return {
    keep(record) {
      const type = record.event["type"];
      if (type === "usage") keepUsage(record);
      else if (isPiece(record.event)) pieces.push(record);
      else keepPart(record);
    },
    take(worker) {
      const answer =
        answers.find(({ before }) => before === worker.spent) ??
        answers.find(({ before }) => before === undefined) ??
        answers[0];
      return remove(answer);
    },
    takeUsage(usage) {
      const spent = spentOf(usage);
      return remove(
        answers.find(
          ({ records, after }) => records.length === 1 && spent !== undefined && after === spent.after,
        ),
      );
    },
    takeAll() {
      return answers.flatMap(remove);
    },
    ended({ contentType }) {
      if (pieces.length > 0) pieces = pieces.filter(({ event }) => event["contentType"] !== contentType);
    },
    pieces: () => pieces,
    hasCall: (callId) => holderOf(callId) !== undefined,
    hasRejectedCall: () => answers.some(({ goesOn }) => goesOn),
  };
}

/** A piece of text or reasoning. Despite its name, `content_start` is a delta. */
export function isPiece({ type, contentType }: JsonObject): boolean {
  return type === "content_start" && contentType !== "tool";
}

interface Spent {
  before: number;
  after: number;
}

/** `usage` has the tokens of the step, and those of the agent so far. */
export function spentOf(usage: JsonObject): Spent | undefined {
  const [input, output] = [asCount(usage["inputTokens"]), asCount(usage["outputTokens"])];
  const [allInput, allOutput] = [asCount(usage["totalInputTokens"]), asCount(usage["totalOutputTokens"])];
  if (input === undefined || output === undefined || allInput === undefined || allOutput === undefined)
    return undefined;
  const after = allInput + allOutput;
  return { before: after - input - output, after };
}

function isEndOfText(record: HeldRecord | undefined): boolean {
  return record?.event["type"] === "content_end" && record.event["contentType"] === "text";
}

/** The pieces of a message may lie between those of others. */
function withoutPiecesOf(end: JsonObject, pieces: readonly HeldRecord[]): HeldRecord[] {
  const { contentType } = end;
  const key = contentType === "text" ? "text" : "reasoning";
  let rest = asText(end[key]) ?? "";
  return pieces.filter(({ event }) => {
    const piece = event["contentType"] === contentType ? asText(event[key]) : undefined;
    if (piece === undefined || !rest.startsWith(piece)) return true;
    rest = rest.slice(piece.length);
    return false;
  });
}

function hasPart({ records }: Answer, { type, contentType }: JsonObject): boolean {
  const last = records.findLastIndex(({ event }) => event["type"] === "usage");
  return records
    .slice(last + 1)
    .some(({ event }) => event["type"] === type && event["contentType"] === contentType);
}
