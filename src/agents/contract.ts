import type { EventOf, EventType, HarnessEvent } from "../events/event.js";
import type { PlanEntry } from "../events/live-event.js";
import type { ModelPrice } from "../events/price.js";
import type { RawRecord } from "../events/raw-record.js";
import type { Ended, RunState } from "../events/run-state.js";
import type { JsonObject, JsonValue } from "../text/json.js";

/**
 * A translator turns one run's native lines into events. It is a pure state machine: no I/O, no
 * clock, no randomness, and it never throws, so live runs, replays, browsers and fuzzers share it.
 */
export interface Translator {
  /** The `started` event. Call it once, first. */
  start(timestamp?: string): HarnessEvent[];
  /** One line of standard output, without its line feed. */
  line(text: string, timestamp?: string): HarnessEvent[];
  /** One line of standard error. */
  diagnostic(text: string, timestamp?: string): HarnessEvent[];
  /** Any record of `raw.jsonl`. Equivalent to `line`, `diagnostic` or `end`. */
  record(record: RawRecord): HarnessEvent[];
  /** The process has ended. Returns what was still open, the one `result` and the one `exited`. */
  end(how: Ended, timestamp?: string): HarnessEvent[];
  /** True after a terminal record or a fatal error, unless background work of the agent is still open. */
  readonly isDone: boolean;
  /** Background work that the agent has started and still waits for, described for people. */
  readonly openWork: readonly string[];
  /** The rule that consumed the latest line; undefined if it gave events. */
  readonly lastRule: string | undefined;
  /** The agent's version, if its stream names it. */
  readonly agentVersion: string | undefined;
  /** The price that the run's cost was estimated with, after the end. */
  readonly price: ModelPrice | undefined;
}

/** What a translator knows about the run besides its lines. */
export interface TranslatorOptions {
  runId?: string;
  /** The run's working directory; relative paths resolve against it. */
  cwd?: string;
  agentVersion?: string;
  /** The run continues an earlier session, so cumulative numbers cover more than this run. */
  isResumed?: boolean;
  /** What the agent was asked, for agents that replay earlier turns before they answer it. */
  prompt?: string;
  /** The session id or name that the agent was launched with, for agents that do not print one. */
  sessionId?: string;
  /** False when the times are those of a later translation, so that no duration can be measured. */
  hasTiming?: boolean;
  /** The model that was asked for. */
  model?: string;
  /** What a model costs: the cost of a run whose agent reports none is estimated with it. */
  findPrice?: (model: string) => ModelPrice | undefined;
  /** The records are those of a live session over this protocol; `process`: one process per turn. */
  live?: string;
  /** The records are those of a session that the agent has stored itself, in this format. */
  stored?: string;
  /** The run was asked for an answer that fits a schema. A pure function of the answer. */
  checkOutput?: (answer: Answered) => OutputCheck;
}

/** The answer of a run that was asked for structured output. */
export interface Answered {
  text: string | undefined;
  /** The value, if the agent's stream has it apart from the text. */
  value: JsonValue | undefined;
}

/** The value that the answer stands for, or why it does not fit the schema. */
export type OutputCheck = { output: JsonValue } | { problem: string };

/** What one agent's mapping implements; `createTranslator` puts the common frame around it. */
export interface Mapping {
  /** One JSON object of the stream. Emitting nothing and naming no rule makes the line `unknown`. */
  record(record: JsonObject, out: Sink): void;
  /** A line of standard output that is not a JSON object. Left out: the line is `unknown`. */
  text?(line: string, out: Sink): void;
  /** Consumes a line without parsing it: the name of the rule, or undefined to parse it. */
  skip?(line: string): string | undefined;
  /**
   * For lines that are too costly to parse whole: true if it has translated or consumed the line from its text
   * alone. It must do so only when the parsed record would give the same; if false, the line is parsed.
   */
  raw?(line: string, out: Sink): boolean;
  /** A line of standard error without its escapes. It has already been emitted as a `warning`. For facts that only standard error has. */
  diagnostic?(message: string, out: Sink): void;
  /**
   * In a live session: one line that harness sent. Emitting nothing and naming no rule consumes it as `sent`.
   * `out.live` takes the turn, the person who decided and the rule from the record.
   */
  sent?(line: string, out: Sink): void;
  /** In a live session with a process per turn: one of the processes has ended. */
  processEnded?(ended: Ended, out: Sink): void;
  /** The process has ended: emit what is still held. Calls that are still open are closed after this. */
  flush?(out: Sink): void;
  /** The agent's to-do tools by name. When one of their calls ends and has changed the list, `plan` follows. */
  todoTools?: TodoTools | undefined;
}

/** Builds the mapping of one run. */
export type CreateMapping = (options: TranslatorOptions) => Mapping;

/** An event as a mapping writes it: the frame adds time, run, number, session and line. */
export type Draft<T extends EventType = EventType> = T extends EventType
  ? { type: T } & Loose<Omit<EventOf<T>, "type" | "timestamp" | "runId" | "seq" | "sessionId" | "line">> & {
        line?: number | undefined;
      }
  : never;

