import type { ChangesRecord } from "../../events/changes.js";
import type { HarnessEvent } from "../../events/event.js";
import { decodeLine } from "../../events/raw-jsonl.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Ended, RunState } from "../../events/run-state.js";
import { soundUsage } from "../../events/sound-numbers.js";
import type { CreateMapping, Draft, Mapping, Translator, TranslatorOptions } from "../contract.js";
import type { Capabilities } from "../definition.js";
import type { LiveProtocol } from "../live-contract.js";
import { createProcessPerTurnMapping } from "../process-per-turn.js";
import type { SessionStore } from "../store-contract.js";
import { closingDrafts } from "./closing.js";
import { createEventWriter } from "./event-writer.js";
import { createLineAccount } from "./line-account.js";
import { createLineReader } from "./line-reader.js";
import { createLive } from "./live.js";
import { createOwnWords } from "./own-words.js";
import { type CostEstimate, estimateRunCost } from "./run-cost.js";
import { createRunProgress, isWork } from "./run-progress.js";
import { createSink } from "./sink.js";
import { millisecondsBetween } from "./times.js";
import { unfinishedOf } from "./unfinished.js";
import type { Writable } from "./writable.js";

const nothing: readonly string[] = [];

/**
 * They come before the first turn, which waits for the agent to identify itself. A line that nothing understands says
 * nothing about the turn: a banner is often the first one.
 */
const beforeTurns: ReadonlySet<string> = new Set<Draft["type"]>([
  "started",
  "session",
  "warning",
  "unknown",
  "turn",
  "changes",
]);

/** What the frame needs of an agent. Every agent definition has it. */
export interface TranslatedAgent {
  id: string;
  name: string;
  createMapping: CreateMapping;
  /** Lines on standard error that never explain a failure. */
  stderrNoise?: RegExp;
  /** What a failure's next step is made from. The full definition explains each of them. */
  binaries?: readonly string[];
  install?: string;
  credentials?: readonly string[];
  signIn?: string;
  capabilities?: Capabilities;
  /** How the records of a live session are read. */
  live?: Pick<LiveProtocol, "id" | "createMapping">;
  /** How the records of a stored session are read. */
  store?: Pick<SessionStore, "id" | "createMapping">;
}

/**
 * Puts the common frame around an agent's mapping: parses lines, adds the common fields, pairs calls,
 * and makes sure that nothing is lost and that the stream ends once, whatever the mapping does.
 */
export function createFramedTranslator(agent: TranslatedAgent, options: TranslatorOptions = {}): Translator {
  const mapping = createMappingOf(agent, options);
  const frame = createFrame(agent, mapping, options);
  const { writer, account, emit, reader, run } = frame;
  let startedAt: string | undefined;
  let hasEnded = false;

  function begin(at: string | undefined): void {
    writer.setTime(at);
    if (startedAt !== undefined) return;
    startedAt = writer.timestamp;
    emit({ type: "started", agent: agent.id, agentVersion: options.agentVersion, cwd: options.cwd ?? "" });
  }

  /** False after the end: nothing can follow it. */
  function nextLine(at: string | undefined): boolean {
    begin(at);
    account.open();
    if (!hasEnded) frame.enterLine();
    return !hasEnded;
  }

  function readRecord(record: Exclude<RawRecord, { stream: "exit" }>): void {
    if (!nextLine(record.timestamp)) return;
    if (record.stream === "harness") {
      emit({ type: "warning", message: record.message, code: record.code });
      return frame.live?.turns.noticed(record.code, record.message);
    }
    if (record.stream === "changes") return emit(toChanges(record));
    if (record.stream === "sent") return frame.live?.sent(record) ?? account.consume("sent");
    if (record.stream === "process") return frame.live?.processEnded(record) ?? account.consume("process");
    const text = decodeLine(record);
    if (record.droppedBytes !== undefined) reader.cut(text, record);
    else if (record.stream !== "stderr") reader.stdout(text);
    else reader.stderr(text);
  }

  /** Returns the events of one call, after it has updated what the translator says about the run. */
  function take(): HarnessEvent[] {
    translator.isDone = (frame.live?.isProcessPerTurn ?? true) && isOver(run);
    translator.openWork = run.openWork ?? nothing;
    translator.lastRule = account.rule;
    translator.agentVersion = run.agentVersion ?? options.agentVersion;
    return writer.take();
  }

  const translator: Writable<Translator> = {
    isDone: false,
    openWork: nothing,
    lastRule: undefined,
    agentVersion: options.agentVersion,
    price: undefined,
    start(at) {
      begin(at);
      return take();
    },
    line(text, at) {
      if (nextLine(at)) reader.stdout(text);
      return take();
    },
    diagnostic(text, at) {
      if (nextLine(at)) reader.stderr(text);
      return take();
    },
    record(record) {
      if (record.stream === "exit") return translator.end(record, record.timestamp);
      readRecord(record);
      return take();
    },
    end(how, at) {
      begin(at);
      if (hasEnded) return take();
      hasEnded = true;
      const isTimed = options.hasTiming !== false;
      translator.price = frame.close(how, isTimed ? startedAt : undefined)?.price;
      return take();
    },
  };
  return translator;
}

