import { HarnessError, messageOf } from "../errors.js";
import type { Step } from "../events/step.js";
import type { EventStream } from "./event-stream.js";
import type { FindAgent } from "./find-agent.js";
import { followRecording } from "./follow-recording.js";
import { openPlainRecording } from "./open-plain-recording.js";
import type { Refusal, StepsMessage } from "./protocol.js";
import type { RunIndex } from "./run-index.js";
import { toAbout, toRow } from "./run-row.js";
import type { SessionControls } from "./sessions/session-controls.js";
import { watchSessionState } from "./sessions/watch-session.js";
import { slimEvent } from "./slim-event.js";

/** Messages with more events are sent in parts, so that the first part can be shown at once. */
const eventsPerMessage = 2000;

interface StreamOptions {
  index: RunIndex;
  controls: SessionControls;
  findAgent: FindAgent;
  after?: number;
}

/**
 * Streams one run until it has ended: `about`, `steps` …, `about`, `end`. It starts at the beginning, or behind the last event
 * that the reader has (`after`). In between it says what a live session does (`session`). For a run that cannot be read it
 * sends `refusal`.
 */
export async function streamRun(
  stream: EventStream,
  id: string,
  { index, controls, findAgent, after = -1 }: StreamOptions,
): Promise<void> {
  const over = new AbortController();
  const { pulse } = index;
  try {
    const recording = openPlainRecording(index.directory, id);
    const { agent, isUnknown } = findAgent(recording);
    await stream.send("about", toAbout(recording, toRow(recording, index.ownKind(id)), isUnknown));
    const signal = AbortSignal.any([stream.signal, over.signal]);
    if (recording.outcome === "running" && recording.meta.live !== undefined)
      watchSessionState(stream, id, { controls, pulse, signal }).catch(() => undefined);
    let line = 0;
    let last = -1;
    for await (const steps of followRecording(recording, agent, {
      pulse,
      signal: stream.signal,
    })) {
      for (const part of parts(steps)) {
        const message = toMessage(part, line, (seq) => seq > after);
        line = message.lines;
        last = part.at(-1)?.events.at(-1)?.seq ?? last;
        if (message.events.length > 0 || last > after)
          await stream.send("steps", message, Math.max(last, after));
      }
    }
    over.abort();
    if (stream.signal.aborted) return;
    const ended = openPlainRecording(index.directory, id);
    await stream.send("about", toAbout(ended, toRow(ended), isUnknown));
    await stream.send("end", {});
  } catch (error) {
    const code = error instanceof HarnessError ? error.code : "unreadable_recording";
    await stream.send("refusal", { code, message: messageOf(error) } satisfies Refusal);
  } finally {
    over.abort();
  }
}

function* parts(steps: readonly Step[]): Generator<Step[]> {
  let part: Step[] = [];
  let events = 0;
  for (const step of steps) {
    part.push(step);
    events += step.events.length;
    if (events < eventsPerMessage) continue;
    yield part;
    part = [];
    events = 0;
  }
  if (part.length > 0) yield part;
}

function toMessage(steps: readonly Step[], before: number, isWanted: (seq: number) => boolean): StepsMessage {
  const message: StepsMessage = { events: [], cut: [], consumed: [], lines: before };
  for (const step of steps) {
    if (step.record !== undefined) message.lines += 1;
    if (step.rule !== undefined) message.consumed.push([message.lines, step.rule]);
    for (const each of step.events) {
      if (!isWanted(each.seq)) continue;
      const { event, isCut } = slimEvent(each);
      message.events.push(event);
      if (isCut) message.cut.push(event.seq);
    }
  }
  return message;
}
