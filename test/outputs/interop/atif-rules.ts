import type { JsonValue } from "../../../src/text/json.js";

/*
 * The rules of ATIF-v1.7, checked without our own schema: written from the format's text and from Harbor's models, which forbid every
 * field that they do not name.
 */

type Fields = Record<string, { readonly check: (value: unknown) => boolean; readonly isRequired?: true }>;

const text = (value: unknown): boolean => typeof value === "string" && !/[\ud800-\udfff]/u.test(value);
const integer = (value: unknown): boolean => Number.isInteger(value);
const number = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const object = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): boolean => Array.isArray(value);
const isoTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

const must = (check: (value: unknown) => boolean) => ({ check, isRequired: true as const });
const may = (check: (value: unknown) => boolean) => ({ check });

const models = {
  trajectory: {
    schema_version: must((value) => value === "ATIF-v1.7"),
    session_id: may(text),
    trajectory_id: may(text),
    agent: must(object),
    steps: must((value) => Array.isArray(value) && value.length > 0),
    notes: may(text),
    final_metrics: may(object),
    continued_trajectory_ref: may(text),
    subagent_trajectories: may(list),
    extra: may(object),
  },
  agent: {
    name: must(text),
    version: must(text),
    model_name: may(text),
    tool_definitions: may(list),
    extra: may(object),
  },
  step: {
    step_id: must(integer),
    timestamp: may(isoTime),
    source: must((value) => value === "system" || value === "user" || value === "agent"),
    message: must(text),
    model_name: may(text),
    reasoning_effort: may((value) => text(value) || number(value)),
    reasoning_content: may(text),
    tool_calls: may(list),
    observation: may(object),
    metrics: may(object),
    llm_call_count: may((value) => integer(value) && Number(value) >= 0),
    is_copied_context: may((value) => typeof value === "boolean"),
    extra: may(object),
  },
  call: {
    tool_call_id: must(text),
    function_name: must(text),
    arguments: must(object),
    extra: may(object),
  },
  observation: { results: must(list) },
  result: {
    source_call_id: may(text),
    content: may(text),
    subagent_trajectory_ref: may(list),
    extra: may(object),
  },
  reference: {
    trajectory_id: may(text),
    trajectory_path: may(text),
    session_id: may(text),
    extra: may(object),
  },
  metrics: {
    prompt_tokens: may(integer),
    completion_tokens: may(integer),
    cached_tokens: may(integer),
    cost_usd: may(number),
    prompt_token_ids: may(list),
    completion_token_ids: may(list),
    logprobs: may(list),
    extra: may(object),
  },
  finalMetrics: {
    total_prompt_tokens: may(integer),
    total_completion_tokens: may(integer),
    total_cached_tokens: may(integer),
    total_cost_usd: may(number),
    total_steps: may((value) => integer(value) && Number(value) >= 0),
    extra: may(object),
  },
} satisfies Record<string, Fields>;

const agentOnly = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/** What is wrong with a trajectory, as Harbor's validator would say it. `trajectory`: as it was read back from its text. */
export function problemsOfTrajectory(trajectory: unknown, at = "trajectory"): string[] {
  const problems: string[] = [];

  function fields(value: unknown, model: keyof typeof models, where: string): Record<string, JsonValue> {
    if (!object(value)) {
      problems.push(`${where} is not an object`);
      return {};
    }
    const known: Fields = models[model];
    for (const [name, { check, isRequired }] of Object.entries(known)) {
      if (!(name in value)) isRequired && problems.push(`${where}.${name} is missing`);
      else if (!check(value[name])) problems.push(`${where}.${name} is ${JSON.stringify(value[name])}`);
    }
    for (const name of Object.keys(value))
      if (!(name in known)) problems.push(`${where}.${name} is forbidden`);
    return value;
  }

  const whole = fields(trajectory, "trajectory", at);
  fields(whole["agent"], "agent", `${at}.agent`);
  if (whole["final_metrics"] !== undefined)
    fields(whole["final_metrics"], "finalMetrics", `${at}.final_metrics`);
  const embedded = itemsOf(whole["subagent_trajectories"]).map((item) => (object(item) ? item : {}));
  const ids = embedded.map((item) => item["trajectory_id"]);
  if (ids.some((id) => typeof id !== "string")) problems.push(`${at}: a subagent without an id`);
  if (new Set(ids).size < ids.length) problems.push(`${at}: two subagents with one id`);
  for (const [index, item] of itemsOf(whole["steps"]).entries()) {
    const where = `${at}.steps[${index}]`;
    const step = fields(item, "step", where);
    if (step["step_id"] !== index + 1) problems.push(`${where}.step_id is ${step["step_id"]}`);
    if (step["source"] !== "agent")
      for (const name of agentOnly)
        if (name in step) problems.push(`${where}.${name} is not for ${step["source"]}`);
    if (step["llm_call_count"] === 0 && ("metrics" in step || "reasoning_content" in step))
      problems.push(`${where} has no request to the model, but numbers or reasoning`);
    if (step["metrics"] !== undefined) fields(step["metrics"], "metrics", `${where}.metrics`);
    const calls = itemsOf(step["tool_calls"]).map(
      (call, number) => fields(call, "call", `${where}.tool_calls[${number}]`)["tool_call_id"],
    );
    if (new Set(calls).size < calls.length) problems.push(`${where}: two calls with one id`);
    if (step["observation"] === undefined) continue;
    const { results } = fields(step["observation"], "observation", `${where}.observation`);
    for (const given of itemsOf(results)) {
      const result = fields(given, "result", `${where}.observation.results`);
      const source = result["source_call_id"];
      if (source !== undefined && !calls.includes(source))
        problems.push(`${where}: the result of ${source}, which is not a call of this step`);
      for (const reference of itemsOf(result["subagent_trajectory_ref"])) {
        const { trajectory_id: id } = fields(reference, "reference", `${where}.subagent_trajectory_ref`);
        if (id === undefined || !ids.includes(id)) problems.push(`${where}: no subagent has the id ${id}`);
      }
    }
  }
  return [
    ...problems,
    ...embedded.flatMap((item, index) => problemsOfTrajectory(item, `${at}.subagents[${index}]`)),
  ];
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
