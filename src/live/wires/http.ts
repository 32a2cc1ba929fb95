import { defaultMaxLineBytes } from "../../process/line-splitter.js";
import { createEventStream } from "./event-stream.js";
import { createHttpRequests } from "./http-requests.js";

/** The connection to an agent that is a server: requests go out, answers and events come in, all as lines. */
export interface HttpConnection {
  /** The stream of events is open. Rejects if it cannot be opened. */
  ready: Promise<void>;
  /** `METHOD /path {json}`. Each line is answered by one line, in order. */
  send(line: string): void;
  /** While paused, the server's events stay in the connection. Answers still arrive. */
  setPaused(paused: boolean): void;
  /** Nothing is called back afterwards. What was not sent yet is dropped. */
  close(): void;
}

export interface HttpWireOptions {
  /** `http://127.0.0.1:4096`. Only the loopback interface is accepted. */
  address: string;
  /** For HTTP basic authentication. */
  user: string;
  password: string;
  /** The path of the stream of server-sent events. */
  events: string;
  /**
   * One line of the server: `HTTP status body` answers a request (status 0: there was no answer, and `body` says why),
   * `SSE {json}` is an event.
   */
  onLine(line: string): void;
  /** What no line says: the stream of events broke off, or an event was too long. For people. */
  onProblem(message: string): void;
  limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** For one request, and for the opening of the stream. */
  timeoutMs: number;
  /** An event or a body that is longer is cut off. */
  maxBytes: number;
  /** How often a stream of events that broke off is opened again, and how long to wait before the first time. */
  reconnects: number;
  reconnectMs: number;
}

const defaultLimits: HttpLimits = {
  timeoutMs: 60_000,
  maxBytes: defaultMaxLineBytes,
  reconnects: 20,
  reconnectMs: 100,
};

/** Node's own client with a connection of its own for each request: proxies of the environment are not used. */
export function createHttpWire(options: HttpWireOptions): HttpConnection {
  const { user, password, onLine, onProblem } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const address = loopbackAddress(options.address);
  if (address === undefined) return unusable(`${options.address} is not an address of this machine`);

  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const headers = { authorization };
  const requests = createHttpRequests({ address, headers, onAnswer: onLine, ...limits });
  const events = createEventStream({
    url: new URL(options.events, address),
    headers,
    onData: (data) => onLine(`SSE ${data}`),
    onProblem,
    limits,
  });
  return {
    ready: events.ready,
    send: requests.send,
    setPaused: events.setPaused,
    close() {
      requests.close();
      events.close();
    },
  };
}

/** A password must not leave this machine, whatever address a line of the program names. */
function loopbackAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && loopback.test(url.hostname) ? url : undefined;
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

function unusable(message: string): HttpConnection {
  const ready = Promise.reject(new Error(message));
  ready.catch(() => {});
  return { ready, send() {}, setPaused() {}, close() {} };
}
