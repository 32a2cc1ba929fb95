import type { ClientRequest, IncomingMessage } from "node:http";
import { createEventReader } from "./server-sent-events.js";

/** The server's events, over a connection that is opened again when it breaks. */
export interface EventStream {
  /** It has been open once. Rejects if it cannot be opened, or was closed before. */
  ready: Promise<void>;
  setPaused(paused: boolean): void;
  close(): void;
}

export interface EventStreamOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  onData(data: string): void;
  onProblem(message: string): void;
  limits: { timeoutMs: number; maxBytes: number; reconnects: number; reconnectMs: number };
}

const longestWaitMs = 5000;

export function createEventStream(options: EventStreamOptions): EventStream {
  const { onProblem, limits } = options;
  let connection: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isPaused = false;
  let reconnects = 0;
  let waitMs = limits.reconnectMs;
  /** Why the stream broke off, until it is open again. */
  let broken: string | undefined;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  ready.catch(() => {});

  function connect(): void {
    connection = openConnection(options, { onOpen: opened, onEnd: ended });
    connection.setPaused(isPaused);
  }

  function opened(): void {
    settle?.resolve();
    settle = undefined;
    waitMs = limits.reconnectMs;
    if (broken === undefined) return;
    onProblem(
      `the agent's stream of events broke off (${broken}) and was opened again: events may be missing`,
    );
    broken = undefined;
  }

  /**
   * Reported only when the stream is open again or was given up: when the program ends, its stream breaks off first, which
   * is not a problem.
   */
  function ended(reason: string): void {
    if (isClosed) return;
    if (settle !== undefined) return settle.reject(new Error(reason));
    broken ??= reason;
    if (reconnects >= limits.reconnects) {
      onProblem(`the agent's stream of events broke off (${broken}) and cannot be opened again (${reason})`);
      return;
    }
    reconnects++;
    timer = setTimeout(connect, waitMs);
    waitMs = Math.min(2 * waitMs, longestWaitMs);
  }

  connect();
  return {
    ready,
    setPaused(paused) {
      isPaused = paused;
      connection?.setPaused(paused);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      connection?.close();
      settle?.reject(new Error("the connection was closed"));
    },
  };
}

/** One connection, which ends once. */
interface Connection {
  setPaused(paused: boolean): void;
  close(): void;
}

function openConnection(
  { url, headers, onData, onProblem, limits }: EventStreamOptions,
  { onOpen, onEnd }: { onOpen(): void; onEnd(reason: string): void },
): Connection {
  const { timeoutMs, maxBytes } = limits;
  let isOver = false;
  let isPaused = false;
  let response: IncomingMessage | undefined;

  /** Destroys the connection: nothing of it is heard afterwards. */
  function end(reason: string | undefined): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    sent.destroy();
    if (reason !== undefined) onEnd(reason);
  }

  const reader = createEventReader({
    maxBytes,
    onData(data) {
      if (!isOver) onData(data);
    },
    onCut: (bytes) => onProblem(`an event was longer than the limit: ${bytes} bytes of it were dropped`),
  });
  // Loaded when it is needed: every run loads this file, and few talk to a server.
  const { request } = process.getBuiltinModule("node:http");
  const sent: ClientRequest = request(url, {
    headers: { ...headers, accept: "text/event-stream" },
    agent: false,
  });
  const timer = setTimeout(() => end(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
  sent.on("error", ({ message }) => end(message));
  sent.on("response", (received) => {
    clearTimeout(timer);
    received.on("error", ({ message }) => end(message));
    received.on("close", () => end("the server closed it"));
    const refusal = refusalOf(received);
    if (refusal !== undefined) return end(refusal);
    response = received;
    received.on("data", (chunk: Buffer) => reader.push(chunk));
    if (isPaused) received.pause();
    onOpen();
  });
  sent.end();

  return {
    setPaused(paused) {
      isPaused = paused;
      if (paused) response?.pause();
      else response?.resume();
    },
    close: () => end(undefined),
  };
}

/** Why the server's answer is not a stream of events. Undefined: it is one. */
function refusalOf({ statusCode, headers }: IncomingMessage): string | undefined {
  if (statusCode === 401 || statusCode === 403) return `the server refused the password (${statusCode})`;
  if (statusCode !== 200) return `the server answered ${statusCode} instead of events`;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("text/event-stream")) return undefined;
  return `the server sent ${type === "" ? "something else" : type} instead of events`;
}
