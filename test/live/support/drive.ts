import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import type { Answer, SessionRequest } from "../../../src/agents/live-contract.js";
import type { EventOf, HarnessEvent } from "../../../src/events/event.js";
import type { Step } from "../../../src/events/step.js";
import { open } from "../../../src/live/open.js";
import type { Session, Turn, TurnResult } from "../../../src/live/session.js";
import type { SessionTask } from "../../../src/live/session-task.js";
import type { RunResult } from "../../../src/runs/task.js";
import { temporaryDirectory } from "../../runs/test-agent.js";
import { translateTranscript } from "../../support/live-conformance.js";
import type { Transcript } from "../../support/transcripts.js";
import { type Action, type Entry, protocolOf, protocols, readEntries } from "./replay/protocols.mjs";

/** A live session with a program that replays a transcript, driven as the transcript was. */
export interface Driven {
  transcript: Transcript;
  session: Session;
  /** Where the recording is. */
  sessions: string;
  events: HarnessEvent[];
  steps: Step[];
  turns: TurnResult[];
  result: RunResult;
}

export interface DriveOptions {
  agent: AgentDefinition;
  transcript: Transcript;
  task?: Partial<SessionTask>;
}

interface Place {
  /** The line of the transcript that the program waits for. */
  at: number;
  /** How many lines it has printed. */
  printed: number;
}

const programs = { pipe: "replay-peer.mjs", serve: "replay-server.mjs" } as const;

/** The program that replays the transcripts of a protocol. */
export function replayProgram(protocol: keyof typeof programs): string {
  return fileURLToPath(new URL(programs[protocol], import.meta.url));
}

export interface Opened {
  session: Session;
  sessions: string;
  steps: Step[];
  events: HarnessEvent[];
  /** Resolves when every event was read. */
  read: Promise<void>;
  /** The places where the program has waited so far. */
  places(): Place[];
}

/** Opens a session with a program that replays the transcript. */
export function openReplayed({ agent, transcript, task = {} }: DriveOptions): Opened {
  const directory = temporaryDirectory();
  const sessions = task.sessionsDirectory ?? join(directory, "sessions");
  const log = join(directory, "places.jsonl");
  const { env, ...rest } = task;
  const session = open({
    agent,
    binary: replayProgram(agent.live?.http === undefined ? "pipe" : "serve"),
    permissions: agent.id === "pi" ? "full-access" : "ask",
    cwd: directory,
    sessionsDirectory: sessions,
    env: { REPLAY_TRANSCRIPT: writeTranscript(directory, transcript), REPLAY_LOG: log, ...env },
    resume: entriesOf(transcript).find(({ resumed }) => resumed !== undefined)?.resumed,
    ...rest,
  });
  onTestFinished(async () => void (await session.close()));
  const steps: Step[] = [];
  const events: HarnessEvent[] = [];
  const read = (async () => {
    for await (const batch of session.batches()) {
      steps.push(...batch);
      for (const step of batch) events.push(...step.events);
    }
  })();
  return { session, sessions, steps, events, read, places: () => readPlaces(log) };
}

/** The transcript as a file of its own, since a test may have changed it. */
function writeTranscript(directory: string, { folder, scenario, lines, end }: Transcript): string {
  const path = join(directory, folder, `${scenario}.jsonl`);
  mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (end !== undefined) writeFileSync(path.replace(/\.jsonl$/, ".end.json"), JSON.stringify(end));
  return path;
}

function readPlaces(log: string): Place[] {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as Place);
}

