import type { HttpWire, LiveProtocol, Peer, SentNote } from "../agents/live-contract.js";
import { messageOf } from "../errors.js";
import { createLineSplitter } from "../process/line-splitter.js";
import type { AgentProcess, ProcessEnd } from "../process/start.js";
import { pausedBy } from "../runs/delivery.js";
import { createLineGate } from "../runs/redact/line-gate.js";
import type { LiveConversation } from "./conversation.js";
import { type LiveProcessParts, startLiveProcess } from "./live-process.js";
import { createHttpWire } from "./wires/http.js";

interface Parts extends LiveProcessParts {
  protocol: LiveProtocol;
  /** Every line that the agent sent, before secrets are masked. */
  onLine(line: string): void;
  /** Every line that was sent, before secrets are masked. */
  onSent(line: string, note: SentNote): void;
}

/** Carries the lines of a protocol to the agent. */
interface Wire {
  send(line: string): void;
  setPaused(isPaused: boolean): void;
  /** Nothing more will be sent. */
  end(): void;
}

/** How long the agent may take to exit after it was asked to. Then it is stopped. */
const exitMs = 5000;

/** A conversation over the agent's own protocol: one process, and a peer that knows what to say. */
export function createPeerConversation(parts: Parts): LiveConversation {
  const { plan, protocol, host } = parts;
  let child: AgentProcess | undefined;
  let wire: Wire | undefined;
  let hasPrompted = false;
  let finish: (how: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    finish = resolve;
  });
  const sent = recordSent(parts);
  const peer = protocol.createPeer(
    {
      send(line, note = {}) {
        sent(line, note);
        wire?.send(line);
      },
      ready: host.ready,
      fail: host.fail,
    },
    plan.liveTask,
  );
  const lines = createLineSplitter({
    onLine(line) {
      if (protocol.http === undefined) return take(parts, peer, line);
      wire ??= serverIn(line, protocol.http, parts, peer);
    },
  });

  return {
    begin() {
      const isPipe = protocol.http === undefined;
      child = startLiveProcess(parts, {
        launch: plan.launch,
        isOpen: isPipe,
        onStdout: (chunk) => lines.push(chunk),
      });
      child.ended.then((how) => {
        wire?.end();
        finish(how);
      });
      if (!isPipe) return;
      const { write, endInput } = child;
      wire = { send: (line) => write(`${line}\n`), setPaused() {}, end: endInput };
      peer.open();
    },
    prompt(text, turnId) {
      hasPrompted = true;
      peer.prompt(text, turnId);
    },
    steer: (text) => peer.steer?.(text) ?? Promise.reject(new Error("it cannot be steered")),
    interrupt: () => peer.interrupt(),
    answer: (request, answer, note) => peer.answer(request, answer, note),
    setModel: (model) => peer.setModel?.(model) ?? Promise.reject(new Error("it cannot change its model")),
    close() {
      if (child === undefined) return;
      peer.close();
      leave(child, () => wire?.end(), {
        isServer: protocol.http !== undefined,
        settleMs: hasPrompted ? peer.settleMs : 0,
      });
    },
    setPressure(pressure) {
      child?.setPaused(pausedBy[pressure]);
      wire?.setPaused(pressure !== "none");
    },
    get process() {
      return child;
    },
    ended,
  };
}

/** Records what is sent, with its secrets masked if that was asked for. */
function recordSent({ plan, stream, onSent }: Parts): (line: string, note: SentNote) => void {
  const mask = plan.redactor && createLineGate<undefined>(plan.redactor);
  return (line, note) => {
    const shown = mask?.push("stderr", line, undefined)[0]?.text ?? line;
    onSent(line, note);
    stream.record({ stream: "sent", line: shown, ...note });
  };
}

function take({ onLine }: Parts, peer: Peer, line: string): void {
  onLine(line);
  peer.received(line);
}

/** The wire of an agent that is a server, if this line of its standard output names its address. */
function serverIn(line: string, http: HttpWire, parts: Parts, peer: Peer): Wire | undefined {
  const { plan, stream, host } = parts;
  const address = http.addressOf(line);
  if (address === undefined) return undefined;
  const server = createHttpWire({
    address,
    user: http.user,
    events: http.events,
    password: plan.liveTask.password,
    onLine(received) {
      if (!http.isHeartbeat?.(received)) host.output();
      host.reading(() => {
        stream.read(stream.received, Buffer.from(`${received}\n`));
        take(parts, peer, received);
      });
    },
    onProblem: (message) => stream.notice({ code: "connection", message: plan.redact(message) }),
  });
  server.ready.then(
    () => peer.open(),
    (error: unknown) => host.fail(messageOf(error)),
  );
  return { send: server.send, setPaused: server.setPaused, end: server.close };
}

/** Lets the agent go: a server is stopped, and any other agent exits when its input ends, or is stopped a little later. */
function leave(
  child: AgentProcess,
  endInput: () => void,
  { isServer, settleMs = 0 }: { isServer: boolean; settleMs?: number | undefined },
): void {
  const timer = setTimeout(() => {
    endInput();
    if (isServer) return child.stop();
    const patience = setTimeout(child.stop, exitMs);
    child.ended.finally(() => clearTimeout(patience));
  }, settleMs);
  child.ended.finally(() => clearTimeout(timer));
}
