import type { Launch } from "../agents/definition.js";
import { createEnvironment } from "../process/environment.js";
import { type AgentProcess, openInput, startProcess } from "../process/start.js";
import type { RunStream } from "../runs/run-stream.js";
import type { ConversationHost } from "./conversation.js";
import type { SessionPlan } from "./plan-session.js";

/** What a process of a session needs. */
export interface LiveProcessParts {
  plan: SessionPlan;
  /** The program and its first arguments. */
  program: readonly [string, ...string[]];
  stream: RunStream;
  host: ConversationHost;
}

export interface LiveProcessOptions {
  launch: Launch;
  /** Standard input stays open. */
  isOpen?: boolean;
  /** What it printed on standard output, after it was recorded. */
  onStdout?(chunk: Buffer): void;
}

/** Starts a process of a session. What it prints goes into the session's stream. */
export function startLiveProcess(
  { plan, program, stream, host }: LiveProcessParts,
  { launch, isOpen = false, onStdout }: LiveProcessOptions,
): AgentProcess {
  const { runId, cwd, task, agent } = plan;
  const [path, ...leading] = program;
  return startProcess({
    runId,
    program: path,
    args: [...leading, ...launch.args],
    cwd,
    env: createEnvironment(plan.inherited, { runId, cwd, launch: launch.env, task: task.env }),
    stdin: isOpen ? openInput : launch.stdin,
    stopSignal: agent.traits.stopSignal,
    onStdout(chunk) {
      host.output();
      host.reading(() => {
        stream.read(stream.stdout, chunk);
        onStdout?.(chunk);
      });
    },
    onStderr(chunk) {
      host.output();
      host.reading(() => stream.read(stream.stderr, chunk));
    },
    onEnd(name) {
      host.reading(() => stream.finishReading(name === "stdout" ? stream.stdout : stream.stderr));
    },
  });
}
