import type { HarnessEvent } from "../events/event.js";
import { canSeeProcesses } from "../process/processes.js";
import { nothingLeft, type ProcessEnd } from "../process/start.js";
import type { StartFailure } from "../process/start-failure.js";
import type { Pressure } from "../runs/delivery.js";
import { blindNotice, endingNotices } from "../runs/notices.js";
import { type OpenedRun, openRun } from "../runs/open-run.js";
import { watchRunChanges } from "../runs/run-changes.js";
import { createRunClock } from "../runs/run-clock.js";
import { createRunFiles } from "../runs/run-files.js";
import { createRunStream } from "../runs/run-stream.js";
import { createStopping } from "../runs/stopping.js";
import type { RunResult } from "../runs/task.js";
import { shareSession } from "./control/share-session.js";
import type { ConversationHost, LiveConversation } from "./conversation.js";
import { createObservedEvents } from "./observed-events.js";
import { createPeerConversation } from "./peer-conversation.js";
import type { SessionPlan } from "./plan-session.js";
import type { Policy } from "./policy.js";
import { createProcessConversation } from "./process-conversation.js";
import { createSessionRequests } from "./requests.js";
import { type SessionUnderWay, toSession } from "./session-handle.js";
import { limitsOf, watchSession, watchStart } from "./session-limits.js";
import { applyPressure, type SessionParts } from "./session-parts.js";
import { createTurnQueue } from "./turn-queue.js";

/**
 * Carries out the plan of a session: one process or several, turns, requests, limits and the recording, until nothing is left.
 * `isShared`: other processes of this user may steer it too.
 */
export function openSession(
  plan: SessionPlan,
  policy: Policy,
  { isShared = false }: { isShared?: boolean } = {},
): SessionUnderWay {
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
  const session = toSession(parts, opened, result);
  if (isShared) shareSession(session, stream);
  return session;
}

function connect(
  plan: SessionPlan,
  policy: Policy,
  { steps, recorder }: OpenedRun,
  now: () => string,
): SessionParts {
  const { agent, can, onRequest } = plan;
  // The parts reach each other through `parts`, and only when something happens.
  const parts: SessionParts = {
    plan,
    conversation: undefined,
    sessionId: plan.task.resume,
    model: plan.task.model,
    isClosing: false,
    hasFailed: false,
    hasEnded: false,
    isInterrupting: false,
    pressures: new Map(),
    observed: createObservedEvents(plan, now, (event) => act(parts, event)),
    stream: createRunStream({
      plan,
      steps,
      recorder,
      now,
      onPressure: (pressure) => setPressure(parts, "session", pressure),
      onFinalMessage: (isSaid) => parts.conversation?.finalMessage?.(isSaid),
      onSteps(published) {
        for (const step of published) for (const event of step.events) parts.queue.publish(event);
        parts.observed.published(published);
      },
    }),
    stopping: createStopping({
      process: () => parts.conversation?.process,
      isLingering: () => parts.isClosing,
      onStopping(reason) {
        parts.changes.stopStarting();
        parts.stream.note({ stopping: reason });
      },
    }),
    changes: watchRunChanges(plan, () => parts.stream),
    requests: createSessionRequests({
      agentName: agent.name,
      can,
      policy,
      keepsAlways: plan.judge !== undefined,
      onRequest,
      answer: (request, answer, note) => parts.conversation?.answer(request, answer, note),
      onProblem: (message) => parts.stream.notice({ code: "on_request_failed", message }),
    }),
    limits: limitsOf(plan, () => parts),
    queue: createTurnQueue({
      prompt: (text, turnId) => prompt(parts, text, turnId),
      onRunning: (isRunning) => setRunning(parts, isRunning),
      onPressure: (turnId, pressure) => setPressure(parts, turnId, pressure),
      afterTurn: (turnId) => parts.changes.endTurn(turnId),
    }),
  };
  return parts;
}

/** What the session does because of an event. */
function act(parts: SessionParts, event: HarnessEvent): void {
  const { requests, queue, stream } = parts;
  parts.sessionId = event.sessionId ?? parts.sessionId;
  if (event.type === "session") parts.model = event.model ?? parts.model;
  if (event.type === "request") {
    // A reader must see the request before it is answered, even if masking holds lines back.
    stream.release();
    requests.opened(event);
  } else if (event.type === "request_end") requests.closed(event.requestId);
  else queue.observe(event);
}

function prompt({ plan, stream, conversation }: SessionParts, text: string, turnId: string): void {
  // The sidecar names the first prompt, so that a list of recordings can show it.
  if (turnId === "turn_1") stream.note({ prompt: plan.redact(text) });
  conversation?.prompt(text, turnId);
}

function setPressure(parts: SessionParts, who: string, pressure: Pressure): void {
  const { pressures } = parts;
  if (pressure === "none") pressures.delete(who);
  else pressures.set(who, pressure);
  applyPressure(parts);
}

function setRunning(parts: SessionParts, isRunning: boolean): void {
  if (isRunning) return parts.limits.begin();
  parts.limits.end();
  parts.isInterrupting = false;
  applyPressure(parts);
}

function begin(parts: SessionParts, { located }: OpenedRun): Promise<ProcessEnd> {
  if ("failure" in located) return Promise.resolve(notStarted(located.failure));
  const beginning = parts.changes.begin();
  return beginning === undefined ? start(parts, located) : beginning.then(() => start(parts, located));
}

type Located = Exclude<OpenedRun["located"], { failure: unknown }>;

function start(parts: SessionParts, located: Located): Promise<ProcessEnd> {
  // It was stopped or closed before it began.
  if (parts.stopping.reason !== undefined || parts.isClosing) return Promise.resolve(neverStarted);
  const files = createRunFiles(parts.plan);
  if ("failure" in files) return Promise.resolve(notStarted(files.failure));
  const patience = watchStart(parts, (message) => fail(parts, message));
  const conversation = createConversation(parts, [located.path, ...located.leadingArgs], {
    ready() {
      patience.end();
      parts.queue.ready();
    },
    fail: (message) => fail(parts, message),
    output: () => parts.limits.output(),
    reading: (read) => parts.observed.reading(read),
  });
  parts.conversation = conversation;
  conversation.begin();
  return conversation.ended.finally(() => {
    patience.end();
    files.remove();
  });
}

function notStarted(startFailure: StartFailure): ProcessEnd {
  return { ...neverStarted, startFailure };
}

const neverStarted: ProcessEnd = { exitCode: null, signal: null, ...nothingLeft };

function createConversation(
  parts: SessionParts,
  program: readonly [string, ...string[]],
  host: ConversationHost,
): LiveConversation {
  const { plan, stream, observed } = parts;
  const { protocol } = plan;
  if (protocol === undefined)
    return createProcessConversation({ plan, program, stream, host, sessionId: () => parts.sessionId });
  const { received: onLine, sent: onSent } = observed;
  return createPeerConversation({ plan, protocol, program, stream, host, onLine, onSent });
}

/** The agent cannot be talked with any more. */
function fail(parts: SessionParts, message: string): void {
  if (parts.hasEnded || parts.isClosing) return;
  parts.hasFailed = true;
  parts.stream.notice({ code: "session_failed", message });
  parts.queue.close({ isFailure: true });
  parts.conversation?.process?.stop();
  parts.conversation?.close();
}

async function end(parts: SessionParts, how: ProcessEnd): Promise<RunResult> {
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
  // No turn begins any more.
  queue.close({ isFailure: true });
  await parts.changes.end();
  const result = stream.end(how, stopped);
  queue.end(result.failure);
  return result;
}
