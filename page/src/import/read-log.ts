import { recognizeAgent } from "../../../src/agents/recognize-agent.js";
import { recordedAs } from "../../../src/agents/recorded-protocol.js";
import { requireAgent } from "../../../src/agents/registry.js";
import { createSteps } from "../../../src/agents/steps.js";
import { createRecordReader, parseRawRecord, textOfRecord } from "../../../src/events/raw-jsonl.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import type { Step } from "../../../src/events/step.js";
import type { RawLine, RunAbout } from "../../../src/server/protocol.js";
import { createRunModel } from "../model/run-model.js";
import { createImported, type RunSource } from "../model/run-source.js";

/** A dropped file: native lines of an agent, or records of a `raw.jsonl`. */
export interface Log {
  name: string;
  lines: readonly string[];
  /** Set if the file is a recording, with times, standard error and the exit. */
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
  return { name, records: found, lines: found.map(textOfRecord) };
}

/** The agent of a log. If it cannot be said, the first one that it could be; the user may choose another. */
export function detectAgent(log: Log): string {
  const found = recognizeAgent(recordsOf(log, ""), true);
  if (found === undefined) return "generic";
  return "agent" in found ? found.agent.id : (found.candidates[0]?.id ?? "generic");
}

/** Native lines have no times: all of them get the same one. */
function recordsOf({ lines, records }: Log, now: string): readonly RawRecord[] {
  return records ?? lines.map((line): RawRecord => ({ timestamp: now, stream: "stdout", line }));
}

/** Translates a log here, in the browser. */
export function importLog(log: Log, agent: string, id: string): RunSource {
  const now = new Date().toISOString();
  const records = recordsOf(log, now);
  const startedAt = records[0]?.timestamp ?? now;
  const hasTiming = log.records !== undefined;
  const definition = requireAgent(agent);
  const options = { runId: id, cwd: "", startedAt, hasTiming, ...recordedAs(definition, records) };
  const steps = createSteps(definition, options);
  const translated = steps.pushAll(records);
  const end = hasTiming ? steps.interrupted() : [steps.end({ exitCode: 0 }, now)];
  const model = createRunModel(startedAt);
  const events = [...translated, ...end].flatMap((step) => step.events);
  model.add({ events, consumed: consumedIn(translated), lines: records.length });
  const lines = records.map((record, index) => toRawLine(record, log.lines[index] ?? "", index + 1));
  return createImported(id, aboutOf(log, agent, id, startedAt, model.summary()), model, lines);
}

/** Numbers of the lines that gave no events, and the rule that consumed each. */
function consumedIn(steps: readonly Step[]): [number, string][] {
  return steps
    .filter((step) => step.record !== undefined)
    .flatMap(({ events, rule }, index): [number, string][] =>
      events.length === 0 ? [[index + 1, rule ?? "no rule"]] : [],
    );
}

function toRawLine(record: RawRecord, text: string, line: number): RawLine {
  const { stream, timestamp } = record;
  return { line, stream, timestamp, text, size: text.length, isCut: false };
}

type Summary = ReturnType<ReturnType<typeof createRunModel>["summary"]>;

function aboutOf(log: Log, agent: string, id: string, startedAt: string, summary: Summary): RunAbout {
  const { outcome, failure, usage, costUsd, costSource, model, agentVersion, sessionId } = summary;
  const endedAt = log.records === undefined ? undefined : summary.endedAt;
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
