import * as v from "valibot";
import { ExitReason, Failure } from "../../events/failure.js";

/** What the tools take and return. The descriptions are for the model that reads them. */

const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A client may give up on a call that takes longer. */
const longestWaitSeconds = 600;
const wait = v.pipe(v.number(), v.minValue(0), v.maxValue(longestWaitSeconds));

const runId = described(text, "The run, as run_agent returned it.");

export const NoInput = v.strictObject({});

export const RunAgentInput = v.strictObject({
  agent: described(text, "The id of the agent, such as codex or claude; list_agents names them."),
  prompt: described(
    v.pipe(text, v.nonEmpty("must not be empty"), v.maxLength(1_000_000)),
    "What the agent is to do. It sees nothing of this conversation, so say everything that it needs.",
  ),
  cwd: v.optional(described(text, "The directory to work in. Default: where the server was started.")),
  model: v.optional(described(text, "A model, by a name that the agent knows.")),
  permissions: v.optional(
    described(
      v.picklist(["read-only", "full-access"]),
      "What the agent may do, if the server allows as much. Default: what the server allows.",
    ),
  ),
  timeoutSeconds: v.optional(
    described(v.pipe(v.number(), v.minValue(1)), "The run is stopped after this long."),
  ),
  waitSeconds: v.optional(
    described(wait, "How long to wait for the end. The run goes on afterwards. Default: 45."),
  ),
});

export const RunInput = v.strictObject({ runId });

export const RunResultInput = v.strictObject({
  runId,
  waitSeconds: v.optional(described(wait, "How long to wait for the end. Default: 45.")),
});

export const RunEventsInput = v.strictObject({
  runId,
  since: v.optional(
    described(count, "The first event to return, by its seq: `next` of the last call. Default: 0."),
  ),
  limit: v.optional(
    described(v.pipe(count, v.minValue(1), v.maxValue(1000)), "At most so many events. Default: 100."),
  ),
});

export const AgentsOutput = v.strictObject({
  agents: v.array(
    v.strictObject({
      agent: text,
      name: text,
      isInstalled: v.boolean(),
      /** It can be held to reading. */
      canBeReadOnly: v.optional(v.boolean()),
      takesModel: v.optional(v.boolean()),
      install: v.optional(text),
    }),
  ),
  permissions: text,
  directories: v.array(text),
  maxRuns: count,
});
export type AgentsOutput = v.InferOutput<typeof AgentsOutput>;

const state = {
  runId: text,
  agent: text,
  cwd: text,
  startedAt: text,
  status: v.picklist(["running", ...ExitReason.options]),
  isSuccess: v.optional(v.boolean()),
  /** The answer of the agent, shortened if it is very long. */
  answer: v.optional(text),
  failure: v.optional(Failure),
  durationMs: v.optional(v.number()),
  costUsd: v.optional(v.number()),
  totalTokens: v.optional(count),
  changedFiles: v.optional(v.array(text)),
  /** What it is doing, while it goes on. */
  latest: v.optional(text),
  events: count,
  recording: v.optional(text),
  /** What to do next. */
  next: v.optional(text),
};

export const StatusOutput = v.strictObject(state);
export type StatusOutput = v.InferOutput<typeof StatusOutput>;

/** The status, and when the run has ended the whole report of `harness run --format json`. */
export const ResultOutput = v.strictObject({ ...state, report: v.optional(v.looseObject({ runId: text })) });
export type ResultOutput = v.InferOutput<typeof ResultOutput>;

export const RunsOutput = v.strictObject({ runs: v.array(StatusOutput) });
export type RunsOutput = v.InferOutput<typeof RunsOutput>;

export const EventsOutput = v.strictObject({
  runId: text,
  status: StatusOutput.entries.status,
  /** Events of the vocabulary of docs/events.md, long contents shortened, streamed pieces left out. */
  events: v.array(v.looseObject({ type: text, seq: count })),
  /** `since` of the next call. */
  next: count,
  hasMore: v.boolean(),
  /** Older events are no longer kept here: this is the first one. The recording has all of them. */
  oldest: v.optional(count),
});
export type EventsOutput = v.InferOutput<typeof EventsOutput>;
