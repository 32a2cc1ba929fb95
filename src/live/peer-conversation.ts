import type { LiveProtocol, Peer, SentNote } from "../agents/live-contract.js";
import { createLineSplitter } from "../process/line-splitter.js";
import { type AgentProcess, openInput, type ProcessEnd, startProcess } from "../process/start.js";
import { type Pressure, pausedBy } from "../runs/delivery.js";
import { createLineGate } from "../runs/redact/line-gate.js";
import type { RunStream } from "../runs/run-stream.js";
import type { Conversation, ConversationHost } from "./conversation.js";
import type { SessionPlan } from "./plan-session.js";
import { createHttpWire } from "./wires/http.js";
import type { Wire } from "./wires/wire.js";

interface Parts {
  plan: SessionPlan;
  protocol: LiveProtocol;
  program: readonly [string, ...string[]];
  stream: RunStream;
  host: ConversationHost;
  /** Every line that the agent sent, before secrets are masked. */
  onLine(line: string): void;
  /** Every line that was sent, before secrets are masked. */
  onSent(line: string, note: SentNote): void;
}

/** How long the agent may take to exit after it was asked to. Then it is stopped. */
const exitMs = 5000;

/** A conversation over the agent's own protocol: one process, and a peer that knows what to say. */
export function createPeerConversation(parts: Parts): Conversation {
  const { plan, protocol, program, stream, host } = parts;
  const { agent, runId, cwd, env, launch } = plan;
  const mask = plan.redactor && createLineGate<undefined>(plan.redactor);
  let child: AgentProcess | undefined;
  let wire: Wire | undefined;
  let hasPrompted = false;
  let finish: (how: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    finish = resolve;
  });

  const peer: Peer = protocol.createPeer(
    {
      send(line, note = {}) {
        const shown = mask?.push("stderr", line, undefined)[0]?.text ?? line;
        parts.onSent(line, note);
        stream.record({ stream: "sent", line: shown, ...note });
        wire?.send(line);
      },
      ready: host.ready,
      fail: host.fail,
    },
    plan.liveTask,
  );

  const lines = createLineSplitter({
    onLine(line) {
      if (protocol.http !== undefined) return findServer(line);
      parts.onLine(line);
      peer.received(line);
    },
  });

  /** The wire of an agent that is a server, from the line that names its address. */
  function findServer(line: string): void {
    const address = wire === undefined ? protocol.http?.addressOf(line) : undefined;
    if (protocol.http === undefined || address === undefined) return;
    const { user, events } = protocol.http;
    const server = createHttpWire({
      address,
      user,
      events,
      password: plan.liveTask.password,
      onLine: receive,
      onProblem: (message) => stream.notice({ code: "connection", message: plan.redact(message) }),
    });
    wire = { send: server.send, setPaused: server.setPaused, end: server.close };
    server.ready.then(
      () => peer.open(),
      (error: unknown) => host.fail(String(error)),
    );
  }

  function receive(line: string): void {
    host.output();
    host.reading(() => {
      stream.read(stream.received, Buffer.from(`${line}\n`));
      parts.onLine(line);
      peer.received(line);
    });
  }

  function begin(): void {
    const [path, ...leading] = program;
    child = startProcess({
      runId,
      program: path,
      args: [...leading, ...launch.args],
      cwd,
      env,
      stdin: protocol.http === undefined ? openInput : undefined,
      stopSignal: agent.traits.stopSignal,
      onStdout(chunk) {
        host.output();
        host.reading(() => {
          stream.read(stream.stdout, chunk);
          lines.push(chunk);
        });
      },
      onStderr(chunk) {
        host.output();
        host.reading(() => stream.read(stream.stderr, chunk));
      },
      onEnd: (name) =>
        host.reading(() => stream.finishReading(name === "stdout" ? stream.stdout : stream.stderr)),
    });
    child.ended.then((how) => {
      wire?.end();
      finish(how);
    });
    if (protocol.http !== undefined) return;
    const { write, endInput } = child;
    wire = { send: (line) => write(`${line}\n`), setPaused() {}, end: endInput };
    peer.open();
  }

  function close(): void {
    if (child === undefined) return;
    peer.close();
    const settleMs = hasPrompted ? (peer.settleMs ?? 0) : 0;
    const leave = (): void => {
      wire?.end();
      if (protocol.http !== undefined) return child?.stop();
      const timer = setTimeout(() => child?.stop(), exitMs);
      child?.ended.finally(() => clearTimeout(timer));
    };
    if (settleMs === 0) leave();
    else setTimeout(leave, settleMs);
  }

  return {
    begin,
    prompt(text, turnId) {
      hasPrompted = true;
      peer.prompt(text, turnId);
    },
    steer: (text) => peer.steer?.(text) ?? Promise.reject(new Error("it cannot be steered")),
    interrupt: () => peer.interrupt(),
    answer: (request, answer, note) => peer.answer(request, answer, note),
    setModel: (model) => peer.setModel?.(model) ?? Promise.reject(new Error("it cannot change its model")),
    close,
    setPressure(pressure: Pressure) {
      child?.setPaused(pausedBy[pressure]);
      wire?.setPaused(pressure !== "none");
    },
    get process() {
      return child;
    },
    ended,
  };
}
