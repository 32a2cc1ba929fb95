import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createSteps } from "../../src/agents/steps.js";
import type { SessionStore, StoredRecord, StoredSession } from "../../src/agents/store-contract.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { tokenClassNames } from "../../src/events/sound-numbers.js";
import { type OpenedStore, openStore } from "../../src/runs/archive/store-reader.js";

/**
 * Real runs with both what they printed and what the agent stored of them: `test/fixtures/stores/<agent>/<scenario>/`. What the store gives
 * must be what the stream gave.
 */
export interface StoredRun {
  scenario: string;
  /** The store of the run's home. */
  reader: OpenedStore;
  sessions: StoredSession[];
  truth: { version: string; prompts: string[] };
  /** The events of each run of the session, from its stream. */
  streamed: HarnessEvent[][];
}

const fixtures = fileURLToPath(new URL("../fixtures/stores/", import.meta.url));

export function storeOf({ store }: AgentDefinition): SessionStore {
  if (store === undefined) throw new Error("the agent has no store");
  return store;
}

export function storedRuns(agent: AgentDefinition): StoredRun[] {
  return readdirSync(`${fixtures}${agent.id}`)
    .sort()
    .map((scenario) => readRun(agent, scenario));
}

function readRun(agent: AgentDefinition, scenario: string): StoredRun {
  const folder = `${fixtures}${agent.id}/${scenario}/`;
  const truth = JSON.parse(readFileSync(`${folder}truth.json`, "utf8"));
  const home = `${folder}store`;
  const opened = storeOf(agent)
    .places({ env: {}, home })
    .flatMap((place) => openStore(place) ?? []);
  const reader = opened[0];
  if (reader === undefined) throw new Error(`${folder} has no store`);
  const sessions = [...storeOf(agent).sessions(reader)];
  return { scenario, reader, sessions, truth, streamed: streamsIn(agent, folder) };
}

function streamsIn(agent: AgentDefinition, folder: string): HarnessEvent[][] {
  const runs: HarnessEvent[][] = [];
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `.${number}`;
    const path = `${folder}stdout${suffix}.jsonl`;
    if (!existsSync(path)) return runs;
    const exitCode = Number(readFileSync(`${folder}exit${suffix}.txt`, "utf8"));
    const steps = createSteps(agent, { hasTiming: false, ...(number > 1 && { isResumed: true }) });
    const events = steps.start().flatMap((step) => step.events);
    const printed = readFileSync(path, "utf8").split("\n");
    for (const line of printed) events.push(...steps.push({ timestamp, stream: "stdout", line }).events);
    events.push(...steps.end({ exitCode: Number.isNaN(exitCode) ? null : exitCode }).events);
    runs.push(events);
  }
}

const timestamp = "2026-11-17T00:00:00.000Z";

/** The events of stored records, as an import makes them. */
export function translateStored(
  agent: AgentDefinition,
  lines: Iterable<StoredRecord>,
  options: { runId?: string; cwd?: string } = {},
): { events: HarnessEvent[]; unaccounted: string[] } {
  const steps = createSteps(agent, { ...options, stored: storeOf(agent).id });
  const events: HarnessEvent[] = [];
  const unaccounted: string[] = [];
  let at = timestamp;
  for (const { timestamp: time, ...line } of lines) {
    at = time ?? at;
    const record: RawRecord = { timestamp: at, stream: "stored", ...line };
    events.push(...steps.start(at).flatMap((step) => step.events));
    const step = steps.push(record);
    events.push(...step.events);
    if (step.events.length === 0 && step.rule === undefined) unaccounted.push(line.line ?? "");
  }
  events.push(...steps.end({ exitCode: null, signal: null, stopped: true }, at).events);
  return { events, unaccounted };
}

