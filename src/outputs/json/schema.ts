import * as v from "valibot";
import { FileChange } from "../../events/changes.js";
import { eventSchemas } from "../../events/event.js";
import { ExitReason, Failure } from "../../events/failure.js";
import { PlanEntry, TurnReason } from "../../events/live-event.js";
import { RunCheck } from "../../events/run-check.js";
import { TokenCounts, tokenClasses, UsageScope } from "../../events/usage.js";

const text = v.string();
const timestamp = v.pipe(text, v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const exitCode = v.pipe(v.number(), v.integer());

const FileCount = v.strictObject({ path: text, count });
/** The numbers of lines, where they are known: of all changes of the run to this file. */
const WrittenFile = v.strictObject({
  ...FileCount.entries,
  insertions: v.exactOptional(count),
  deletions: v.exactOptional(count),
});
const Report = v.strictObject({ message: text, code: v.exactOptional(text) });

const costUsd = v.exactOptional(v.pipe(v.number(), v.minValue(0)));
const costSource = v.exactOptional(v.picklist(["agent", "estimated"]));
const durationMs = v.exactOptional(v.pipe(v.number(), v.minValue(0)));

/** A turn of a live session. Its tokens and cost are part of those of the run. */
const Turn = v.strictObject({
  turnId: text,
  origin: eventSchemas.turn.entries.origin,
  prompt: v.exactOptional(text),
  outcome: v.exactOptional(v.strictObject({ isSuccess: v.boolean(), reason: TurnReason })),
  /** The answer of this turn. */
  text: v.exactOptional(text),
  failure: v.exactOptional(Failure),
  usage: v.exactOptional(TokenCounts),
  costUsd,
  costSource,
  durationMs,
});

const { request, request_end: decision } = eventSchemas;

/** What the agent asked, and how that ended. */
const Request = v.strictObject({
  requestId: text,
  turnId: v.exactOptional(text),
  kind: request.entries.kind,
  name: text,
  operations: request.entries.operations,
  message: v.exactOptional(text),
  questions: request.entries.questions,
  outcome: v.exactOptional(decision.entries.outcome),
  by: v.exactOptional(decision.entries.by),
  /** The rule that decided, as it was written. */
  rule: v.exactOptional(text),
  /** The reason that was given with a denial. */
  reason: v.exactOptional(text),
});

/** The one item of `--format json`: a whole run, after its end. An unset optional field is absent. */
export const RunReport = v.strictObject({
  runId: text,
  agent: text,
  agentVersion: v.exactOptional(text),
  model: v.exactOptional(text),
  /** The agent's own session id, to resume it. */
  sessionId: v.exactOptional(text),
  cwd: v.exactOptional(text),
  startedAt: timestamp,
  endedAt: timestamp,
  outcome: v.strictObject({
    isSuccess: v.boolean(),
    reason: ExitReason,
    /** Null when it was killed by a signal or never started. */
    exitCode: v.nullable(exitCode),
    signal: v.exactOptional(text),
  }),
  /** What the command of `--check` found out after the run, if there was one. */
  check: v.exactOptional(RunCheck),
  /** Why it failed. */
  failure: v.exactOptional(Failure),
  /** The agent's answer. */
  text: v.exactOptional(text),
  /** The value that fits the schema which the run was given. */
  output: eventSchemas.result.entries.output,
  usage: v.exactOptional(v.strictObject({ ...tokenClasses, scope: UsageScope })),
  costUsd,
  costSource,
  durationMs,
  /** In a live session: its turns, in order. */
  turns: v.exactOptional(v.array(Turn)),
  /** What the agent asked, in order. */
  requests: v.exactOptional(v.array(Request)),
  /** The agent's to-do list, as it was last. */
  plan: v.exactOptional(v.array(PlanEntry)),
  /** Which files the run changed, and by how many lines. */
  changes: v.exactOptional(
    v.strictObject({
      source: v.picklist(["git", "edits"]),
      root: v.exactOptional(text),
      commit: v.exactOptional(text),
      moreFiles: v.exactOptional(count),
      isCut: v.exactOptional(v.literal(true)),
      files: v.array(FileChange),
      insertions: count,
      deletions: count,
    }),
  ),
  /** Each path once, with a count. Failed operations are left out. */
  files: v.strictObject({ read: v.array(FileCount), written: v.array(WrittenFile) }),
  /** In order, repetitions included. */
  commands: v.array(
    v.strictObject({
      command: text,
      exitCode: v.exactOptional(exitCode),
      isSuccess: v.exactOptional(v.boolean()),
    }),
  ),
  tools: v.array(v.strictObject({ name: text, calls: count, failures: count })),
  subagents: count,
  errors: v.array(Report),
  warnings: count,
  /** Records of the agent that no rule understood. */
  unknown: count,
  /** Where the run is recorded (the unified stream). */
  recording: v.exactOptional(text),
});
export type RunReport = v.InferOutput<typeof RunReport>;
