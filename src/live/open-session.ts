import type { SentNote } from "../agents/live-contract.js";
import { HarnessError, messageOf } from "../errors.js";
import type { HarnessEvent } from "../events/event.js";
import { canSeeProcesses } from "../process/processes.js";
import { nothingLeft, type ProcessEnd } from "../process/start.js";
import type { Pressure } from "../runs/delivery.js";
import { eventsOf, stepsOf } from "../runs/events-of.js";
import { blindNotice, endingNotices, limitWords, silenceNotice } from "../runs/notices.js";
import { type OpenedRun, openRun } from "../runs/open-run.js";
import type { Batch } from "../runs/recording/batch.js";
import { createRunClock } from "../runs/run-clock.js";
import { createRunStream, type RunStream } from "../runs/run-stream.js";
import { createStopping, type Stopping } from "../runs/stopping.js";
import type { RunResult } from "../runs/task.js";
import type { Conversation, ConversationHost } from "./conversation.js";
import { createObservedEvents, type ObservedEvents } from "./observed-events.js";
import { createPeerConversation } from "./peer-conversation.js";
import type { SessionPlan } from "./plan-session.js";
import type { Policy } from "./policy.js";
import { createProcessConversation } from "./process-conversation.js";
import { createRequests, type Requests } from "./requests.js";
import type { SendOptions, Session, Turn } from "./session.js";
import { createSessionFiles } from "./session-files.js";
import { createTurnLimits, type TurnLimits } from "./turn-limits.js";
import { createTurnQueue, type TurnQueue } from "./turn-queue.js";

/** A session as the command prints it: with what was formatted for the recording. */
export interface SessionUnderWay extends Session {
  recordedBatches(): AsyncIterable<Batch>;
}

/** How long an interrupted turn may take before the agent is stopped. */
const interruptMs = 10_000;
const defaultSilenceMs = 2 * 60_000;

/** The parts of one session. They know each other through it. */
interface Parts {
  plan: SessionPlan;
  stream: RunStream;
  queue: TurnQueue;
  requests: Requests;
  limits: TurnLimits;
  stopping: Stopping;
  conversation: Conversation | undefined;
  observed: ObservedEvents;
  /** The agent's own id of the session. */
  sessionId: string | undefined;
  isClosing: boolean;
  /** The agent could not be talked with, and was stopped for that. */
  hasFailed: boolean;
  hasEnded: boolean;
  /** How far the readers of the session and of its turns are behind. */
  pressures: Map<string, Pressure>;
}

/** Carries out the plan of a session: one process or several, turns, requests, limits and the recording, until nothing is left. */
export function openSession(plan: SessionPlan, policy: Policy): SessionUnderWay {
  const now = createRunClock();
  const startedAt = now();
  const opened = openRun(plan, startedAt);
  const parts = connect(plan, policy, opened, now);
  const { stream } = parts;
  stream.begin(startedAt, opened.problems);
  if (!canSeeProcesses()) stream.notice(blindNotice);
  const watch = watchSession(parts);
  const result = begin(parts, opened)
    .then((how) => end(parts, how))
    .finally(() => {
      watch.end();
      stream.finish();
    });
  return sessionOf(parts, opened, result);
}

function connect(
  plan: SessionPlan,
  policy: Policy,
  { steps, recorder }: OpenedRun,
  now: () => string,
): Parts {
  const { agent, can, onRequest } = plan;
  const parts = {
    plan,
    conversation: undefined,
    isClosing: false,
    hasFailed: false,
    hasEnded: false,
    pressures: new Map(),
  } as unknown as Parts;
  parts.sessionId = plan.task.resume;
  parts.observed = createObservedEvents(plan, now, (event) => act(parts, event));
  parts.stream = createRunStream({
    plan,
    steps,
    recorder,
    now,
    onPressure: (pressure) => setPressure(parts, "session", pressure),
    onSteps(published) {
      for (const step of published) for (const event of step.events) parts.queue.publish(event);
      parts.observed.published(published);
    },
  });
  parts.stopping = createStopping({
    process: () => parts.conversation?.process,
    isLingering: () => parts.isClosing,
    onStopping: (reason) => parts.stream.note({ stopping: reason }),
  });
  parts.requests = createRequests({
    agentName: agent.name,
    can,
    policy,
    onRequest,
    answer: (request, answer, note) => parts.conversation?.answer(request, answer, note),
    onProblem: (message) => parts.stream.notice({ code: "on_request_failed", message }),
  });
  parts.limits = limitsOf(parts);
  parts.queue = createTurnQueue({
    prompt: (text, turnId) => prompt(parts, text, turnId),
    onRunning: (isRunning) => (isRunning ? parts.limits.begin() : parts.limits.end()),
    onPressure: (turnId, pressure) => setPressure(parts, turnId, pressure),
  });
  return parts;
}

