import * as v from "valibot";

/*
 * ATIF-v1.7, as far as harness writes it: the format of agent trajectories that Harbor defines. Every object has its own fields and
 * no others. Whatever else is known of a run is in `extra`, under the key `harness`.
 */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const usd = v.pipe(v.number(), v.minValue(0));
const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1));

/** What ATIF has no field for. */
const own = { harness: v.looseObject({}) };
const extra = v.exactOptional(v.strictObject(own));

/** Numbers that ATIF has no field for. */
const numbers = {
  cache_write_tokens: v.exactOptional(count),
  reasoning_tokens: v.exactOptional(count),
  total_tokens: v.exactOptional(count),
  /** Only on a cost that is not the agent's own figure. */
  cost_source: v.exactOptional(v.literal("estimated")),
};

/** One request to the model. The prompt includes cached tokens, the completion includes reasoning. */
const Metrics = v.strictObject({
  prompt_tokens: v.exactOptional(count),
  completion_tokens: v.exactOptional(count),
  cached_tokens: v.exactOptional(count),
  cost_usd: v.exactOptional(usd),
  extra: v.exactOptional(v.strictObject(numbers)),
});

const FinalMetrics = v.strictObject({
  total_prompt_tokens: v.exactOptional(count),
  total_completion_tokens: v.exactOptional(count),
  total_cached_tokens: v.exactOptional(count),
  total_cost_usd: v.exactOptional(usd),
  total_steps: count,
  extra: v.exactOptional(v.strictObject({ ...numbers, harness: v.exactOptional(own.harness) })),
});

const ToolCall = v.strictObject({
  tool_call_id: text,
  function_name: text,
  arguments: v.looseObject({}),
  extra,
});

/** `source_call_id` is a call of the same step. A subagent is embedded in the trajectory that has the call. */
const ObservationResult = v.strictObject({
  source_call_id: text,
  content: v.exactOptional(text),
  subagent_trajectory_ref: v.exactOptional(v.array(v.strictObject({ trajectory_id: text }))),
  extra,
});

const Observation = v.strictObject({ results: v.array(ObservationResult) });

/** Steps are numbered from 1. Only steps of the agent have a model, reasoning, calls and metrics. */
const Step = v.strictObject({
  step_id: ordinal,
  timestamp: v.exactOptional(v.pipe(text, v.isoTimestamp())),
  source: v.picklist(["system", "user", "agent"]),
  message: text,
  model_name: v.exactOptional(text),
  reasoning_content: v.exactOptional(text),
  tool_calls: v.exactOptional(v.array(ToolCall)),
  observation: v.exactOptional(Observation),
  metrics: v.exactOptional(Metrics),
  /** Present if the step is known to be one request to the model. */
  llm_call_count: v.exactOptional(v.literal(1)),
  extra,
});

const Agent = v.strictObject({ name: text, version: text, model_name: v.exactOptional(text) });

const fields = {
  schema_version: v.literal("ATIF-v1.7"),
  session_id: text,
  trajectory_id: text,
  agent: Agent,
  steps: v.pipe(v.array(Step), v.minLength(1)),
  final_metrics: v.exactOptional(FinalMetrics),
  extra,
};

type Fields = v.InferOutput<ReturnType<typeof v.strictObject<typeof fields>>>;

/** One run, or one subagent of it, as an ATIF trajectory. */
export type AtifTrajectory = Fields & { subagent_trajectories?: AtifTrajectory[] };

/** The one item of `--format atif`. */
export const AtifTrajectory: v.GenericSchema<AtifTrajectory> = v.strictObject({
  ...fields,
  subagent_trajectories: v.exactOptional(
    v.array(v.lazy((): v.GenericSchema<AtifTrajectory> => AtifTrajectory)),
  ),
});

export type AtifStep = v.InferOutput<typeof Step>;
export type AtifMetrics = v.InferOutput<typeof Metrics>;
