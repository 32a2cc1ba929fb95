import { rmSync } from "node:fs";
import type { AgentDefinition } from "../../agents/definition.js";
import { recordedAs } from "../../agents/recorded-protocol.js";
import { createSteps, type Steps } from "../../agents/steps.js";
import { HarnessError } from "../../errors.js";
import type { ModelPrice } from "../../events/price.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import { endRecord } from "../../runs/end-record.js";
import { type RecordingPaths, recordingPaths } from "../../runs/recording/paths.js";
import { createRecorder, type Recorder } from "../../runs/recording/recorder.js";
import { replayOptionsOf } from "../../runs/recording/replay.js";
import { createBatches } from "../../runs/recording/step-batch.js";
import { createTally, type Tally } from "../../runs/tally.js";
import { createSummary } from "../../story/create-summary.js";

/** A recording that is being written from a log. */
export interface Writing {
  push(records: readonly RawRecord[]): void;
  end(at: string): { meta: RecordingMeta; paths: RecordingPaths };
  /** Something went wrong: half a recording would be taken for a whole one. */
  discard(): void;
}

/** What is to be recorded. */
export interface NewRecording {
  agent: AgentDefinition;
  meta: RecordingMeta;
  /** The first records show whether it is a live or a stored session, if the sidecar does not say it. */
  first: readonly RawRecord[];
  sessionsDirectory: string;
  /** Estimates the cost of what has none. */
  findPrice?: ((model: string) => ModelPrice | undefined) | undefined;
}

export function startWriting({ agent, meta, first, sessionsDirectory, findPrice }: NewRecording): Writing {
  const paths = recordingPaths(sessionsDirectory, meta.runId);
  const started = withKind(meta, agent, first);
  const prices: Record<string, ModelPrice> = {};
  const noted = (model: string): ModelPrice | undefined => {
    const price = findPrice?.(model);
    if (price !== undefined) prices[model] = price;
    return price;
  };
  const steps = createSteps(agent, {
    ...replayOptionsOf(started),
    ...(findPrice !== undefined && { findPrice: noted }),
  });
  const recorder = createRecorder({ sessionsDirectory, meta: started });
  const toBatch = createBatches();
  const tally = createTally();
  const summary = createSummary();
  refuseProblems(recorder.open());

  function write(made: readonly Step[]): void {
    tally.add(made);
    for (const step of made) for (const event of step.events) summary.add(event);
    refuseProblems(recorder.write(toBatch(made)));
  }

  return {
    push: (records) => write(steps.pushAll(records)),
    end(at) {
      write(endOf(steps, started, at));
      const { endedAt, cwd = "" } = summary.read();
      const known = started.imported?.isUntimed ? undefined : endedAt;
      const ended = {
        ...metaAtEnd(started, tally, steps, known),
        cwd: started.cwd || cwd,
        // A replay estimates with the same prices.
        ...(Object.keys(prices).length > 0 && { prices }),
      };
      refuseProblems(recorder.close(ended));
      return { meta: { ...started, ...ended }, paths };
    },
    discard: () => discard(recorder, paths),
  };
}

function withKind(meta: RecordingMeta, agent: AgentDefinition, first: readonly RawRecord[]): RecordingMeta {
  const { live, stored } = recordedAs(agent, first);
  return {
    ...meta,
    ...((meta.live ?? live) !== undefined && { live: meta.live ?? live }),
    ...(meta.imported !== undefined &&
      stored !== undefined && { imported: { store: stored, ...meta.imported } }),
  } as RecordingMeta;
}

/** A native log does not say how its process ended: it counts as exit code 0, as it does for `translate`. */
function endOf(steps: Steps, meta: RecordingMeta, at: string): Step[] {
  if (steps.hasEnded) return [];
  // A store has no exit code. How the session ended follows from its last turn.
  if (meta.imported?.store !== undefined && meta.outcome === undefined)
    return [endRecord(steps, { exitCode: null, signal: null }, { isAfterFinalMessage: true }, at)];
  if (meta.imported?.isUntimed) return [endRecord(steps, { exitCode: 0, signal: null }, undefined, at)];
  return steps.interrupted(meta);
}

function metaAtEnd(
  started: RecordingMeta,
  tally: Tally,
  { agentVersion }: Steps,
  endedAt: string | undefined,
): Partial<RecordingMeta> {
  const { isSuccess, reason, failure, usage, costUsd, costSource, sessionId, exitCode, signal } =
    tally.result(started.runId);
  const { model = started.model } = tally;
  const seen: Partial<RecordingMeta> = {
    outcome: { isSuccess, reason, ...(failure !== undefined && { failure }) },
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    exitCode,
    ...(signal !== undefined && { signal }),
    counts: { ...tally.counts },
  };
  return {
    ...(started.endedAt === undefined && endedAt !== undefined && { endedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(model !== undefined && { model }),
    ...(sessionId !== undefined && { sessionId }),
    ...(started.outcome === undefined && seen),
  };
}

function refuseProblems([problem]: readonly string[]): void {
  if (problem !== undefined) throw new HarnessError("unwritable_file", `nothing was imported: ${problem}`);
}

function discard(recorder: Recorder, { folder, ndjson, meta }: RecordingPaths): void {
  recorder.close({});
  rmSync(folder, { recursive: true, force: true });
  for (const path of [ndjson, meta]) rmSync(path, { force: true });
}