/** What the session does because of an event. */
function act(parts: Parts, event: HarnessEvent): void {
  const { requests, queue, stream } = parts;
  parts.sessionId = event.sessionId ?? parts.sessionId;
  if (event.type === "request") {
    // A reader must see the request before it is answered, even if masking holds lines back.
    stream.release();
    requests.opened(event);
  } else if (event.type === "request_end") requests.closed(event.requestId);
  else queue.observe(event);
}

function prompt({ plan, stream, conversation }: Parts, text: string, turnId: string): void {
  // The sidecar names the first prompt, so that a list of recordings can show it.
  if (turnId === "turn_1") stream.note({ prompt: plan.redact(text) });
  conversation?.prompt(text, turnId);
}

function setPressure({ pressures, conversation }: Parts, who: string, pressure: Pressure): void {
  if (pressure === "none") pressures.delete(who);
  else pressures.set(who, pressure);
  const all = [...pressures.values()];
  conversation?.setPressure(all.includes("overfull") ? "overfull" : all.includes("full") ? "full" : "none");
}

function limitsOf(parts: Parts): TurnLimits {
  const { task, agent, turnTimeoutMs } = parts.plan;
  const { idleTimeoutMs, silenceMs = defaultSilenceMs } = task;
  const interruptFor = (code: string, message: string): void => {
    parts.stream.notice({ code, message });
    interruptNow(parts);
  };
  return createTurnLimits({
    turnTimeoutMs,
    idleTimeoutMs,
    silenceMs,
    interruptMs,
    isWaiting: () => parts.requests.open.length > 0 || parts.pressures.size > 0,
    onTimeout: () => interruptFor("turn_timed_out", limitWords.turnTimedOut(turnTimeoutMs ?? 0)),
    onStalled: () => interruptFor("turn_stalled", limitWords.stalled(idleTimeoutMs ?? 0)),
    onSilence: (ms) => parts.stream.notice(silenceNotice(agent.name, ms, [])),
    onUninterrupted() {
      const message = `${agent.name} did not end the turn after it was interrupted, and was stopped`;
      parts.stream.notice({ code: "not_interrupted", message });
      parts.conversation?.process?.stop();
    },
  });
}