function toChanges({ timestamp, stream, ...changes }: ChangesRecord): Draft {
  return { type: "changes", ...changes };
}

/** With one process per run or turn, nothing follows. Over a protocol the process goes on until it is closed. */
function isOver({ terminal, failure, openWork }: RunState): boolean {
  return (terminal !== undefined || failure !== undefined) && !openWork?.length;
}

/** The mapping of a one-shot run, of a live session over the protocol that was used, or of a stored session. */
function createMappingOf(agent: TranslatedAgent, options: TranslatorOptions): Mapping {
  if (options.stored !== undefined && options.stored === agent.store?.id)
    return agent.store.createMapping(options);
  if (options.live === undefined) return agent.createMapping(options);
  if (options.live === agent.live?.id) return agent.live.createMapping(options);
  return createProcessPerTurnMapping(agent.createMapping, options);
}

/** The parts of the frame of one run, connected. */
function createFrame(agent: TranslatedAgent, mapping: Mapping, options: TranslatorOptions) {
  const writer = createEventWriter(options);
  const words = createOwnWords((line) => agent.stderrNoise?.test(line) ?? false);
  const progress = createRunProgress(() => writer.lineNumber);
  const { run } = progress;

  function emit(given: Draft): void {
    const draft = given.type === "usage" ? soundUsage(given) : given;
    if (live !== undefined && !beforeTurns.has(draft.type)) live.turns.announce();
    if (writer.currentLine !== undefined) progress.observe(draft);
    if (draft.type === "error") words.reported(draft.message, writer.timestamp);
    else if (isWork(draft)) words.working();
    writer.write(draft);
    if (draft.type === "session") live?.turns.announce();
  }

  const account = createLineAccount(emit, writer);
  const { todoTools } = mapping;
  const frameSink = createSink({ emit, writer, account, run, options, todoTools });
  const { sink, models, openCalls } = frameSink;
  const reader = createLineReader({ mapping, sink, account, words });
  const said = () => ({ words: words.explanation(), lastError: words.lastError() });
  const timeOf = (message: string): string | undefined =>
    options.hasTiming === false ? undefined : (words.timeOf(message) ?? writer.timestamp);
  const live =
    options.live === undefined && options.stored === undefined
      ? undefined
      : createLive({
          agent,
          mapping,
          options,
          emit,
          writer,
          account,
          progress,
          frameSink,
          said,
          forgetWords: words.forget,
          timeOf,
        });

  function enterLine(): void {
    writer.enterLine();
    sink.lineNumber = writer.lineNumber;
  }

  /**
   * Emits what is still held, the ends of open calls, and the end of the run. Returns the estimate of its cost. `startedAt` is
   * undefined if the times of the records say nothing about the run.
   */
  function close(how: Ended, startedAt: string | undefined): CostEstimate | undefined {
    const duration = millisecondsBetween(startedAt, writer.timestamp);
    writer.leaveLine();
    account.open();
    account.run(null, () => {
      account.consume("end");
      mapping.flush?.(sink);
    });
    // A stored session that stops in the middle of a turn has no end: its agent was killed, or is still at work.
    const isCut = options.stored !== undefined && sink.live.turnId !== undefined;
    const ended: Ended = isCut ? { ...how, reason: "interrupted" } : how;
    const estimatedUsd = live?.turns.close(ended);
    const calls = openCalls();
    const unfinished = unfinishedOf(run, calls);
    for (const call of calls) sink.finish(call, {});
    progress.settle();
    const estimate = estimateRunCost(run, models, options);
    const { checkOutput } = options;
    const closing = { agent, run, ended, said: said(), timeOf, duration, unfinished, checkOutput };
    for (const draft of closingDrafts({ ...closing, estimatedUsd: estimatedUsd ?? estimate?.costUsd }))
      emit(draft);
    return estimate;
  }

  return { writer, account, emit, reader, run, live, enterLine, close };
}