export async function eventually<T>(look: () => T | undefined, what: () => string): Promise<T> {
  const limit = Date.now() + 8000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > limit) throw new Error(`never came: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

/** The transcript's entries, as its program reads them. */
export function entriesOf({ folder, lines }: Transcript): Entry[] {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return readEntries(text, protocolOf(folder) ?? "");
}

/** Drives a session as the person of the transcript did, to its end. */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { agent, transcript } = options;
  const opened = openReplayed(options);
  const { session, events, steps, sessions } = opened;
  const entries = entriesOf(transcript);
  const told = translateTranscript(agent, transcript);
  const { joins = false } = protocols[protocolOf(transcript.folder) ?? ""] ?? {};
  const turns = new Set<Turn>();
  for (const [at, { action }] of entries.entries()) {
    if (action === undefined) continue;
    const step = { at, action, isJoining: joins && isBusyAt(transcript, at, told) };
    const turn = await perform(opened, step, outcomesOf(told));
    if (turn !== undefined) turns.add(turn);
  }
  const results: TurnResult[] = [];
  void Promise.all([...turns].map(({ result }) => result)).then((ended) => results.push(...ended));
  await eventually(
    () => (results.length === turns.size ? true : undefined),
    () =>
      `the ends of ${turns.size} turns; the program waits at ${JSON.stringify(entries[opened.places().at(-1)?.at ?? 0])}`,
  );
  const result = await (diesBySelf(transcript) ? session.result : session.close());
  await opened.read;
  return { transcript, session, sessions, events, steps, turns: results, result };
}

/** The program of the transcript ended although its input was open. */
function diesBySelf({ folder, lines, end }: Transcript): boolean {
  if (folder.startsWith("serve-")) return false;
  return end?.exit != null && !lines.some(({ line }) => line === "<stdin closed>");
}

/** A turn of the transcript ran when this line was sent. */
function isBusyAt({ lines }: Transcript, at: number, told: readonly Step[]): boolean {
  let seen = -1;
  let isBusy = false;
  for (const { record, events } of told) {
    if (record !== undefined) seen += 1;
    if (seen >= at || seen >= lines.length) break;
    for (const { type } of events) if (type === "turn" || type === "turn_end") isBusy = type === "turn";
  }
  return isBusy;
}

type Outcomes = ReadonlyMap<string, EventOf<"request_end">["outcome"]>;

function outcomesOf(told: readonly Step[]): Outcomes {
  const ends = told.flatMap(({ events }) => events).filter((event) => event.type === "request_end");
  return new Map(ends.map(({ requestId, outcome }) => [requestId, outcome]));
}

async function perform(
  { session, steps, places }: Opened,
  { at, action, isJoining }: { at: number; action: Action; isJoining: boolean },
  outcomes: Outcomes,
): Promise<Turn | undefined> {
  if (action.do === "answer" && outcomes.get(action.id) === undefined) return undefined;
  if (action.do === "answer" && outcomes.get(action.id) === "withdrawn") return undefined;
  if (action.do === "prompt" && !isJoining) return session.send(action.text);
  const what = () => `line ${at}, ${JSON.stringify(action)}`;
  const place = await eventually(() => places().find((found) => found.at >= at), what);
  if (action.do === "answer") {
    const request = await eventually(
      () => session.requests.find(({ requestId }) => requestId === action.id),
      what,
    );
    session.answer(request.requestId, answerTo(request, outcomes.get(action.id)));
    return undefined;
  }
  await eventually(
    () => (received(steps) >= place.printed ? true : undefined),
    () => `${what()}: all that was printed`,
  );
  if (action.do === "interrupt") {
    // Where the transcript's turn had already ended, there is nothing to interrupt here either.
    void session.interrupt();
    return undefined;
  }
  return session.send(action.text, { whileBusy: "steer" });
}

/** How many lines of the protocol have come. A server's standard output is not among them. */
function received(steps: readonly Step[]): number {
  const count = (stream: string) => steps.filter(({ record }) => record?.stream === stream).length;
  return count("received") || count("stdout");
}

function answerTo(request: SessionRequest, outcome: string | undefined): Answer {
  const { kind, questions = [] } = request;
  if (kind === "permission" || kind === "plan")
    return outcome === "allowed" ? { allow: true } : { allow: false, message: "not now" };
  if (outcome === "denied") return { decline: true };
  if (kind === "form") return { content: {} };
  return {
    answers: Object.fromEntries(questions.map(({ id, options = [] }) => [id, [options[0]?.label ?? "text"]])),
  };
}

/**
 * What happened in the turns, without times and ids: it must be the same in the live session and in the transcript. How the
 * program exits does not matter in a session that was closed.
 */
export function storyOf(events: readonly HarnessEvent[]): string[] {
  const end = events.findLastIndex(({ type }) => type === "turn_end");
  return events.slice(0, end + 1).flatMap((event) => {
    switch (event.type) {
      case "turn":
        return [`turn by ${event.origin}: ${event.prompt}`];
      case "agent":
        return event.role === "user" ? [] : [`${event.role ?? "agent"}: ${event.message}`];
      case "tool_end":
        return [`${event.name}: ${event.isSuccess ?? "open"}`];
      case "request":
        return [`asks: ${event.kind} ${event.name}`];
      case "request_end":
        return [`${event.outcome} by ${event.by}`];
      case "error":
        return [`error: ${event.message}`];
      case "plan":
        return [`plan of ${event.entries.length}`];
      case "turn_end":
        return [`turn ends: ${event.reason} ${event.failure?.kind ?? ""}`];
      default:
        return [];
    }
  });
}

/** The results of the turns that somebody asked for, by the transcript alone. */
export function expectedTurns(agent: AgentDefinition, transcript: Transcript): TurnOutcome[] {
  const events = translateTranscript(agent, transcript).flatMap((step) => step.events);
  const own = new Set(
    events.flatMap((event) => (event.type === "turn" && event.origin === "user" ? [event.turnId] : [])),
  );
  return events.flatMap((event) => {
    if (event.type !== "turn_end" || !own.has(event.turnId)) return [];
    return [outcomeOf(event)];
  });
}

type TurnOutcome = Pick<TurnResult, "isSuccess" | "reason" | "text" | "failure" | "costUsd">;

/** A cost that harness estimated is not in a transcript. */
export function outcomeOf(ended: TurnResult): TurnOutcome {
  const { isSuccess, reason, text, failure, costUsd, costSource } = ended;
  return {
    isSuccess,
    reason,
    ...(text !== undefined && { text }),
    ...(failure !== undefined && { failure }),
    ...(costUsd !== undefined && costSource === undefined && { costUsd }),
  };
}
