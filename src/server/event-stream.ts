import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { toJson } from "../text/to-json.js";

/** The sending side of a stream of server-sent events. */
export interface EventStream {
  /** Resolves when the reader has room for more. */
  send(event: string, data: unknown, id?: number): Promise<void>;
  /** Messages as they are on the wire, in pieces of any size. Nothing is sent in between. */
  write(pieces: Iterable<string>): Promise<void>;
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal;
}

/** How soon a page reconnects when the server is gone. */
const retryMs = 1000;
/** Proxies and tunnels close connections that are silent for long. */
const silenceMs = 20_000;

export function eventStream(context: Context, run: (stream: EventStream) => Promise<void>): Response {
  const controller = new AbortController();
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => controller.abort());
    await stream.write(`retry: ${retryMs}\n\n`);
    let isWriting = false;
    const beat = setInterval(() => {
      if (!isWriting) void stream.write(": still here\n\n");
    }, silenceMs).unref();
    try {
      await run({
        signal: controller.signal,
        // Hono's own writer searches the data for line breaks. JSON has none, and messages can be large.
        send: async (event, data, id) => {
          if (controller.signal.aborted) return;
          const number = id === undefined ? "" : `id: ${id}\n`;
          await stream.write(`event: ${event}\n${number}data: ${toJson(data)}\n\n`);
        },
        write: async (pieces) => {
          isWriting = true;
          for (const piece of pieces) if (!controller.signal.aborted) await stream.write(piece);
          isWriting = false;
        },
      });
    } finally {
      clearInterval(beat);
    }
  });
}
