import type { EventStream } from "./event-stream.js";
import { createGatheredChanges } from "./gathered-changes.js";
import type { RunsChange } from "./protocol.js";
import type { RunIndex } from "./run-index.js";

/** The list of runs, then every change of it, until the reader is gone. */
export async function streamList(
  stream: EventStream,
  index: Pick<RunIndex, "watch" | "list" | "rest">,
): Promise<void> {
  let sending = Promise.resolve();
  const send = (event: string, data: () => unknown): void => {
    sending = sending.then(() => stream.send(event, data())).catch(() => undefined);
  };
  const changes = createGatheredChanges<RunsChange>();
  // Listening starts first, so that no change is lost in between.
  const stop = index.watch((change) => {
    // A reader that does not read has one message waiting, however many changes come.
    if (changes.add(change)) send("change", changes.take);
  });
  const list = index.list();
  send("list", () => list);
  for await (const more of index.rest()) {
    if (stream.signal.aborted) break;
    send("more", () => more);
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
