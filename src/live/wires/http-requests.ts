import type { ClientRequest, IncomingMessage } from "node:http";
import { urlToHttpOptions } from "node:url";

/** Sends requests to a server strictly one after the other. */
export interface HttpRequests {
  /** `METHOD /path` or `METHOD /path {json}`. */
  send(line: string): void;
  close(): void;
}

export interface HttpRequestsOptions {
  address: URL;
  headers: Readonly<Record<string, string>>;
  /** One answer for each line that was sent, in the same order. */
  onAnswer(line: string): void;
  /** For the whole of one request. */
  timeoutMs: number;
  /** A longer body is cut off here. */
  maxBytes: number;
}

/**
 * An answer is `HTTP status body`. A request that got none is answered too, with status 0 and the reason, so
 * that answers and requests stay in step.
 */
export function createHttpRequests(options: HttpRequestsOptions): HttpRequests {
  const waiting: string[] = [];
  let current: ClientRequest | undefined;
  /** From the sending of a request until its answer has been handed on, which may send more. */
  let isBusy = false;
  let isClosed = false;

  function next(): void {
    const line = isClosed ? undefined : waiting.shift();
    isBusy = line !== undefined;
    if (line === undefined) return;
    current = perform(line, options, (status, body) => {
      if (isClosed) return;
      options.onAnswer(`HTTP ${status} ${toOneLine(body)}`);
      next();
    });
  }

  return {
    send(line) {
      if (isClosed) return;
      waiting.push(line);
      if (!isBusy) next();
    },
    close() {
      isClosed = true;
      waiting.length = 0;
      current?.destroy();
    },
  };
}

/** Calls `done` once, never before it returns. */
function perform(
  line: string,
  { address, headers, timeoutMs, maxBytes }: HttpRequestsOptions,
  done: (status: number, body: string) => void,
): ClientRequest | undefined {
  let isDone = false;
  function finish(status: number, body: string): void {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(status, body);
  }

  const parsed = requestLine.exec(line);
  if (parsed === null) {
    setImmediate(() => done(0, "not a request"));
    return undefined;
  }
  const [, method, path, body] = parsed;
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const { hostname, port } = urlToHttpOptions(address);
  // Loaded when it is needed: every run loads this file, and few talk to a server.
  const { request } = process.getBuiltinModule("node:http");
  const sent = request({ hostname, port, method, path, headers: { ...headers, ...type }, agent: false });
  const timer = setTimeout(
    () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  sent.on("error", ({ message }) => finish(0, message));
  sent.on("response", (response) => {
    readBody(response, maxBytes).then(
      (text) => finish(response.statusCode ?? 0, text),
      (error: Error) => {
        sent.destroy();
        finish(0, error.message);
      },
    );
  });
  sent.end(body);
  return sent;
}

const requestLine = /^([A-Z]+) (\/\S*)(?: (.*))?$/s;

/** Leaving the loop early would destroy the connection, so what is over the limit is read and dropped. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A record of a recording is one line. JSON does not change by this. */
function toOneLine(body: string): string {
  return body.replace(/\s*\r?\n\s*/g, " ").trim();
}
