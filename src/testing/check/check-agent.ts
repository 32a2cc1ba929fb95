import type { AgentDefinition } from "../../agents/definition.js";
import { createFramedTranslator } from "../../agents/frame/frame.js";
import type { HarnessEvent } from "../../events/event.js";
import { isObject } from "../../text/fields.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { brokenRules, invalidEvents } from "./stream-rules.js";

/** What one run of a program printed, and how it ended. */
export interface AgentCapture {
  /** For the sentences about it. */
  name?: string;
  /** Standard output, line by line. */
  lines: readonly string[];
  /** Standard error, line by line. */
  stderr?: readonly string[];
  /** Default: 0. Null: it was killed. */
  exitCode?: number | null;
  /** How the run must end. */
  expect?: "success" | "failure";
}

/** What an agent of your own printed: whole captures, or the lines of one. */
export interface CheckAgentOptions {
  captures?: readonly AgentCapture[];
  /** One capture, by its lines alone. */
  lines?: readonly string[];
}

/**
 * Checks the definition of an agent with output of its program, and returns the problems as sentences: none if all is well. It
 * never throws, so it can be used in any test.
 */
export function checkAgent(agent: AgentDefinition, { captures = [], lines }: CheckAgentOptions): string[] {
  const all = [...captures, ...(lines === undefined ? [] : [{ lines }])];
  if (all.length === 0) return ["nothing was checked: give captures or lines"];
  return all.flatMap((capture, index) => {
    const name = capture.name ?? (all.length === 1 ? undefined : `capture ${index + 1}`);
    return problemsWith(agent, capture).map((problem) =>
      name === undefined ? problem : `${name}: ${problem}`,
    );
  });
}

type Check = (agent: AgentDefinition, capture: AgentCapture) => string[];

const checks: readonly Check[] = [wholeRun, sameAgain, cutAnywhere, damagedRecords];

function problemsWith(agent: AgentDefinition, capture: AgentCapture): string[] {
  const problems = checks.flatMap((check) => {
    try {
      return check(agent, capture);
    } catch (error) {
      return [`an error was thrown: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
  return [...new Set(problems)];
}

const time = "2026-01-01T00:00:00.000Z";
const cwd = "/workspace";

interface Reading {
  read(line: string): void;
  end(exitCode: number | null): HarnessEvent[];
  /** Lines without an event and without a rule. */
  lost: string[];
}

function begin(agent: AgentDefinition, stderr: readonly string[] = []): Reading {
  const translator = createFramedTranslator(agent, { runId: "check", cwd });
  const events = translator.start(time);
  const lost: string[] = [];
  for (const line of stderr) events.push(...translator.diagnostic(line, time));
  return {
    lost,
    read(line) {
      const given = translator.line(line, time);
      if (given.length === 0 && !translator.lastRule) lost.push(line);
      events.push(...given);
    },
    end(exitCode) {
      const ended = { exitCode, signal: exitCode === null ? "SIGKILL" : null };
      return [...events, ...translator.end(ended, time)];
    },
  };
}

function eventsOf(agent: AgentDefinition, { lines, stderr, exitCode = 0 }: AgentCapture): HarnessEvent[] {
  const reading = begin(agent, stderr);
  for (const line of lines) reading.read(line);
  return reading.end(exitCode);
}

/** Nothing is lost, all events are valid, and the run has its order and its outcome. */
function wholeRun(agent: AgentDefinition, { lines, stderr, exitCode = 0, expect }: AgentCapture): string[] {
  const reading = begin(agent, stderr);
  for (const line of lines) reading.read(line);
  const events = reading.end(exitCode);
  const result = events.find((event) => event.type === "result");
  const isWrong = expect !== undefined && result !== undefined && result.isSuccess !== (expect === "success");
  return [
    ...reading.lost.map((line) => `the line is lost: ${line.slice(0, 300)}`),
    ...invalidEvents(events),
    ...brokenRules(events),
    ...(isWrong
      ? [`the run must be a ${expect}, but is not${result.failure ? `: ${result.failure.message}` : ""}`]
      : []),
  ];
}

/** The same lines give the same events: a second time, and while another run is read. */
function sameAgain(agent: AgentDefinition, capture: AgentCapture): string[] {
  const { lines, stderr, exitCode = 0 } = capture;
  const first = JSON.stringify(eventsOf(agent, capture));
  if (JSON.stringify(eventsOf(agent, capture)) !== first)
    return [
      "the same lines gave other events the second time: a mapping must not use clocks, chance or earlier runs",
    ];
  const one = begin(agent, stderr);
  const other = begin(agent, stderr);
  for (const line of lines) {
    one.read(line);
    other.read(line);
  }
  const isSame = [one, other].every((reading) => JSON.stringify(reading.end(exitCode)) === first);
  return isSame
    ? []
    : [
        "two runs at once disturb each other: createMapping must return a new mapping, with its own state, each time",
      ];
}

/** The most places that are tried in one capture. */
const mostPlaces = 100;

/** A killed process leaves any beginning of its output. */
function cutAnywhere(agent: AgentDefinition, { lines, stderr }: AgentCapture): string[] {
  const stride = Math.max(1, Math.ceil(lines.length / mostPlaces));
  for (let length = 0; length < lines.length; length += stride) {
    const beginning = lines.slice(0, length);
    const events = eventsOf(agent, {
      lines: beginning,
      exitCode: null,
      ...(stderr !== undefined && { stderr }),
    });
    const [problem] = [...invalidEvents(events), ...brokenRules(events)];
    if (problem !== undefined) return [`cut off after line ${length}: ${problem}`];
    if (events.some((event) => event.type === "result" && event.isSuccess) && length === 0)
      return ["a run that was killed before it printed anything is a success"];
  }
  return [];
}

/** Records with parts missing or of another type: a program of another version. */
function damagedRecords(agent: AgentDefinition, { lines }: AgentCapture): string[] {
  const damaged = lines.slice(0, mostPlaces).flatMap(damage);
  const reading = begin(agent);
  for (const line of damaged) reading.read(line);
  const lost = reading.lost.map((line) => `the line is lost: ${line.slice(0, 300)}`);
  const events = reading.end(1);
  const [problem] = [...lost, ...invalidEvents(events), ...brokenRules(events)];
  return problem === undefined ? [] : [`with damaged records: ${problem}`];
}

function damage(line: string): string[] {
  const record = parseOwnJson(line);
  const cut = line.slice(0, Math.floor(line.length / 2));
  if (!isObject(record)) return [cut];
  const changed = Object.keys(record).flatMap((key) => {
    const { [key]: _, ...without } = record;
    return [without, { ...record, [key]: null }, { ...record, [key]: {} }, { ...record, [key]: "x" }];
  });
  return [cut, ...changed.map((value) => JSON.stringify(value))];
}
