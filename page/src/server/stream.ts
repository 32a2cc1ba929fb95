import { signal } from "@preact/signals";
import { parseExact } from "../../../src/text/parse-exact.js";

/** `lost`: the server does not answer, and the page tries again. `refused`: the server no longer accepts this page. */
export type Connection = "connecting" | "open" | "lost" | "refused";
export const connection = signal<Connection>("connecting");

const retryMs = 1500;
/** A hidden page closes its connections after this time, because browsers allow only a few per server. */
const restMs = 3000;

/** A listener for each message. The types of the data are those of the server's protocol. */
export type Listeners<Messages> = { [Name in keyof Messages]: (data: Messages[Name]) => void };

/**
 * Receives server-sent events, with their data parsed, until `close`. The browser reconnects by itself and sends the id of the
 * last event. Where it gives up (the response was not a stream), this function reconnects. A hidden page disconnects, and
 * later continues behind the last event.
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

/** Numbers in the agents' output keep their spelling. */
function parse<T>(data: string): T;
function parse(data: string): unknown {
  return parseExact(data);
}
