import { HarnessError, messageOf } from "../errors.js";
import { eventsOf, stepsOf } from "../runs/events-of.js";
import type { Recorder } from "../runs/recording/recorder.js";
import type { StepBatch } from "../runs/recording/step-batch.js";
import type { RunResult } from "../runs/task.js";
import type { SessionPlan } from "./plan-session.js";
import type { SendOptions, Session, Turn } from "./session.js";
import { cancelNow, interruptNow, type SessionParts } from "./session-parts.js";

/** A session as the command prints it: with what was formatted for the recording. */
export interface SessionUnderWay extends Session {
  recordedBatches(): AsyncIterable<StepBatch>;
}

async function close(parts: SessionParts, result: Promise<RunResult>): Promise<RunResult> {
  if (!parts.isClosing && !parts.hasEnded) {
    parts.isClosing = true;
    parts.queue.close();
    interruptNow(parts);
    await Promise.race([parts.queue.idle(), result]);
    parts.conversation?.close();
  }
  return result;
}

const busyWays: ReadonlySet<string> = new Set<SendOptions["whileBusy"] & string>([
  "queue",
  "steer",
  "reject",
]);

function send(parts: SessionParts, text: string, { whileBusy = "queue" }: SendOptions = {}): Turn {
  const { queue, plan, conversation } = parts;
  refuseClosed(parts);
  if (typeof text !== "string" || text.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say what the agent is to do");
  if (!busyWays.has(whileBusy))
    throw new HarnessError(
      "invalid_option",
      `\`whileBusy\` is ${JSON.stringify(whileBusy)}; it must be one of: ${[...busyWays].join(", ")}`,
    );
  if (whileBusy === "steer" && !plan.can.steer) throw cannot(plan, 'be steered (`whileBusy: "steer"`)');
  const isBusy = queue.running !== undefined || queue.waiting.length > 0;
  if (isBusy && whileBusy === "reject")
    throw new HarnessError("session_busy", "a turn is running; wait for it, or let the prompt queue");
  const { runningHandle } = queue;
  if (whileBusy !== "steer" || runningHandle === undefined) return queue.add(text).turn;
  conversation?.steer(text).catch((error: unknown) => {
    const message = `${plan.agent.name} did not take the prompt, which now waits for its own turn: ${messageOf(error)}`;
    parts.stream.notice({ code: "not_steered", message });
    if (!parts.isClosing && !parts.hasEnded) queue.add(text);
  });
  return runningHandle.turn;
}

function closedError(): HarnessError {
  return new HarnessError("session_closed", "the session is closed; open another one to go on");
}

function refuseClosed({ isClosing, hasEnded, stopping }: SessionParts): void {
  if (isClosing || hasEnded || stopping.reason !== undefined) throw closedError();
}

function cannot({ agent }: SessionPlan, what: string): HarnessError {
  return new HarnessError("unsupported_option", `${agent.name} cannot ${what}; session.can says what it can`);
}

/** What the caller holds of a session. */
export function toSession(
  parts: SessionParts,
  { recorder }: { recorder: Recorder },
  result: Promise<RunResult>,
): SessionUnderWay {
  const { plan, stream, queue, requests, stopping } = parts;
  return {
    runId: plan.runId,
    result,
    can: plan.can,
    get pid() {
      return parts.conversation?.process?.pid;
    },
    get sessionId() {
      return parts.sessionId;
    },
    get recording() {
      return recorder.path;
    },
    get stopping() {
      return stopping.reason;
    },
    get isBusy() {
      return queue.running !== undefined;
    },
    get queue() {
      return queue.waiting;
    },
    get model() {
      return parts.model;
    },
    get requests() {
      return requests.open;
    },
    send: (text, options) => send(parts, text, options),
    async interrupt() {
      interruptNow(parts);
      await Promise.race([queue.idle(), result]);
    },
    answer: (requestId, answer) => requests.answer(requestId, answer),
    async setModel(model) {
      if (!plan.can.setModel) throw cannot(plan, "change its model (`setModel`)");
      refuseClosed(parts);
      if (typeof model !== "string" || model.trim() === "")
        throw new HarnessError("empty_model", "the model is empty; name one");
      if (/^\s*-/.test(model))
        throw new HarnessError("invalid_option", "the model must not begin with a hyphen; name one");
      // An agent that is gone answers nothing.
      const gone = result.then(() => Promise.reject(closedError()));
      // In a git workspace the agent is started a moment later.
      await Promise.race([parts.changes.begun, gone]);
      await Promise.race([parts.conversation?.setModel(model), gone]);
      parts.model = model;
    },
    close: () => close(parts, result),
    cancel: () => cancelNow(parts),
    batches: () => stepsOf(stream.batches()),
    recordedBatches: () => stream.batches(),
    [Symbol.asyncIterator]: () => eventsOf(stream.batches()),
  };
}
