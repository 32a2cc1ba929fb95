import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSummary } from "../../story/create-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { wellFormed } from "../../text/clean-text.js";
import { asText, isObject } from "../../text/fields.js";
import type { FormatOptions } from "../contract.js";
import { type DraftCall, type DraftStep, draftStep } from "./draft.js";
import { finalMetricsOf } from "./metrics.js";
import type { AtifTrajectory } from "./schema.js";
import { extraOf, toStep } from "./step.js";
import type { Thread } from "./thread.js";
import { type Threads, toThreads } from "./threads.js";

/** Subagents that are nested deeper stand beside the others, in the trajectory of the run. */
const deepest = 20;

/** A whole run, or as much of it as there is, as one trajectory. */
export function toTrajectory(
  events: readonly HarnessEvent[],
  { prompt, agentVersion }: FormatOptions = {},
): AtifTrajectory {
  const summary = createSummary();
  for (const event of events) summary.add(event);
  const seen = summary.read();
  const run = agentVersion === undefined ? seen : { ...seen, agentVersion };
  const threads = toThreads(events, prompt);
  const steps = threads.main.finish({ message: run.failure?.message ?? "", timestamp: run.startedAt ?? "" });
  const embed = createEmbedding(threads, run, nameSubagents(events));
  const whole = embed.trajectory({ id: runIdOf(run), name: run.agent, model: threads.main.model, steps }, 0);
  const subagents = [...(whole.subagent_trajectories ?? []), ...embed.rest()];
  return {
    ...whole,
    final_metrics: finalMetricsOf(run, summary.spent.tokens, steps.length),
    ...(subagents.length > 0 && { subagent_trajectories: subagents }),
    ...extraOf(aboutRun(run, steps)),
  };
}

function runIdOf({ runId = "unknown" }: RunSummary): string {
  return runId;
}

/** What is known of the run as a whole. */
function aboutRun(run: RunSummary, steps: readonly DraftStep[]): object {
  const { runId, cwd, startedAt, endedAt, durationMs, outcome, failure, text, output, turns, changes } = run;
  const isSaid = steps.some(({ messages }) => messages.some((message) => message.text === text));
  const answer = isSaid ? undefined : text;
  return { runId, cwd, startedAt, endedAt, durationMs, outcome, failure, answer, output, turns, changes };
}

type SubagentNames = Pick<EventOf<"orchestration">, "subagentId" | "subagentName">;

/** What the subagents are called, by the calls that started them. */
function nameSubagents(events: readonly HarnessEvent[]): ReadonlyMap<string, SubagentNames> {
  const names = new Map<string, SubagentNames>();
  for (const event of events) {
    if (event.type !== "orchestration" || event.callId === undefined) continue;
    const { subagentId, subagentName } = event;
    names.set(event.callId, {
      ...(subagentId !== undefined && { subagentId }),
      ...(subagentName !== undefined && { subagentName }),
      ...names.get(event.callId),
    });
  }
  return names;
}

/** The steps of a subagent. It was asked what its call says, unless its own events say that. */
function subagentSteps(thread: Thread, call: DraftCall | undefined): readonly DraftStep[] {
  const { input, timestamp = "" } = call?.start ?? {};
  const steps = thread.finish({ message: "", timestamp });
  const prompt = isObject(input) ? asText(input["prompt"]) : undefined;
  if (prompt === undefined || steps[0]?.source === "user") return steps;
  const first = draftStep("user", timestamp);
  first.messages.push({ text: prompt, isWhole: true });
  return [first, ...steps];
}

interface Part {
  id: string;
  name: string | undefined;
  model: string | undefined;
  steps: readonly DraftStep[];
}

interface Embedding {
  trajectory(part: Part, depth: number): AtifTrajectory;
  /** The subagents whose call is not known, and those that are nested too deeply. */
  rest(): AtifTrajectory[];
}

/** Puts each subagent into the trajectory that has its call, once. */
function createEmbedding(
  { subagents, calls }: Threads,
  run: RunSummary,
  names: ReadonlyMap<string, SubagentNames>,
): Embedding {
  const left = new Map(subagents);
  const startedBy = new Map(Array.from(subagents.keys(), (callId) => [calls.get(callId), callId]));
  const uniqueId = createUniqueIds();

  function take(callId: string, depth: number): AtifTrajectory | undefined {
    const thread = left.get(callId);
    if (thread === undefined || depth > deepest) return undefined;
    left.delete(callId);
    const named = names.get(callId) ?? {};
    const steps = subagentSteps(thread, calls.get(callId));
    const id = `${runIdOf(run)}/${callId}`;
    const { name = run.agent } = { name: named.subagentName };
    return {
      ...trajectory({ id, name, model: thread.model, steps }, depth),
      ...extraOf({ parentCallId: callId, ...named }),
    };
  }

  function trajectory({ id, name = "unknown", model, steps }: Part, depth: number): AtifTrajectory {
    const embedded = new Map<DraftCall, AtifTrajectory>();
    for (const call of steps.flatMap((step) => step.calls)) {
      const callId = startedBy.get(call);
      const subagent = callId === undefined ? undefined : take(callId, depth + 1);
      if (subagent !== undefined) embedded.set(call, subagent);
    }
    const subagentOf = (call: DraftCall): string | undefined => embedded.get(call)?.trajectory_id;
    return {
      schema_version: "ATIF-v1.7",
      session_id: wellFormed(run.sessionId ?? runIdOf(run)),
      trajectory_id: uniqueId(wellFormed(id)),
      agent: {
        name: wellFormed(name),
        version: wellFormed(run.agentVersion ?? "unknown"),
        ...(model !== undefined && { model_name: wellFormed(model) }),
      },
      steps: steps.map((step, index) => toStep(step, index, { model, subagentOf })),
      ...(embedded.size > 0 && { subagent_trajectories: [...embedded.values()] }),
    };
  }

  return {
    trajectory,
    rest: () => Array.from(left.keys(), (callId) => take(callId, 1)).filter((found) => found !== undefined),
  };
}

/** Ids that differ in half characters only are the same when they are written. */
function createUniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  return (id) => {
    let unique = id;
    for (let count = 2; taken.has(unique); count += 1) unique = `${id}#${count}`;
    taken.add(unique);
    return unique;
  };
}
