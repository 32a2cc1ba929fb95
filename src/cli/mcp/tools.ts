import type * as v from "valibot";
import { refuseWeakening } from "../../config/refuse-weakening.js";
import { taskSettings } from "../../config/task-settings.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import type { LoadedModels } from "../../models/load-models.js";
import type { RunReport } from "../../outputs/json/schema.js";
import type { Task } from "../../runs/task.js";
import { cutText } from "../../text/cut.js";
import { toJson } from "../../text/to-json.js";
import { findDeclared } from "../inspect-declared.js";
import {
  type DelegationLimits,
  permittedAgent,
  permittedAgents,
  permittedDirectory,
  permittedPermissions,
} from "./limits.js";
import { depthVariable } from "./nesting.js";
import type { DelegatedRun, DelegatedRuns } from "./runs.js";
import {
  AgentsOutput,
  EventsOutput,
  NoInput,
  ResultOutput,
  RunAgentInput,
  RunEventsInput,
  RunInput,
  RunResultInput,
  RunsOutput,
  StatusOutput,
} from "./tool-schemas.js";

/** What every tool works with. */
export interface Workshop {
  limits: DelegationLimits;
  runs: DelegatedRuns;
  models: LoadedModels;
  /** What every run gets besides: what the options of the command say. */
  common: Pick<Task, "redact" | "log"> & { model: string | undefined; depth: number };
}

/** The call of a client: it may be given up, and the client may want to hear how it goes on. */
export interface Call {
  signal: AbortSignal;
  progress(message: string): void;
}

export interface Tool<
  I extends v.GenericSchema = v.GenericSchema,
  O extends v.GenericSchema = v.GenericSchema,
> {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  /** It changes nothing. */
  isReadOnly: boolean;
  call(input: v.InferOutput<I>, workshop: Workshop, call: Call): Promise<v.InferOutput<O>>;
}

function defineTool<I extends v.GenericSchema, O extends v.GenericSchema>(tool: Tool<I, O>): Tool {
  // Each tool is called with what its own schema has let through.
  return tool as unknown as Tool;
}

const defaultWaitSeconds = 45;

export const tools: readonly Tool[] = [
  defineTool({
    name: "list_agents",
    title: "List agents",
    description: "The coding agents that can be run here, and what runs may do.",
    input: NoInput,
    output: AgentsOutput,
    isReadOnly: true,
    call: async (_input, { limits }) => listAgents(limits),
  }),
  defineTool({
    name: "run_agent",
    title: "Run an agent",
    description:
      "Starts a run of a coding agent on a task of its own and waits a while for its end. If it has not ended by then, it goes on: follow it with run_result, run_status or run_events, or end it with cancel_run.",
    input: RunAgentInput,
    output: StatusOutput,
    isReadOnly: false,
    async call(input, workshop, call) {
      const own = await startRun(input, workshop);
      await waitFor(own, input.waitSeconds, call);
      return statusOf(own);
    },
  }),
  defineTool({
    name: "run_status",
    title: "Status of a run",
    description: "How a run is doing, at once.",
    input: RunInput,
    output: StatusOutput,
    isReadOnly: true,
    call: async ({ runId }, { runs }) => statusOf(runs.find(runId)),
  }),
  defineTool({
    name: "run_result",
    title: "Result of a run",
    description:
      "Waits a while for the end of a run and returns its outcome: the answer, files, commands, tokens, cost, failure.",
    input: RunResultInput,
    output: ResultOutput,
    isReadOnly: true,
    async call({ runId, waitSeconds }, { runs }, call) {
      const own = runs.find(runId);
      await waitFor(own, waitSeconds, call);
      const report = own.end?.report;
      return { ...statusOf(own), ...(report !== undefined && { report: shortReport(report) }) };
    },
  }),
  defineTool({
    name: "run_events",
    title: "Events of a run",
    description: "What a run has done, event by event, from a number on. Long contents are shortened.",
    input: RunEventsInput,
    output: EventsOutput,
    isReadOnly: true,
    call: async ({ runId, since = 0, limit = 100 }, { runs }) => pageOf(runs.find(runId), since, limit),
  }),
  defineTool({
    name: "cancel_run",
    title: "Cancel a run",
    description: "Stops a run and everything that it has started, and returns how it ended.",
    input: RunInput,
    output: StatusOutput,
    isReadOnly: false,
    async call({ runId }, { runs }, call) {
      const own = runs.find(runId);
      own.cancel();
      await waitFor(own, defaultWaitSeconds, call);
      return statusOf(own);
    },
  }),
  defineTool({
    name: "list_runs",
    title: "List runs",
    description: "The runs that this server has started.",
    input: NoInput,
    output: RunsOutput,
    isReadOnly: true,
    call: async (_input, { runs }) => ({ runs: runs.all().map((own) => statusOf(own, longestInList)) }),
  }),
];