/** What a stream and a store must agree about, each as lines of text. */
export const questions = {
  prompts: (events: readonly HarnessEvent[]) =>
    events.flatMap((event) => (event.type === "turn" && event.prompt !== undefined ? [event.prompt] : [])),
  messages: (events: readonly HarnessEvent[]) =>
    events.flatMap((event) =>
      event.type === "agent" && event.role === undefined ? [`${who(event)}${event.message}`] : [],
    ),
  /** In one piece: streams have it in several. */
  thinking: (events: readonly HarnessEvent[]) => [
    events.map((event) => (event.type === "thinking" ? (event.message ?? event.delta) : "")).join(""),
  ],
  calls: (events: readonly HarnessEvent[]) =>
    events
      .flatMap((event) =>
        event.type === "tool_start"
          ? [`${who(event)}start ${event.name} ${JSON.stringify(event.input)}`]
          : event.type === "tool_end"
            ? [`${who(event)}end ${event.name} ${event.isSuccess} ${JSON.stringify(event.output)}`]
            : [],
      )
      .sort(),
  operations: (events: readonly HarnessEvent[]) => events.flatMap(describeOperation).sort(),
  tokens: (events: readonly HarnessEvent[]) => {
    const used = events.filter((event) => event.type === "usage" && isWhole(event.scope));
    return tokenClassNames.flatMap((name) => {
      const counts = used.flatMap((event) => (event.type === "usage" ? (event[name] ?? []) : []));
      return counts.length === 0 ? [] : [`${name} ${counts.reduce((sum, count) => sum + count, 0)}`];
    });
  },
  cost: (events: readonly HarnessEvent[]) => {
    const costs = events.flatMap((event) => (event.type === "result" ? (event.costUsd ?? []) : []));
    return costs.length === 0 ? [] : [costs.reduce((sum, cost) => sum + cost, 0).toFixed(9)];
  },
  outcome: (events: readonly HarnessEvent[]) => {
    const result = events.findLast((event) => event.type === "result");
    return result?.type === "result" ? [`${result.isSuccess} ${result.failure?.kind} ${result.text}`] : [];
  },
} satisfies Record<string, (events: readonly HarnessEvent[]) => string[]>;

export type Question = keyof typeof questions;

function isWhole(scope: string): boolean {
  return scope === "run" || scope === "session";
}

function who({ parentCallId }: HarnessEvent): string {
  return parentCallId === undefined ? "" : "  ";
}

const done: ReadonlySet<string> = new Set([
  "command",
  "read",
  "write",
  "search",
  "list",
  "skill",
  "orchestration",
  "plan",
]);

function describeOperation(event: HarnessEvent): string[] {
  if (!done.has(event.type)) return [];
  const { timestamp: _time, runId, seq, sessionId, line, turnId, parentCallId, ...rest } = event;
  const { callId, ...what } = rest as { callId?: string };
  return [`${who(event)}${JSON.stringify(what)}`];
}

/** Why the two differ, by scenario and question. `*` stands for every scenario. */
export type KnownDifferences = Record<string, Partial<Record<Question, string>>>;

/** Compares every stored run with its streams. Returns the differences that are not known, and those that are known and gone. */
export function compareStoredRuns(
  agent: AgentDefinition,
  known: KnownDifferences,
  /** Makes lines equal that only differ in their spelling. An empty line is left out. */
  spell: (line: string, scenario: string) => string = (line) => line,
): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const run of storedRuns(agent)) {
    const { events, unaccounted } = eventsOfStore(agent, run);
    problems.push(
      ...unaccounted.map((line) => `${run.scenario}: no event and no rule: ${line.slice(0, 200)}`),
    );
    for (const question of Object.keys(questions) as Question[]) {
      const spelled = (lines: string[]) => {
        const all = lines.map((line) => spell(line, run.scenario)).filter((line) => line !== "");
        return question === "messages" || question === "prompts" ? all : all.sort();
      };
      const stored = spelled(questions[question](events));
      const streamed = spelled(
        question === "prompts" ? run.truth.prompts : questions[question](run.streamed.flat()),
      );
      if (JSON.stringify(stored) === JSON.stringify(streamed)) continue;
      const reason = [run.scenario, "*"].find((scenario) => known[scenario]?.[question] !== undefined);
      if (reason === undefined) problems.push(difference(run.scenario, question, streamed, stored));
      else seen.add(`${reason} ${question}`);
    }
  }
  for (const [scenario, reasons] of Object.entries(known))
    for (const question of Object.keys(reasons))
      if (!seen.has(`${scenario} ${question}`))
        problems.push(`${scenario}: ${question} do not differ any longer`);
  return problems;
}

/** Everything in the store of one run. */
export function eventsOfStore(
  agent: AgentDefinition,
  { reader, sessions }: StoredRun,
): ReturnType<typeof translateStored> {
  const store = storeOf(agent);
  expect(sessions.length).toBeGreaterThan(0);
  const parts = sessions.map((session) => {
    const { cwd } = store.about(session, store.records(session, reader));
    return translateStored(agent, store.records(session, reader), cwd === undefined ? {} : { cwd });
  });
  return {
    events: parts.flatMap((part) => part.events),
    unaccounted: parts.flatMap((part) => part.unaccounted),
  };
}

function difference(scenario: string, question: string, streamed: string[], stored: string[]): string {
  const only = (of: string[], other: string[]) => of.filter((line) => !other.includes(line));
  return [
    `${scenario}: ${question} differ`,
    ...only(streamed, stored).map((line) => `  stream ${line}`),
    ...only(stored, streamed).map((line) => `  store  ${line}`),
  ].join("\n");
}
