import { asText, isObject } from "../text/fields.js";
import { parseOwnJson } from "../text/parse-json.js";
import type { CreateMapping, Draft, Mapping, Sink, TranslatorOptions } from "./contract.js";
import { isNumbered } from "./shared/message-ids.js";

/**
 * A live session of an agent without a protocol of its own: one process per turn, each of which resumes the agent's
 * session. What harness does is recorded as sent lines of this form.
 */
export type SentToProcess =
  /** `resume`: the session that the process goes on with. Absent: it begins one. */
  { harness: "prompt"; prompt: string; resume?: string | undefined } | { harness: "interrupt" };

export const processPerTurn = "process";

/** The line of `raw.jsonl` for a prompt or an interrupt. */
export function toSentLine(sent: SentToProcess): string {
  return JSON.stringify(sent);
}

/** The prompt or interrupt in a sent line. Undefined for a line of another protocol. */
export function readSentLine(line: string): SentToProcess | undefined {
  const value = parseOwnJson(line);
  if (!isObject(value)) return undefined;
  if (value["harness"] === "interrupt") return { harness: "interrupt" };
  const { prompt, resume } = value;
  if (value["harness"] !== "prompt" || typeof prompt !== "string") return undefined;
  return { harness: "prompt", prompt, resume: asText(resume) };
}

/** Puts turns around the mapping of one-shot runs: every process has a mapping of its own. */
export function createProcessPerTurnMapping(
  createMapping: CreateMapping,
  options: TranslatorOptions,
): Mapping {
  let count = 0;
  let isRunning = false;
  let process = createMapping(options);
  let sink: Sink | undefined;

  function begin({ prompt, resume }: { prompt: string; resume?: string | undefined }, out: Sink): void {
    out.live.beginTurn({ prompt });
    process = createMapping({ ...options, prompt, isResumed: resume !== undefined });
    count += 1;
    isRunning = true;
    sink = undefined;
  }

  function sinkOf(out: Sink): Sink {
    if (count < 2) return out;
    sink ??= withOwnMessageIds(out, count);
    return sink;
  }

  /** Only once per process: what a mapping holds must not be emitted again at the end of the session. */
  function flush(out: Sink): void {
    if (isRunning) process.flush?.(sinkOf(out));
    isRunning = false;
  }

  return {
    ...(process.todoTools !== undefined && { todoTools: process.todoTools }),
    record: (record, out) => process.record(record, sinkOf(out)),
    text: (line, out) => process.text?.(line, sinkOf(out)),
    skip: (line) => process.skip?.(line),
    raw: (line, out) => process.raw?.(line, sinkOf(out)) ?? false,
    diagnostic: (message, out) => process.diagnostic?.(message, sinkOf(out)),
    sent(line, out) {
      const sent = readSentLine(line);
      if (sent?.harness === "prompt") begin(sent, out);
      else if (sent?.harness === "interrupt") out.live.interruptTurn();
    },
    processEnded(ended, out) {
      flush(out);
      out.live.endTurn({ ended });
    },
    flush,
  };
}

/**
 * The same sink for a later process. Its mapping numbers messages from 1 again, and a message that an earlier process left
 * incomplete must not go on in this one.
 */
function withOwnMessageIds(out: Sink, count: number): Sink {
  const emit = (draft: Draft): void => {
    const isMessage = draft.type === "text" || draft.type === "agent";
    const id = isMessage ? draft.messageId : undefined;
    if (!isMessage || id === undefined || !isNumbered(id)) return out.emit(draft);
    out.emit({ ...draft, messageId: `${count}-${id}` });
  };
  return Object.create(out, { emit: { value: emit } });
}
