import { HarnessError } from "../errors.js";
import type { HarnessEvent } from "../events/event.js";
import type { Step } from "../events/step.js";
import type { AgUiOptions } from "./ag-ui/format.js";
import type { Format, Output, Piece, View } from "./contract.js";
import { type FormatName, formatNames, formats } from "./formats.js";
import { createJsonLines } from "./json-lines.js";
import { createSse, toSse } from "./sse.js";

/** What can be served: a run, a replay, a live session, one of its turns, or anything else that yields events. */
export interface ServedRun extends AsyncIterable<HarnessEvent> {
  /** Preferred if it is there: some formats sort what one line of the agent gave. */
  batches?(): AsyncIterable<readonly Step[]>;
}

/** The formats that `toResponse` knows by name. */
export type ResponseFormat = "ui-message" | "ag-ui" | FormatName;

/** How a run is served. */
export interface ResponseOptions extends AgUiOptions {
  /** 200 unless it is given. */
  status?: number | undefined;
  /** Added to those of the format. A header of the same name replaces it. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The reader went away before the end. Whether the run goes on is yours to decide: `onCancel: () => run.cancel()`. */
  onCancel?: ((reason: unknown) => void) | undefined;
  /**
   * Server-sent events: reading the run threw. Returns the words that the reader sees. Default: the message of a `HarnessError`, and
   * no details of other errors.
   */
  onError?: ((error: unknown) => string) | undefined;
  /**
   * Server-sent events: at this interval a comment is sent while the agent is silent, so that proxies keep the connection. Default:
   * 15,000. 0: never.
   */
  heartbeatMs?: number | undefined;
}

/**
 * A run as a web-standard `Response`, for any server that takes one: Hono, Next, Deno, Bun. `ui-message` and `ag-ui` are server-sent
 * events, all other formats are newline-delimited JSON. The run is read as fast as the reader reads. A reader that goes away ends the
 * iteration as `break` does, which leaves the run going.
 */
export function toResponse(
  run: ServedRun,
  format: ResponseFormat | Format<unknown>,
  options: ResponseOptions = {},
): Response {
  const served = servedAs(format);
  const headers = new Headers({ ...served.headers, "cache-control": "no-cache", "x-accel-buffering": "no" });
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return new Response(createBody(run, served, options), { status: options.status ?? 200, headers });
}

/** How one format goes over HTTP. */
interface Served {
  load(): Format<unknown> | Promise<Format<unknown>>;
  headers: Readonly<Record<string, string>>;
  isSse: boolean;
  /** The data of the event after the last one. */
  last?: string;
}

const sse = { "content-type": "text/event-stream" };
const ndjson = { "content-type": "application/x-ndjson" };

/** Loaded when they are used, so that nobody else pays for them. */
const streams: { readonly [Name in string]?: Served } = {
  "ui-message": {
    load: async () => (await import("./ui-message/format.js")).uiMessageFormat,
    headers: { ...sse, "x-vercel-ai-ui-message-stream": "v1" },
    isSse: true,
    last: "[DONE]",
  },
  "ag-ui": { load: async () => (await import("./ag-ui/format.js")).agUiFormat, headers: sse, isSse: true },
};

function servedAs(format: ResponseFormat | Format<unknown>): Served {
  const name = typeof format === "string" ? format : format?.name;
  const stream = Object.hasOwn(streams, name) ? streams[name] : undefined;
  if (stream !== undefined) return stream;
  if (typeof format === "object" && format !== null)
    return { load: () => format, headers: ndjson, isSse: false };
  const known = formatNames.find((each) => each === format);
  if (known !== undefined) return { load: () => formats[known], headers: ndjson, isSse: false };
  const choices = [...Object.keys(streams), ...formatNames].join(", ");
  throw new HarnessError("unknown_format", `cannot serve ${String(format)}; choose one of ${choices}`);
}

/** Every 15 s is often enough for the proxies that give up after 30 s. */
const usualHeartbeat = 15_000;

function createBody(run: ServedRun, served: Served, options: ResponseOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = createReader(run, served, options);
  let beat: ReturnType<typeof setInterval> | undefined;
  let isOver = false;

  function stop(): void {
    isOver = true;
    clearInterval(beat);
  }

  function keepAlive(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { heartbeatMs = usualHeartbeat } = options;
    if (beat !== undefined || !served.isSse || heartbeatMs === 0) return;
    beat = setInterval(() => {
      // Only if somebody waits for something.
      if (!isOver && (controller.desiredSize ?? -1) >= 0) controller.enqueue(encoder.encode(":\n\n"));
    }, heartbeatMs);
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        keepAlive(controller);
        try {
          const piece = await reader.next();
          if (isOver) return;
          if (piece !== undefined)
            return controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
          stop();
          controller.close();
        } catch (error) {
          if (isOver) return;
          stop();
          controller.error(error);
        }
      },
      cancel(reason) {
        stop();
        reader.leave();
        options.onCancel?.(reason);
      },
    },
    // Nothing is read ahead: a slow reader slows the agent.
    { highWaterMark: 0 },
  );
}

/** Reads a run piece by piece, each when it is asked for. */
interface Reader {
  /** Undefined at the end. */
  next(): Promise<string | Uint8Array | undefined>;
  /** As `break` does. */
  leave(): void;
}

function createReader(run: ServedRun, served: Served, options: ResponseOptions): Reader {
  let steps: AsyncIterator<readonly Step[]> | undefined;
  let view: View<unknown> | undefined;
  let output: Output | undefined;
  let pieces: Iterator<string | Uint8Array> = [][Symbol.iterator]();
  let isEmpty = true;
  let isOver = false;

  async function read(): Promise<Piece[]> {
    try {
      view ??= (await served.load()).create(options);
      output ??= served.isSse ? createSse(view, served.last) : createJsonLines(view);
      if (isOver) return [];
      steps ??= stepsOf(run);
      const { done, value } = await steps.next();
      isOver ||= done === true;
      if (!done) isEmpty = false;
      if (!done) return output.push(value);
      return isEmpty && served.isSse ? failed("there were no events") : output.end();
    } catch (error) {
      // Lines have no place for it, and a reader must not take what it got for the whole.
      if (!served.isSse) throw error;
      isOver = true;
      return failed((options.onError ?? describe)(error));
    }
  }

  function failed(because: string): Piece[] {
    const end = view?.end?.(because) ?? [];
    return [toSse(end) + (served.last === undefined ? "" : `data: ${served.last}\n\n`)];
  }

  return {
    async next() {
      for (;;) {
        const { done, value } = pieces.next();
        if (!done) return value;
        if (isOver) return undefined;
        pieces = flat(await read());
      }
    },
    leave() {
      isOver = true;
      // A generator may be waiting for the run's next event: nobody waits for it here.
      steps?.return?.().catch(() => undefined);
    },
  };
}

function describe(error: unknown): string {
  return error instanceof HarnessError ? error.message : "the events could not be read to their end";
}

function stepsOf(run: ServedRun): AsyncIterator<readonly Step[]> {
  if (run.batches !== undefined) return run.batches()[Symbol.asyncIterator]();
  const events = run[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value } : { done: false, value: [{ events: [value] }] };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

function* flat(pieces: readonly Piece[]): Generator<string | Uint8Array> {
  for (const piece of pieces)
    if (typeof piece === "string" || piece instanceof Uint8Array) yield piece;
    else yield* piece.pieces;
}
