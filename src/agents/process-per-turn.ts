import { isObject } from "../text/fields.js";
import { parseOwnJson } from "../text/parse-json.js";
import type { CreateMapping, Mapping, Sink, TranslatorOptions } from "./contract.js";

/**
 * A live session of an agent without a protocol of its own: one process per turn, each of which resumes the agent's
 * session. What harness does is recorded as sent lines of this form.
 */
export type SentToProcess = { harness: "prompt"; prompt: string } | { harness: "interrupt" };

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
  const { prompt } = value;
  return value["harness"] === "prompt" && typeof prompt === "string"
    ? { harness: "prompt", prompt }
    : undefined;
}

/** Puts turns around the mapping of one-shot runs: every process has a mapping of its own. */
export function createProcessPerTurnMapping(
  createMapping: CreateMapping,
  options: TranslatorOptions,
): Mapping {
  let hasRun = false;
  let isRunning = false;
  let process = createMapping(options);

  function begin(prompt: string, out: Sink): void {
    out.live.beginTurn({ prompt });
    process = createMapping({ ...options, prompt, ...(hasRun && { isResumed: true }) });
    hasRun = true;
    isRunning = true;
  }

  /** Only once per process: what a mapping holds must not be emitted again at the end of the session. */
  function flush(out: Sink): void {
    if (isRunning) process.flush?.(out);
    isRunning = false;
  }

  return {
    ...(process.todoTools !== undefined && { todoTools: process.todoTools }),
    record: (record, out) => process.record(record, out),
    text: (line, out) => process.text?.(line, out),
    skip: (line) => process.skip?.(line),
    raw: (line, out) => process.raw?.(line, out) ?? false,
    diagnostic: (message, out) => process.diagnostic?.(message, out),
    sent(line, out) {
      const sent = readSentLine(line);
      if (sent?.harness === "prompt") begin(sent.prompt, out);
      else if (sent?.harness === "interrupt") out.live.interruptTurn();
    },
    processEnded(ended, out) {
      flush(out);
      out.live.endTurn({ ended });
    },
    flush,
  };
}
