import type { Permissions } from "../agents/definition.js";
import { toSentLine } from "../agents/process-per-turn.js";
import { messageOf } from "../errors.js";
import { createEnvironment } from "../process/environment.js";
import { type AgentProcess, nothingLeft, type ProcessEnd, startProcess } from "../process/start.js";
import { pausedBy } from "../runs/delivery.js";
import { endingNotices } from "../runs/notices.js";
import { launchOf, toLaunchTask } from "../runs/plan.js";
import type { RunStream } from "../runs/run-stream.js";
import type { Conversation, ConversationHost } from "./conversation.js";
import type { SessionPlan } from "./plan-session.js";

interface Parts {
  plan: SessionPlan;
  /** The program and its first arguments. */
  program: readonly [string, ...string[]];
  stream: RunStream;
  host: ConversationHost;
  /** The agent's session, once it is known. */
  sessionId(): string | undefined;
}

/**
 * A conversation with an agent that has no live protocol: every turn is a process that resumes the agent's session. An
 * interrupt stops the process; a process that dies fails its turn, not the session.
 */
export function createProcessConversation({ plan, program, stream, host, sessionId }: Parts): Conversation {
  const { task, agent, runId, cwd } = plan;
  let child: AgentProcess | undefined;
  let model = task.model;
  let last: ProcessEnd = { exitCode: null, signal: null, ...nothingLeft };
  let isClosing = false;
  let finish: (how: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    finish = resolve;
  });

  function start(text: string): AgentProcess {
    const resume = sessionId() ?? task.resume;
    const launch = launchOf(agent, () =>
      agent.launch({
        ...toLaunchTask(task, cwd),
        prompt: text,
        permissions: plan.mode as Permissions,
        ...(model !== undefined && { model }),
        ...(resume !== undefined && { resume }),
      }),
    );
    const [path, ...leading] = program;
    stream.note({ argv: plan.redactWords([path, ...leading, ...launch.args]) });
    return startProcess({
      runId,
      program: path,
      args: [...leading, ...launch.args],
      cwd,
      env: createEnvironment(process.env, { runId, cwd, launch: launch.env, task: task.env }),
      stdin: launch.stdin,
      stopSignal: agent.traits.stopSignal,
      onStdout: (chunk) => read(() => stream.read(stream.stdout, chunk)),
      onStderr: (chunk) => read(() => stream.read(stream.stderr, chunk)),
      onEnd: (name) =>
        host.reading(() => stream.finishReading(name === "stdout" ? stream.stdout : stream.stderr)),
    });
  }

  function read(readChunk: () => void): void {
    host.output();
    host.reading(readChunk);
  }

  function over(how: ProcessEnd): void {
    child = undefined;
    last = how;
    host.reading(() => {
      stream.finishReading(stream.stdout);
      stream.finishReading(stream.stderr);
      for (const notice of endingNotices(agent.name, how, isClosing ? {} : undefined)) stream.notice(notice);
      const { exitCode, signal, startFailure } = how;
      stream.record({
        stream: "process",
        exitCode,
        signal,
        ...(startFailure !== undefined && {
          startFailure: { ...startFailure, message: plan.redact(startFailure.message) },
        }),
      });
    });
    if (isClosing) finish(how);
  }

  return {
    begin: () => host.ready(),
    prompt(text, turnId) {
      stream.record({
        stream: "sent",
        line: toSentLine({ harness: "prompt", prompt: plan.redact(text) }),
        turnId,
      });
      try {
        child = start(text);
        child.ended.then(over);
      } catch (error) {
        const startFailure = { kind: "config" as const, message: messageOf(error) };
        over({ exitCode: null, signal: null, startFailure, ...nothingLeft });
      }
    },
    steer: () => Promise.reject(new Error("it takes one process per turn")),
    interrupt() {
      if (child === undefined) return;
      stream.record({ stream: "sent", line: toSentLine({ harness: "interrupt" }) });
      child.stop();
    },
    answer() {},
    async setModel(name) {
      model = name;
    },
    close() {
      isClosing = true;
      if (child === undefined) finish(last);
      else child.stop();
    },
    setPressure: (pressure) => child?.setPaused(pausedBy[pressure]),
    get process() {
      return child;
    },
    ended,
  };
}
