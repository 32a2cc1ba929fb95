import { signal } from "@preact/signals";
import { parseExact } from "../../../src/text/parse-exact.js";

/** `lost`: the server does not answer, and is asked again. `refused`: it does not know this page any more. */
export type Connection = "connecting" | "open" | "lost" | "refused";
export const connection = signal<Connection>("connecting");

const retryMs = 1500;
/** A page that nobody has looked at for so long lets go of its connections: browsers have few for each server. */
const restMs = 3000;

/** What to do with each message; its data is what the server's protocol says it is. */
export type Listeners<Messages> = { [Name in keyof Messages]: (data: Messages[Name]) => void };

/**
 * Server-sent events with their data parsed, until `close`. The browser asks again by itself and tells the
 * last event it had; where it gives up (an answer that is no stream), this asks again. A page in the background
 * rests, and goes on after the last event it had.
 */
export function openStream<Messages extends object>(
  path: string,
  listeners: Listeners<Messages>,
): { close(): void } {
  let source: EventSource | undefined;
  let timer: number | undefined;
  let rest: number | undefined;
  let isClosed = false;
  let lastId = "";

  function open(): void {
    source = new EventSource(lastId === "" ? path : `${path}?after=${lastId}`);
    source.onopen = () => {
      connection.value = "open";
    };
    source.onerror = () => void retry();
    for (const name in listeners)
      source.addEventListener(name, (event: MessageEvent<string>) => {
        lastId = event.lastEventId;
        listeners[name](parse(event.data));
      });
  }

  function look(): void {
    clearTimeout(rest);
    if (document.hidden) rest = window.setTimeout(pause, restMs);
    else if (source === undefined) open();
  }

  function pause(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  async function retry(): Promise<void> {
    if (isClosed) return;
    connection.value = "lost";
    if (source?.readyState !== EventSource.CLOSED) return;
    const status = await fetch("/", { method: "HEAD" }).then(
      (response) => response.status,
      () => 0,
    );
    if (isClosed || source === undefined) return;
    connection.value = status === 401 || status === 403 ? "refused" : "lost";
    timer = window.setTimeout(open, retryMs);
  }

  open();
  document.addEventListener("visibilitychange", look);
  return {
    close() {
      isClosed = true;
      document.removeEventListener("visibilitychange", look);
      clearTimeout(rest);
      clearTimeout(timer);
      source?.close();
    },
  };
}

/** Numbers in what agents print keep their spelling. */
function parse<T>(data: string): T;
function parse(data: string): unknown {
  return parseExact(data);
}