function listAgents(limits: DelegationLimits): AgentsOutput {
  const { permissions, directories, maxRuns, config } = limits;
  return {
    agents: permittedAgents(limits).map((declared) => {
      const { id, name, install, capabilities } = declared.agent;
      const isInstalled = findDeclared(declared, config) !== undefined;
      // The module that defines an agent is not loaded for this, so what the agent can do is not known.
      const can = declared.module === undefined && {
        canBeReadOnly: capabilities.readOnly,
        takesModel: capabilities.model,
      };
      return { agent: id, name, isInstalled, ...can, ...(!isInstalled && { install }) };
    }),
    permissions: typeof permissions === "string" ? permissions : "rules",
    directories: [...directories],
    maxRuns,
  };
}

async function startRun(
  input: v.InferOutput<typeof RunAgentInput>,
  { limits, runs, models, common }: Workshop,
): Promise<DelegatedRun> {
  const { config } = limits;
  const agent = await permittedAgent(input.agent, limits);
  const cwd = permittedDirectory(input.cwd, limits);
  const permissions = permittedPermissions(input.permissions, limits);
  refuseWeakening(agent, permissions, config);
  const { model } = chooseModel(input.model ?? common.model, agent, config, models.layers);
  const { binary, extraArgs, env } = taskSettings(agent.id, config);
  const wanted = (input.timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  const task: Task = {
    agent,
    prompt: input.prompt,
    cwd,
    model,
    permissions,
    timeoutMs: Math.min(wanted, limits.timeoutMs),
    binary,
    extraArgs,
    env: { ...env, [depthVariable]: String(common.depth + 1) },
    redact: common.redact,
    log: common.log,
    findPrice: (id) => findPrice(id, models.layers),
  };
  return runs.start(task, agent.id);
}

/** Resolves at the end of the run, when the time is over, or when the client no longer waits. The run goes on in any case. */
async function waitFor(
  own: DelegatedRun,
  seconds = defaultWaitSeconds,
  { signal, progress }: Call,
): Promise<void> {
  if (own.end !== undefined || signal.aborted) return;
  const timers: NodeJS.Timeout[] = [];
  const over = new Promise<void>((resolve) => {
    timers.push(setTimeout(resolve, seconds * 1000));
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  timers.push(setInterval(() => progress(own.latest ?? "the run has begun"), 2000));
  await Promise.race([own.ended, over]);
  for (const timer of timers) clearTimeout(timer);
}

/** A model reads it: an answer of any length would fill its context. */
const longestAnswer = 40_000;
const longestInList = 200;
const longestReport = 200_000;
const mostFiles = 1000;

function statusOf(own: DelegatedRun, longest = longestAnswer): StatusOutput {
  const { id: runId, agent, cwd, startedAt, end, latest, count: events } = own;
  const known = { runId, agent, cwd, startedAt, events };
  if (end === undefined)
    return {
      ...known,
      status: "running",
      ...(latest !== undefined && { latest }),
      next: "The run goes on. Wait for it with run_result, or end it with cancel_run.",
    };
  const { isSuccess, reason, text, failure, durationMs, costUsd, usage, changes, recording } = end.result;
  return {
    ...known,
    status: reason,
    isSuccess,
    ...(text !== undefined && { answer: shorten(text, longest) }),
    ...(failure !== undefined && {
      failure: { ...failure, message: shorten(failure.message, longest) },
    }),
    ...(durationMs !== undefined && { durationMs }),
    ...(costUsd !== undefined && { costUsd }),
    ...(usage?.totalTokens !== undefined && { totalTokens: usage.totalTokens }),
    ...(changes !== undefined && {
      changedFiles: changes.files.slice(0, mostFiles).map(({ path }) => path),
    }),
    ...(recording !== undefined && { recording }),
  };
}

/** A report that is too long for a model has no lists: `isCut` says so. The recording has everything. */
function shortReport(report: RunReport): Record<string, unknown> & { runId: string } {
  const { text, failure, ...rest } = report;
  const short = {
    ...rest,
    ...(text !== undefined && { text: shorten(text) }),
    ...(failure !== undefined && { failure: { ...failure, message: shorten(failure.message) } }),
  };
  if (toJson(short).length <= longestReport) return short;
  const { output, ...known } = short;
  const facts = Object.entries(known).filter(([, value]) => !Array.isArray(value));
  return { ...Object.fromEntries(facts), runId: report.runId, isCut: true };
}

function shorten(text: string, longest = longestAnswer): string {
  const { head, tail, omitted } = cutText(text, longest);
  return omitted === 0 ? text : `${head}\n… ${omitted} characters are left out …\n${tail}`;
}

function pageOf(own: DelegatedRun, since: number, limit: number): EventsOutput {
  const kept = own.eventsSince(since);
  const events = kept.slice(0, limit);
  const hasMore = kept.length > events.length;
  return {
    runId: own.id,
    status: statusOf(own).status,
    events,
    next: hasMore ? (events.at(-1)?.seq ?? since) + 1 : Math.max(since, own.count),
    hasMore,
    ...(own.oldest > since && { oldest: own.oldest }),
  };
}
