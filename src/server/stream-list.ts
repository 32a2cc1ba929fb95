import type { EventStream } from "./event-stream.js";
import type { RunsChange } from "./protocol.js";
import type { RunIndex } from "./run-index.js";

/** The list of runs, then every change of it, until the reader is gone. */
export async function streamList(stream: EventStream, index: RunIndex): Promise<void> {
  let sending = Promise.resolve();
  const send = (event: string, data: unknown): void => {
    sending = sending.then(() => stream.send(event, data)).catch(() => undefined);
  };
  // Listening starts first, so that no change is lost in between.
  const stop = index.watch((change: RunsChange) => send("change", change));
  send("list", index.list());
  for await (const more of index.rest()) {
    if (stream.signal.aborted) break;
    send("more", more);
    // Nothing more is prepared until the reader has room for it.
    await sending;
  }
  await aborted(stream.signal);
  stop();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
