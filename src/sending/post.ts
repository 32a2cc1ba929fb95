import { request as requestHttp } from "node:http";
import { type RequestOptions, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { messageOf, systemCode } from "../errors.js";

/** What a server answered. */
export interface Reply {
  status: number;
  /** How long it asks us to wait. */
  retryAfterMs?: number;
}

export interface PostOptions extends Pick<RequestOptions, "ca" | "cert" | "key"> {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** For everything: connecting, sending and the whole answer. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** An answer is only read to its end: nothing in it matters. */
const maxAnswer = 64 * 1024;

/** Posts a body once. Follows no redirects. Rejects if there is no answer; the message of the error is for people. */
export async function post(url: URL, options: PostOptions): Promise<Reply> {
  for (;;) {
    const found = await postOnce(url, options);
    if (found.reply !== undefined) return found.reply;
    // The server has closed a connection of earlier requests. That says nothing about this one.
    if (!found.wasReused || options.signal.aborted) throw found.error;
  }
}

interface Posted {
  reply?: Reply;
  error?: Error;
  /** It had the connection of an earlier request, and this was closed. */
  wasReused?: boolean;
}

function postOnce(url: URL, { headers, body, timeoutMs, signal, ...tls }: PostOptions): Promise<Posted> {
  return new Promise((resolve) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, { method: "POST", headers, ...tls }, (response) => {
      const reply: Reply = {
        status: response.statusCode ?? 0,
        ...retryAfterOf(response.headers["retry-after"]),
      };
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxAnswer) response.destroy();
      });
      response.on("error", () => undefined);
      response.on("close", () => resolve({ reply }));
    });
    request.on("socket", guard);
    const stop = (error: Error): void => {
      request.destroy(error);
    };
    const timer = setTimeout(stop, timeoutMs, new Error(`it did not answer within ${timeoutMs / 1000} s`));
    const onAbort = (): void => stop(new Error("it did not answer in time"));
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("error", (error) => {
      const wasReused = request.reusedSocket && closed.has(systemCode(error) ?? "");
      resolve({ error: new Error(wordsOf(error), { cause: error }), wasReused });
    });
    request.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
    if (signal.aborted) onAbort();
    request.end(body);
  });
}

/** The errors of a connection that the other side has closed. */
const closed: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/**
 * A server may answer and close the connection before it has read the whole body. Node 20 then lets go of the connection while a
 * write still fails on it, and an error that nobody listens for would end this process. The request reports its errors itself.
 */
function guard(socket: Socket): void {
  if (!socket.listeners("error").includes(ignore)) socket.on("error", ignore);
}

const ignore = (): void => undefined;

/** `Retry-After` is a number of seconds or a date. */
function retryAfterOf(header: string | undefined): Pick<Reply, "retryAfterMs"> {
  if (header === undefined) return {};
  const retryAfterMs = /^\d{1,6}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(retryAfterMs) ? {} : { retryAfterMs: Math.max(0, retryAfterMs) };
}

/** The errors of the system name addresses and calls. */
function wordsOf(error: unknown): string {
  return words[systemCode(error) ?? ""] ?? messageOf(error);
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection is refused",
  ECONNRESET: "the connection was closed",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOTFOUND: "the host is not found",
  EAI_AGAIN: "the host is not found",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "it does not answer",
};
