import type { Permissions } from "../agents/definition.js";
import { toSentLine } from "../agents/process-per-turn.js";
import { messageOf } from "../errors.js";
import { type AgentProcess, nothingLeft, type ProcessEnd } from "../process/start.js";
import { pausedBy } from "../runs/delivery.js";
import { endingNotices, unexitedNotice } from "../runs/notices.js";
import { launchOf, toLaunchTask } from "../runs/plan.js";
import { createTurnFiles } from "../runs/run-files.js";
import { defaultGraceMs } from "../runs/watch.js";
import type { LiveConversation } from "./conversation.js";
import { type LiveProcessParts, startLiveProcess } from "./live-process.js";

interface Parts extends LiveProcessParts {
  /** The agent's session, once it is known. */
  sessionId(): string | undefined;
}

/**
 * A conversation with an agent that has no live protocol: every turn is a process that resumes the agent's session. An
 * interrupt stops the process. A process that dies fails its turn, not the session.
 */
export function createProcessConversation(parts: Parts): LiveConversation {
  const { plan, stream, host } = parts;
  const { graceMs = defaultGraceMs } = plan.task;
  let child: AgentProcess | undefined;
  let { model } = plan.task;
  let last: ProcessEnd = { exitCode: null, signal: null, ...nothingLeft };
  let isClosing = false;
  let hasFinalMessage = false;
  /** We have ended the process, and whether that was after its final message. */
  let stopped: { isDone: boolean } | undefined;
  let lingering: NodeJS.Timeout | undefined;
  let finish: (how: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    finish = resolve;
  });

  function over(how: ProcessEnd): void {
    clearTimeout(lingering);
    child = undefined;
    last = how;
    host.reading(() => reportEnd(parts, how, stopped));
    if (isClosing) finish(how);
  }

  /** After the final message the outcome is known, and does not change. */
  function stop(): void {
    stopped = { isDone: hasFinalMessage };
    child?.stop();
  }

  function finalMessage(isSaid: boolean): void {
    clearTimeout(lingering);
    hasFinalMessage = isSaid;
    if (!isSaid || child === undefined) return;
    lingering = setTimeout(() => {
      stream.notice(unexitedNotice(plan.agent.name, graceMs));
      stop();
    }, graceMs);
  }

  return {
    begin: () => host.ready(),
    prompt(text, turnId) {
      const resume = parts.sessionId() ?? plan.task.resume;
      const shown = resume === undefined ? {} : { resume: plan.redact(resume) };
      const line = toSentLine({ harness: "prompt", prompt: plan.redact(text), ...shown });
      stream.record({ stream: "sent", line, turnId });
      hasFinalMessage = false;
      stopped = undefined;
      try {
        child = startTurn(parts, text, { model, resume, over });
      } catch (error) {
        const startFailure = { kind: "config" as const, message: messageOf(error) };
        over({ exitCode: null, signal: null, startFailure, ...nothingLeft });
      }
    },
    steer: () => Promise.reject(new Error("it takes one process per turn")),
    interrupt() {
      if (child === undefined) return;
      stream.record({ stream: "sent", line: toSentLine({ harness: "interrupt" }) });
      stop();
    },
    answer() {},
    async setModel(name) {
      model = name;
    },
    close() {
      isClosing = true;
      if (child === undefined) finish(last);
      else stop();
    },
    finalMessage,
    setPressure: (pressure) => child?.setPaused(pausedBy[pressure]),
    get process() {
      return child;
    },
    ended,
  };
}

/** The process of one turn. It resumes the agent's session, unless this is the first one. */
function startTurn(
  parts: Parts,
  prompt: string,
  {
    model,
    resume,
    over,
  }: { model: string | undefined; resume: string | undefined; over: (how: ProcessEnd) => void },
): AgentProcess {
  const { plan, program, stream } = parts;
  const { agent, task, cwd } = plan;
  const launch = launchOf(agent, () =>
    agent.launch({
      ...toLaunchTask(task, cwd, plan.runId),
      prompt,
      // A session without a protocol is never planned with anything else.
      permissions: plan.mode as Permissions,
      ...(model !== undefined && { model }),
      ...(resume !== undefined && { resume }),
    }),
  );
  stream.note({ argv: plan.redactWords([...program, ...launch.args]) });
  const files = createTurnFiles({ ...plan, launch });
  const child = startLiveProcess(parts, { launch });
  child.ended.finally(() => files.remove()).then(over);
  return child;
}

function reportEnd({ plan, stream }: Parts, how: ProcessEnd, stopped: { isDone: boolean } | undefined): void {
  stream.finishReading(stream.stdout);
  stream.finishReading(stream.stderr);
  for (const notice of endingNotices(plan.agent.name, how, stopped && {})) stream.notice(notice);
  const { exitCode, signal, startFailure } = how;
  stream.record({
    stream: "process",
    exitCode,
    signal,
    ...(stopped?.isDone && { stopped: true }),
    ...(startFailure !== undefined && {
      startFailure: { ...startFailure, message: plan.redact(startFailure.message) },
    }),
  });
}
