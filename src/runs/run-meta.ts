import { defaultPermissions } from "../agents/definition.js";
import type { Steps } from "../agents/steps.js";
import type { RecordingMeta } from "../events/recording-meta.js";
import { permissionsName } from "../live/rules/rule.js";
import type { ChangedFiles } from "../story/run-summary.js";
import type { Plan } from "./plan.js";
import type { Tally } from "./tally.js";
import type { RunResult } from "./task.js";

/** What is known of a run when it starts. */
export function metaAtStart(
  plan: Plan,
  program: readonly string[] | undefined,
  startedAt: string,
): RecordingMeta {
  const { task, agent, runId, cwd, launch, envNames, redact, redactWords } = plan;
  const { agentVersion, model, resume } = task;
  return {
    runId,
    agent: agent.id,
    ...(agent.translator !== undefined && { translator: agent.translator }),
    ...(agentVersion !== undefined && { agentVersion, versionAtStart: agentVersion }),
    ...(model !== undefined && { model: redact(model) }),
    cwd: redact(cwd),
    prompt: redact(task.prompt),
    argv: redactWords([...(program ?? [task.binary ?? agent.binaries[0] ?? agent.id]), ...launch.args]),
    envNames,
    permissions: permissionsName(task.permissions ?? defaultPermissions),
    ...(plan.live !== undefined && { live: plan.live }),
    ...(resume !== undefined && { resume: redact(resume) }),
    ...(task.isolated && { isIsolated: true as const }),
    ...(plan.schema !== undefined && { schema: plan.schema }),
    ...(task.batch !== undefined && { batch: task.batch }),
    ...(task.isDemo && { isDemo: true as const }),
    ...(launch.sessionId !== undefined && { sessionAtStart: redact(launch.sessionId) }),
    startedAt,
  };
}

/** What the end of the run adds. */
export function metaAtEnd(
  plan: Plan,
  result: RunResult,
  tally: Tally,
  { agentVersion, price }: Steps,
  endedAt: string,
): Partial<RecordingMeta> {
  const { runId, isSuccess, reason, failure, text, output, recording, changes, ...numbers } = result;
  const asked = plan.task.model;
  const model = tally.model ?? (asked === undefined ? undefined : plan.redact(asked));
  return {
    endedAt,
    ...(agentVersion !== undefined && { agentVersion }),
    ...(model !== undefined && { model }),
    outcome: { isSuccess, reason, ...(failure !== undefined && { failure }) },
    ...numbers,
    ...(changes !== undefined && { changes: countsOfChanges(changes) }),
    ...(price !== undefined && { price }),
    counts: { ...tally.counts },
  };
}

/** The list is the last `changes` event. */
export function countsOfChanges(changes: ChangedFiles): NonNullable<RecordingMeta["changes"]> {
  const { source, files, moreFiles = 0, insertions, deletions } = changes;
  return { source, files: files.length + moreFiles, insertions, deletions };
}
