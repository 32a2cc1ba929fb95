import type { FileHandle } from "node:fs/promises";
import type { AgentDefinition } from "../agents/definition.js";
import { createSteps } from "../agents/steps.js";
import type { RecordingMeta } from "../events/recording-meta.js";
import type { Step } from "../events/step.js";
import type { Session } from "../runs/archive/recording.js";
import { openRegularFile } from "../runs/files/regular-file.js";
import { readMeta } from "../runs/recording/meta.js";
import { createRecordSplitter } from "../runs/recording/record-splitter.js";
import { isHeld } from "../runs/recording/recorded-outcome.js";
import { replayOptionsOf } from "../runs/recording/replay.js";
import type { Pulse } from "./pulse.js";

const chunkBytes = 256 * 1024;
/** A sidecar that is not finished so long after the exit record will not be. */
const settleMs = 1000;

export interface FollowOptions {
  pulse: Pulse;
  signal?: AbortSignal | undefined;
}

/**
 * The steps of a recording: what is there and, while its run goes on, what is added, until it has ended.
 * Whoever started the run; only its files are looked at.
 */
export async function* followSession(
  session: Session,
  agent: AgentDefinition,
  { pulse, signal }: FollowOptions,
): AsyncGenerator<Step[]> {
  const steps = createSteps(agent, replayOptionsOf(session.meta));
  const splitter = createRecordSplitter();
  yield steps.pushAll([]);
  const file = await openRegularFile(session.paths.raw);
  try {
    let position = 0;
    let isOver = session.outcome !== "running";
    let exitAt: number | undefined;
    while (!signal?.aborted) {
      const chunk = await readChunk(file, position);
      if (chunk !== undefined) {
        position += chunk.length;
        yield steps.pushAll(splitter.push(chunk));
      } else if (isOver) break;
      else {
        // What was written between the last read and the end is read by one more turn.
        if (steps.hasEnded) exitAt ??= performance.now();
        isOver = hasEnded(session) || performance.now() - (exitAt ?? Number.POSITIVE_INFINITY) > settleMs;
        if (!isOver) await pulse.next(signal);
      }
    }
    if (signal?.aborted) return;
    yield steps.pushAll(splitter.end());
    yield steps.interrupted(metaOf(session));
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle, position: number): Promise<Buffer | undefined> {
  const { size } = await file.stat();
  if (size <= position) return undefined;
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}

/** A recording that was removed has ended too. */
function hasEnded(session: Session): boolean {
  const meta = metaOf(session);
  return meta === undefined || !isHeld(meta);
}

/** The sidecar as it is now; undefined when it is gone. */
function metaOf(session: Session): RecordingMeta | undefined {
  try {
    return readMeta(session.paths.meta);
  } catch {
    return undefined;
  }
}