/** Optional fields may be undefined. They are then left out of the event. */
type Loose<T> = { [K in RequiredKeys<T>]: T[K] } & {
  [K in Exclude<keyof T, RequiredKeys<T>>]?: T[K] | undefined;
};
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** Where a mapping puts what it understood. */
export interface Sink {
  emit(draft: Draft): void;
  /** The line gives no event; `rule` says why. */
  consume(rule: string): void;
  /** Keeps a call open until `finish`; emits `tool_start`. */
  open(call: OpenCall): void;
  /** The open call, if there is exactly one with this id. */
  call(callId: string): OpenCall | undefined;
  /** Ends a call: emits `tool_end`, then what was done (or `unknown`). */
  finish(call: OpenCall, how: Finished): void;
  /** The agent's whole to-do list, for lists that do not come from a call of `todoTools`. Emits `plan` if it has changed. */
  plan(list: TodoList, about: { callId?: string | undefined; parentCallId?: string | undefined }): void;
  /** The agent's session id. Only the first one counts. */
  identify(sessionId: string | undefined): void;
  /** Emits `session` the first time and whenever the model changes. */
  session(about: { model?: string | undefined; cwd?: string | undefined }): void;
  /** Turns and requests of a live session. In a one-shot run its methods do nothing. */
  readonly live: LiveSink;
  /** In a live session: of the current turn. It is empty again after `live.endTurn`. */
  readonly run: RunState;
  readonly cwd: string | undefined;
  /** The number of the current raw record. */
  readonly lineNumber: number;
}

/** What a mapping reports of a live session. */
export interface LiveSink {
  /** The id of the running turn. */
  readonly turnId: string | undefined;
  /** A turn begins. If one is still open, it ends first. Without a prompt the agent began it by itself. */
  beginTurn(turn: { prompt?: string | undefined; origin?: "user" | "agent" | undefined }): void;
  /** The caller asked to interrupt the turn. It goes on until `endTurn`. */
  interruptTurn(): void;
  /**
   * The turn has ended. Its outcome follows from `run`, by the rule for runs: set `run.terminal`, `run.failure`, `run.text`,
   * `run.usage` and `run.costUsd` first, with the figures of this turn alone. Calls and requests that are still open
   * are closed, except those of subagents that go on in the background. Does nothing if no turn is open.
   */
  endTurn(how?: TurnEnded): void;
  /** The agent waits for an answer. */
  request(request: RequestDraft): void;
  /** A request is answered or withdrawn. Does nothing if no such request is open. */
  endRequest(requestId: string, outcome: RequestOutcome, about?: { message?: string | undefined }): void;
  /** The open request with this id. */
  openRequest(requestId: string): RequestDraft | undefined;
}

export interface TurnEnded {
  /** The agent's record says that it was interrupted. Left out: it was if the caller asked for that and the turn did not succeed. */
  isInterrupted?: boolean | undefined;
  durationMs?: number | undefined;
  /** With a process per turn: how the process ended. */
  ended?: Ended | undefined;
}

export type RequestDraft = Omit<Draft<"request">, "type" | "line">;
export type RequestOutcome = EventOf<"request_end">["outcome"];

/** A tool call between its start and its end. */
export interface OpenCall {
  callId: string;
  name: string;
  input?: JsonValue | undefined;
  parentCallId?: string | undefined;
  /** What the call does, known from its name and input. Empty or left out: not recognised. */
  operations?: Operation[] | undefined;
  /** The call's own record, for `unknown` when it never ends. */
  native?: JsonValue | undefined;
  /** Neither operations nor `unknown` follow its end (they are reported elsewhere, or not at all). */
  isSilent?: boolean | undefined;
  line?: number | undefined;
}

/** How a call ended. */
export interface Finished {
  isSuccess?: boolean | undefined;
  output?: JsonValue | undefined;
  exitCode?: number | undefined;
  /** Nothing ended the call: it is closed for the line that opened it. */
  isAbandoned?: boolean | undefined;
  /** The record that ended the call, for `unknown` when the call is not recognised. */
  native?: JsonValue | undefined;
  /** What the agent reports about the call besides its output. No event has it; to-do tools read it. */
  details?: JsonValue | undefined;
}

/** An entry of a to-do list. Entries that calls change one by one have an id. */
export type Todo = PlanEntry & { id?: string };
export type TodoList = readonly Todo[];

/** A to-do tool: what a call that did not fail makes of the list. */
export interface TodoTool {
  /**
   * Returns the list after the call. `before` is undefined if it is not known, as in a session that goes on. It returns undefined if
   * the list is not known any more.
   */
  read(call: TodoCall, before: TodoList | undefined): TodoList | undefined;
  /** Subagents use the main agent's list. Left out: each has its own. */
  isShared?: true;
}

/** The tools of one agent, by name. */
export type TodoTools = Readonly<Record<string, TodoTool>>;

/** A call of a to-do tool that has ended. */
export type TodoCall = Pick<OpenCall, "input"> & Pick<Finished, "isSuccess" | "output" | "details">;

/** What was done, before its outcome is known. */
export type Operation = (
  | { type: "command"; command: string; workingDirectory?: string | undefined }
  | { type: "read" | "write"; path: string; startLine?: number | undefined; endLine?: number | undefined }
  | { type: "search"; query: string; path?: string | undefined }
  | { type: "list"; path?: string | undefined }
  | { type: "skill"; path: string; skillName?: string | undefined }
) & {
  /** Exit code 1 means that a `grep` found nothing, which is not a failure. */
  exitsOneOnNoMatch?: boolean | undefined;
  /** The shell command that this is a part of. A request for permission must show all of it. */
  script?: { command: string; workingDirectory?: string | undefined } | undefined;
  /** When the end of the call says whether this part of it succeeded. Left out: always. */
  exitDecides?: "ifSucceeded" | "ifFailed" | "never" | undefined;
};
