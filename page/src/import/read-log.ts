import type { Translator } from "../../../src/agents/contract.js";
import { createTranslator } from "../../../src/agents/create-translator.js";
import { agents } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { createRecordReader, decodeLine, parseRawRecord } from "../../../src/events/raw-jsonl.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { endWithoutExit } from "../../../src/runs/recording/end-without-exit.js";
import type { RawLine, RunAbout } from "../../../src/server/protocol.js";
import { createRunModel } from "../model/run-model.js";
import { createImported, type RunSource } from "../model/run-source.js";

/** A dropped file: native lines of an agent, or records of a `raw.jsonl`. */
export interface Log {
  name: string;
  lines: readonly string[];
  /** Set when it is a recording: with times, standard error and the exit. */
  records?: readonly RawRecord[];
}

export function parseLog(name: string, text: string): Log {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined || parseRawRecord(first) === undefined) return { name, lines };
  const records = createRecordReader();
  const isTorn = !text.endsWith("\n");
  const found = lines.flatMap((line, index) => records(line, isTorn && index === lines.length - 1) ?? []);
  return { name, records: found, lines: found.map(textOf) };
}

function textOf(record: RawRecord): string {
  if (record.stream === "harness") return record.message;
  if (record.stream === "exit") return JSON.stringify(record);
  return decodeLine(record).text;
}

const sampleLines = 60;

/** The agent that understands most of the first lines. */
export function detectAgent(log: Log): string {
  const sample = log.lines.slice(0, sampleLines);
  let best = { id: "generic", score: 0 };
  for (const { id } of agents) {
    const score = scoreOf(id, sample);
    if (score > best.score) best = { id, score };
  }
  return best.id;
}

function scoreOf(id: string, lines: readonly string[]): number {
  const translator = createTranslator(id, { hasTiming: false });
  translator.start();
  let score = 0;
  for (const line of lines) {
    const events = translator.line(line);
    const isUnderstood = events.some(
      ({ type }) => type !== "unknown" && type !== "warning" && type !== "error",
    );
    const isUnknown = events.some(({ type }) => type === "unknown");
    if (isUnderstood) score += 3;
    else if (isUnknown) score -= 1;
    else if (events.length === 0 && translator.lastRule !== undefined) score += 1;
  }
  return id === "generic" ? score * 0.1 : score;
}

/** Translates a log here, in the browser. */
export function importLog(log: Log, agent: string, id: string): RunSource {
  const now = new Date().toISOString();
  const startedAt = log.records?.[0]?.timestamp ?? now;
  const translator = createTranslator(agent, { runId: id, cwd: "", hasTiming: log.records !== undefined });
  const model = createRunModel(startedAt);
  const consumed: [number, string][] = [];
  const events: HarnessEvent[] = [...translator.start(startedAt)];
  const lines: RawLine[] = log.lines.map((text, index) => {
    const record: RawRecord = log.records?.[index] ?? { timestamp: now, stream: "stdout", line: text };
    const given = translator.record(record);
    events.push(...given);
    if (given.length === 0) consumed.push([index + 1, translator.lastRule ?? "no rule"]);
    return toRawLine(record, text, index + 1);
  });
  events.push(...endOf(translator, log, now));
  model.add({ events, consumed, lines: lines.length });
  return createImported(id, aboutOf(log, agent, id, startedAt, model.summary()), model, lines);
}

function endOf(translator: Translator, log: Log, now: string): HarnessEvent[] {
  if (log.records === undefined) return translator.end({ exitCode: 0 }, now);
  if (log.records.some(({ stream }) => stream === "exit")) return [];
  return endWithoutExit(translator);
}

function toRawLine(record: RawRecord, text: string, line: number): RawLine {
  const { stream, timestamp } = record;
  return { line, stream, timestamp, text, size: text.length, isCut: false };
}

type Summary = ReturnType<ReturnType<typeof createRunModel>["summary"]>;

function aboutOf(log: Log, agent: string, id: string, startedAt: string, summary: Summary): RunAbout {
  const { outcome, failure, usage, costUsd, costSource, model, agentVersion, sessionId, endedAt } = summary;
  return {
    prompt: log.name,
    argv: [],
    permissions: "",
    ...(sessionId !== undefined && { sessionId }),
    row: {
      id,
      outcome: outcome?.reason ?? "interrupted",
      agent,
      prompt: log.name,
      cwd: "",
      startedAt,
      ...(endedAt !== undefined && { endedAt }),
      ...(agentVersion !== undefined && { agentVersion }),
      ...(model !== undefined && { model }),
      ...(failure !== undefined && { failure }),
      ...(usage !== undefined && { usage }),
      ...(costUsd !== undefined && { costUsd }),
      ...(costSource !== undefined && { costSource }),
    },
  };
}