/** The time limit and the caller's signal are those of the whole session. */
function watchSession(parts: Parts): { end(): void } {
  const { signal, timeoutMs } = parts.plan.task;
  const cancel = (): void => {
    if (!parts.hasEnded) stopAll(parts, () => parts.stopping.cancel());
  };
  const onTimeout = (): void =>
    stopAll(parts, () => parts.stopping.stop("timed_out", limitWords.timedOut(timeoutMs ?? 0)));
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, Math.min(timeoutMs, 2 ** 31 - 1));
  if (signal?.aborted) queueMicrotask(cancel);
  else signal?.addEventListener("abort", cancel, { once: true });
  return {
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/** Stops the processes, and what would start new ones. */
function stopAll({ queue, conversation }: Parts, stop: () => void): void {
  queue.close();
  stop();
  // With a process per turn there may be none now: this says that none follows.
  conversation?.close();
}

function begin(parts: Parts, { located }: OpenedRun): Promise<ProcessEnd> {
  const { plan, stream, queue } = parts;
  if ("failure" in located)
    return Promise.resolve({ exitCode: null, signal: null, startFailure: located.failure, ...nothingLeft });
  const host: ConversationHost = {
    ready: () => queue.ready(),
    fail: (message) => fail(parts, message),
    output: () => parts.limits.output(),
    reading: (read) => parts.observed.reading(read),
  };
  const program = [located.path, ...located.leadingArgs] as const;
  const { protocol } = plan;
  const files = createSessionFiles(plan.liveTask.directory, plan.launch.files ?? {});
  parts.conversation =
    protocol === undefined
      ? createProcessConversation({ plan, program, stream, host, sessionId: () => parts.sessionId })
      : createPeerConversation({
          plan,
          protocol,
          program,
          stream,
          host,
          onLine: (line) => parts.observed.received(line),
          onSent: (line: string, note: SentNote) => parts.observed.sent(line, note),
        });
  parts.conversation.begin();
  return parts.conversation.ended.finally(files.remove);
}

/** The agent cannot be talked with any more. */
function fail(parts: Parts, message: string): void {
  if (parts.hasEnded || parts.isClosing) return;
  parts.hasFailed = true;
  parts.stream.notice({ code: "session_failed", message });
  parts.queue.close();
  parts.conversation?.process?.stop();
  parts.conversation?.close();
}

function end(parts: Parts, how: ProcessEnd): RunResult {
  const { stream, plan, stopping, queue, limits } = parts;
  parts.hasEnded = true;
  limits.end();
  parts.observed.reading(() => {
    stream.finishReading(stream.stdout);
    stream.finishReading(stream.stderr);
    stream.finishReading(stream.received);
  });
  // A process per turn has reported its own end already.
  const isReported = plan.protocol === undefined && how.startFailure === undefined;
  const stopped =
    stopping.stopped ??
    (parts.isClosing || parts.hasFailed || isReported ? { isAfterFinalMessage: true as const } : undefined);
  if (!isReported) for (const notice of endingNotices(plan.agent.name, how, stopped)) stream.notice(notice);
  const result = stream.end(how, stopped);
  queue.end(result.failure);
  return result;
}

/** Asks the agent to end the turn, once. */
function interruptNow({ queue, conversation, limits }: Parts): void {
  if (queue.running === undefined) return queue.withdrawFirst();
  limits.interrupted();
  conversation?.interrupt();
}

async function close(parts: Parts, result: Promise<RunResult>): Promise<RunResult> {
  if (!parts.isClosing && !parts.hasEnded) {
    parts.isClosing = true;
    parts.queue.close();
    interruptNow(parts);
    await Promise.race([parts.queue.idle(), result]);
    parts.conversation?.close();
  }
  return result;
}

function send(parts: Parts, text: string, { whileBusy = "queue" }: SendOptions = {}): Turn {
  const { queue, plan, conversation } = parts;
  if (parts.isClosing || parts.hasEnded || parts.stopping.reason !== undefined)
    throw new HarnessError("session_closed", "the session is closed; open another one to go on");
  if (typeof text !== "string" || text.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say what the agent is to do");
  if (whileBusy === "steer" && !plan.can.steer) throw cannot(plan, 'be steered (`whileBusy: "steer"`)');
  const isBusy = queue.running !== undefined || !queue.isEmpty;
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

function cannot({ agent }: SessionPlan, what: string): HarnessError {
  return new HarnessError("unsupported_option", `${agent.name} cannot ${what}; session.can says what it can`);
}

function sessionOf(parts: Parts, { recorder }: OpenedRun, result: Promise<RunResult>): SessionUnderWay {
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
      if (typeof model !== "string" || model.trim() === "")
        throw new HarnessError("empty_model", "the model is empty; name one");
      await parts.conversation?.setModel(model);
    },
    close: () => close(parts, result),
    cancel() {
      if (!parts.hasEnded) stopAll(parts, () => stopping.cancel());
    },
    batches: () => stepsOf(stream.batches()),
    recordedBatches: () => stream.batches(),
    [Symbol.asyncIterator]: () => eventsOf(stream.batches()),
  };
}
