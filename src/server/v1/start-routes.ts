import * as v from "valibot";
import { HarnessError } from "../../errors.js";
import { TaskSchema } from "../../runs/task-schema.js";
import { NewRunBody, NewSessionBody, requirePrompt } from "../new-task.js";
import { runIdOf } from "../requests.js";
import { openOwnSession, startOwnRun } from "../start-own.js";
import { jsonRoute, type Route } from "./route.js";
import { recordingOf } from "./run-routes.js";
import { components } from "./schemas.js";

const { Started, RunRef } = components;

const { systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd, timeoutMs, idleTimeoutMs } =
  TaskSchema.entries;
const { effort, allowedTools, isolated, redact } = TaskSchema.entries;

/**
 * What a program may say about a run besides what the page asks for. Nothing here names a program, an argument or a variable: these
 * come from the configuration.
 */
const options = {
  systemPrompt,
  appendSystemPrompt,
  maxTurns,
  maxBudgetUsd,
  timeoutMs,
  idleTimeoutMs,
  effort,
  allowedTools,
  isolated,
  redact,
  schema: v.optional(
    v.pipe(v.record(v.string(), v.any()), v.description("A JSON Schema that the answer must fit.")),
  ),
  runId: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be letters, digits, ".", "_" and "-"'),
      v.description("The id of the run. Whoever repeats a request with the same id starts nothing twice."),
    ),
  ),
};

const refused = [
  "empty_prompt",
  "empty_model",
  "invalid_agent",
  "invalid_config",
  "invalid_option",
  "launch_failed",
  "no_session",
  "prompt_too_long",
  "run_id_taken",
  "too_large",
  "unknown_agent",
  "unknown_session",
  "unreadable_config",
  "unsupported_option",
  "untrusted_config",
  "weakened_permissions",
] as const;

const description =
  "Fields that are left out get their value from the configuration of the directory, as in `harness run`. An option that the agent does not have is refused. `resume` is the id of a run whose session goes on.";

const location = ({ id }: { id: string }): Record<string, string> => ({ location: `/api/v1/runs/${id}` });

const startRun = jsonRoute({
  method: "post",
  path: "/runs",
  operation: "startRun",
  tag: "runs",
  summary: "Starts a run that ends with its answer",
  description,
  body: v.strictObject({ ...NewRunBody.entries, ...options }),
  status: 201,
  about: "It is started. How it goes is in its events.",
  schema: Started,
  answerHeaders: location,
  refusals: refused,
  handle({ body }, services) {
    const { agent, prompt, cwd, model, permissions, resume, ...given } = requirePrompt(body);
    return startOwnRun({ agent, prompt, cwd, model, permissions, resume }, services, given);
  },
});

const openSession = jsonRoute({
  method: "post",
  path: "/sessions",
  operation: "openSession",
  tag: "sessions",
  summary: "Opens a live session, and sends its first message",
  description: `${description} With \`ask\`, the agent asks before it acts, and waits for \`POST /runs/{id}/answers\`.`,
  body: v.strictObject({ ...NewSessionBody.entries, ...options }),
  status: 201,
  about: "It is opened. Its id is the id of a run.",
  schema: Started,
  answerHeaders: location,
  refusals: refused,
  handle({ body }, services) {
    const { agent, prompt, cwd, model, permissions, resume, ...given } = requirePrompt(body);
    return openOwnSession({ agent, prompt, cwd, model, permissions, resume }, services, given);
  },
});

const cancel = jsonRoute({
  method: "post",
  path: "/runs/{id}/cancel",
  operation: "cancelRun",
  tag: "runs",
  summary: "Stops a run of this server, or any live session that can be reached",
  description: "Of a run that is being stopped already, kills everything at once.",
  status: 202,
  about: "It is being stopped. Its events say when it has ended.",
  schema: RunRef,
  refusals: ["unknown_session", "unreadable_recording", "not_ours", "session_gone"],
  async handle({ context }, services) {
    const id = runIdOf(context);
    if (services.ownRuns.cancel(id)) return { id };
    const { outcome, meta } = recordingOf(context, services);
    if (outcome !== "running") throw new HarnessError("not_ours", `${id} has ended already`);
    if (typeof meta.control !== "string")
      throw new HarnessError("not_ours", `${id} was started elsewhere; stop it where it was started`);
    await (await services.controls.of(id)).cancel();
    return { id };
  },
});

/** What starts and stops agents. */
export const startRoutes: readonly Route[] = [startRun, openSession, cancel];
