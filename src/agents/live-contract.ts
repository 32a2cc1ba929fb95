import type { EventOf } from "../events/event.js";
import type { RequestedOperation } from "../events/live-event.js";
import type { SentRecord } from "../events/raw-record.js";
import type { JsonValue } from "../text/json.js";
import type { CreateMapping } from "./contract.js";
import type { Launch, LaunchTask, PermissionMode } from "./definition.js";
import type { StreamedText } from "./streamed-text.js";

/**
 * How harness talks with one running agent. Everything in it is pure: the mapping turns what was sent and received into
 * events, and the peer decides what is sent. `src/live/` moves the lines.
 */
export interface LiveProtocol {
  /** The protocol's own name: `stream-json`, `app-server`, `serve`, `rpc`, `acp`. Recordings name it. */
  id: string;
  abilities: Abilities;
  /** What the agent does without asking, even in a session that is to ask. Rules about these operations cannot be kept. */
  unasked: readonly RequestedOperation["type"][];
  /** Where its user may have allowed something for good. Left out: its own settings cannot make it act without asking. */
  granted?: GrantedFiles;
  /** For an agent that is a server. Left out: it reads lines on standard input and prints lines on standard output. */
  http?: HttpWire;
  /** Where its stream carries texts in pieces. Left out: as in the agent's one-shot stream. */
  streamedText?: StreamedText;
  /** Those of these options that its launcher and its peer use. The others are refused in a session. */
  options?: readonly SessionOption[];
  launch(task: LiveTask): Launch;
  createMapping: CreateMapping;
  createPeer(host: PeerHost, task: LiveTask): Peer;
}

/** Files in which an agent keeps what its user has allowed. It does that without asking, even in a session that is to ask. */
export interface GrantedFiles {
  /** Files, or folders of them. `env` is the agent's environment. */
  paths(place: { env: Readonly<Record<string, string>>; home: string }): string[];
  /** True if a file with this content allows anything, or may do so. */
  allows(content: string): boolean;
}

/** What the agent can do in a session. Anything else is refused, never imitated. */
export interface Abilities {
  /** It asks for permission, and waits for the answer. */
  ask: boolean;
  /** It asks the user questions. */
  questions: boolean;
  /** A prompt can join the running turn. */
  steer: boolean;
  setModel: boolean;
  /** An answer can hold for the rest of the session. */
  always: boolean;
  /** The reason of a denial reaches the model. */
  denyReason: boolean;
  /** An answer can change the input of the call. */
  changeInput: boolean;
  /** What its token counts cover, at best. */
  usage: "request" | "turn" | "session" | "none";
  cost: boolean;
  /** It reports its to-do list. */
  plan: boolean;
  /** A later session can go on with this one. */
  resume: boolean;
}

/** How an agent that is a server is reached, on the loopback interface and with a password of its own. */
export interface HttpWire {
  /** The server's address in a line of its standard output. */
  addressOf(line: string): string | undefined;
  /** For HTTP basic authentication. */
  user: string;
  /** The path of the stream of server-sent events. */
  events: string;
  /** The line only says that the server is alive. The agent is as silent as before. */
  isHeartbeat?(line: string): boolean;
}

/** A session as its launcher and its peer see it. `ask` also stands for rules. */
export interface LiveTask extends Omit<LaunchTask, "prompt" | "permissions"> {
  permissions: PermissionMode;
  /** A secret for this session, for an agent that is a server. */
  password: string;
}

/** Options of a task that not every live protocol can carry, even if the agent has them in a one-shot run. */
export type SessionOption = "mcpServers" | "effort" | "allowedTools" | "schema";

/** What the session offers its peer. */
export interface PeerHost {
  /**
   * Sends one line: JSON to a pipe, `POST /path {json}` to a server. `note` says what the line itself does not:
   * the turn that a prompt begins, and who decided an answer.
   */
  send(line: string, note?: SentNote): void;
  /** The handshake is complete: prompts can be sent. */
  ready(): void;
  /** The agent cannot be used: it refused the handshake. Ends the session with this failure. */
  fail(message: string): void;
}

export type SentNote = Pick<SentRecord, "turnId" | "by" | "rule">;

/**
 * The client of one protocol, for one session: a state machine that sends lines through its host. It answers every request
 * of the agent that it does not know with an error, so the agent is never left waiting. It must not throw, whatever
 * the agent sends.
 */
export interface Peer {
  /** Begins the handshake. For a server: it is reachable. */
  open(): void;
  /** One line of the agent: of standard output, or `HTTP status body` and `SSE {json}` of a server. */
  received(line: string): void;
  /** Begins a turn. Called only after `ready`, and only while no turn runs. */
  prompt(text: string, turnId: string): void;
  /** Adds to the running turn. Rejects if the agent refuses. */
  steer?(text: string): Promise<void>;
  /** Ends the running turn. The agent's own records say when it has ended. Open requests are answered or withdrawn here. */
  interrupt(): void;
  /** Answers an open request. `note` goes with the line. */
  answer(request: SessionRequest, answer: Answer, note: SentNote): void;
  /** For this and later turns. Rejects if the agent refuses. */
  setModel?(model: string): Promise<void>;
  /** Says what must be said before standard input is closed. */
  close(): void;
  /** How long to wait before standard input is closed, for an agent that still writes its session file. Default 0. */
  readonly settleMs?: number;
}

/** A request of the agent: the event, without what every event has. */
export type SessionRequest = EventOf<"request">;

/** The answer to a request. Which form fits depends on the request's `kind`. */
export type Answer =
  /** To `permission` and `plan`. `always`: for the rest of the session. `input`: instead of the call's own input. */
  | { allow: true; always?: boolean | undefined; input?: JsonValue | undefined }
  /** `message` is for the model. `interrupt` also ends the turn. */
  | { allow: false; message?: string | undefined; interrupt?: boolean | undefined }
  /** To `question`: the chosen labels or free text, by the question's id. */
  | { answers: Readonly<Record<string, readonly string[]>> }
  /** To `form`: data that fits the schema. */
  | { content: JsonValue }
  /** To `question` and `form`: no answer. */
  | { decline: true; message?: string | undefined };
