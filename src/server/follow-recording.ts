import type { FileHandle } from "node:fs/promises";
import type { AgentDefinition } from "../agents/definition.js";
import { createSteps } from "../agents/steps.js";
import type { RecordingMeta } from "../events/recording-meta.js";
import type { Step } from "../events/step.js";
import type { Recording } from "../runs/archive/recording.js";
import { openRegularFile } from "../runs/files/regular-file.js";
import { readMeta } from "../runs/recording/meta.js";
import { createRecordSplitter } from "../runs/recording/record-splitter.js";
import { isHeld } from "../runs/recording/recorded-outcome.js";
import { replayOptionsOf } from "../runs/recording/replay.js";
import type { Pulse } from "./pulse.js";

const chunkBytes = 256 * 1024;
/** If the sidecar is not finished this long after the exit record, it never will be. */
const settleMs = 1000;

export interface FollowOptions {
  pulse: Pulse;
  signal?: AbortSignal | undefined;
}

/**
 * The steps of a recording: those that are there and, while its run goes on, those that are added, until the run ends.
 * It does not matter who started the run: only its files are read.
 */
export async function* followRecording(
  recording: Recording,
  agent: AgentDefinition,
  { pulse, signal }: FollowOptions,
): AsyncGenerator<Step[]> {
  const steps = createSteps(agent, replayOptionsOf(recording.meta));
  const splitter = createRecordSplitter();
  yield steps.pushAll([]);
  const file = await openRegularFile(recording.paths.raw);
  try {
    let position = 0;
    let isOver = recording.outcome !== "running";
    let exitAt: number | undefined;
    while (!signal?.aborted) {
      const chunk = await readChunk(file, position);
      if (chunk !== undefined) {
        position += chunk.length;
        yield steps.pushAll(splitter.push(chunk));
      } else if (isOver) break;
      else {
        // One more turn reads what was written between the last read and the end.
        if (steps.hasEnded) exitAt ??= performance.now();
        isOver = hasEnded(recording) || performance.now() - (exitAt ?? Number.POSITIVE_INFINITY) > settleMs;
        if (!isOver) await pulse.next(signal);
      }
    }
    if (signal?.aborted) return;
    yield steps.pushAll(splitter.end());
    yield steps.interrupted(metaOf(recording));
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

/** A removed recording has ended too. */
function hasEnded(recording: Recording): boolean {
  const meta = metaOf(recording);
  return meta === undefined || !isHeld(meta);
}

/** The sidecar as it is now. Undefined when it is gone. */
function metaOf(recording: Recording): RecordingMeta | undefined {
  try {
    return readMeta(recording.paths.meta);
  } catch {
    return undefined;
  }
}
