import type { GenericSchema } from "valibot";
import type { HarnessEvent } from "../events/event.js";
import type { RunCheck } from "../events/run-check.js";
import type { Step } from "../events/step.js";
import type { RunMeta, RunOutcome } from "../story/run-record.js";

/**
 * An output is one way to show a run. It is a function of the run's steps with little state: it does not know the agent,
 * reads no clock and writes nowhere. Outputs live in one folder each, and `registry.ts` lists them.
 */
export interface OutputDefinition {
  /** The word after `--format`. */
  readonly name: string;
  /** What it is, in one line, for help texts and docs. */
  readonly summary: string;
  /** True if people read it, false if programs do. */
  readonly isForPeople: boolean;
  /** Endings of file names that mean this output. */
  readonly extensions?: readonly string[];
  /** The schema of one item, if the items are JSON of our own. Loaded on demand, because printing does not need it. */
  readonly schema?: () => Promise<GenericSchema>;
  /** Shows one run. Large parts are loaded here and not before. */
  open(options?: OutputOptions): Output | Promise<Output>;
}

/** One run, shown by an output. Never throws, never changes what it is given. */
export interface Output {
  /** Some steps of the run, in order. Returns what they add. */
  push(steps: readonly Step[]): Piece[];
  /** No more steps. Returns what is still missing, if anything. */
  end(): Piece[];
}

/** Text; bytes where an agent printed what is not valid UTF-8; or a text that is too long to be in memory at once. */
export type Piece = string | Uint8Array | LongText;

export interface LongText {
  /** Can be iterated more than once. */
  pieces: Iterable<string>;
}

/** What outputs may show besides the events. Everything is optional: what is left out is not shown. */
export interface OutputOptions extends FormatOptions {
  agentName?: string | undefined;
  /** What the agent may do. */
  permissions?: string | undefined;
  /** Where the run is recorded. Called at its end. */
  recording?: (() => string | undefined) | undefined;
  /** What the run changed, as a patch, if that is known. Called at its end. */
  patch?: (() => string | undefined) | undefined;
  /**
   * What the command of `--check` found out after the run. If this is there, such a command may follow the last event: it is called
   * in `end()`, and whatever depends on it is written there.
   */
  check?: (() => RunCheck | undefined) | undefined;
  /** Values that the reader is to mask. They are printed for that purpose alone, and only by `github`. */
  secrets?: readonly string[] | undefined;
  showsThinking?: boolean | undefined;
  /** The width of the terminal. Undefined: a file or a pipe. */
  columns?: number | undefined;
  hasColors?: boolean | undefined;
  /** The user's home directory, which is shown as `~`. */
  home?: string | undefined;
  /** What the sidecar of a recording says. Default: what the events say. */
  about?: { meta: RunMeta; outcome: RunOutcome } | undefined;
  /** Documents leave nothing out, however long they become. */
  isFull?: boolean | undefined;
}

/** A format turns events into JSON items. It runs in browsers, and the library offers it by name. */
export interface Format<Item> {
  name: string;
  /** A fresh view of one run. */
  create(options?: FormatOptions): View<Item>;
}

/** One run, seen through a format. Never throws, never changes the events it is given. */
export interface View<Item> {
  /** The events of ONE native line (or of the run's start or end), in order. Returns the items, in order. */
  push(events: readonly HarnessEvent[]): Item[];
  /**
   * No more events. Returns what closes the stream of a run whose end is missing, if the format needs that. `because`: why it is
   * missing, if something failed.
   */
  end?(because?: string): Item[];
}

/** What a format has to know that is not in the events. */
export interface FormatOptions {
  /** Messages before the last one are narration, not the answer (a trait of the agent: Codex). */
  narrates?: boolean | undefined;
  /** What the agent was asked. */
  prompt?: string | undefined;
  /** The agent's version, if the caller knows it. Default: what the events say. */
  agentVersion?: string | undefined;
  /** For outputs that leave contents out (`otlp`): with what was asked, said and done. */
  hasContents?: boolean | undefined;
  /** The span that the run belongs to, as `TRACEPARENT` says it. */
  traceParent?: string | undefined;
}
