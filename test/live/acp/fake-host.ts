import type { LiveTask, PeerHost, SentNote, SessionRequest } from "../../../src/agents/live-contract.js";
import type { WireMessage } from "./schemas.js";

/** A host that keeps what a peer sends. */
export interface FakeHost extends PeerHost {
  sent: WireMessage[];
  notes: (SentNote | undefined)[];
  isReady: boolean;
  failure: string | undefined;
  /** The messages since the last call. */
  take(): WireMessage[];
}

export function createFakeHost(): FakeHost {
  let taken = 0;
  const host: FakeHost = {
    sent: [],
    notes: [],
    isReady: false,
    failure: undefined,
    send(line, note) {
      host.sent.push(JSON.parse(line) as WireMessage);
      host.notes.push(note);
    },
    ready() {
      host.isReady = true;
    },
    fail(message) {
      host.failure = message;
    },
    take() {
      const news = host.sent.slice(taken);
      taken = host.sent.length;
      return news;
    },
  };
  return host;
}

export const liveTask: LiveTask = {
  cwd: "/workspace",
  permissions: "ask",
  extraArgs: [],
  password: "",
  directory: "/session",
};

/** A request as the events have it. The peer reads only its id. */
export function requestWithId(requestId: string): SessionRequest {
  return {
    type: "request",
    timestamp: "2026-01-01T00:00:00.000Z",
    runId: "run",
    seq: 1,
    requestId,
    kind: "permission",
    name: "tool",
    choices: ["allow", "deny"],
  };
}
