import type { Socket } from "node:net";
import { createLineSplitter } from "../../process/line-splitter.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { toJson } from "../../text/to-json.js";
import type { SessionControl } from "./session-control.js";

/**
 * The channel between a live session and other processes of the same user: lines of JSON. The session's side says hello first. Then
 * each line of the client is `{ id, do, args }`, and each has one answer: `{ id, ok }` or `{ id, error: { code, message } }`. Answers
 * come in the order in which things are done, not in that of the questions.
 */
export const hello = { harness: "control", version: 1 } as const;

export type Verb = keyof SessionControl;

export const verbs: ReadonlySet<string> = new Set<Verb>([
  "state",
  "send",
  "answer",
  "interrupt",
  "setModel",
  "close",
  "cancel",
]);

export interface LineOptions {
  /** A longer line ends the connection. */
  maxBytes: number;
  onMessage(message: JsonObject): void;
  /** The other side does not keep to the protocol. */
  onBroken(why: string): void;
}

/** Reads lines of JSON objects. The first one that is not an object, or is too long, is the last one that is read. */
export function readMessages(socket: Socket, { maxBytes, onMessage, onBroken }: LineOptions): void {
  let isBroken = false;
  let pendingBytes = 0;

  function broken(why: string): void {
    if (isBroken) return;
    isBroken = true;
    onBroken(why);
  }

  const lines = createLineSplitter({
    maxLineBytes: maxBytes,
    onLine(text, extra) {
      if (isBroken) return;
      if (extra?.droppedBytes !== undefined) return broken("a line is too long");
      const message = parse(text);
      if (message === undefined) broken("a line is not a JSON object");
      else onMessage(message);
    },
  });
  socket.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    const end = chunk.lastIndexOf(lineFeed);
    pendingBytes = end === -1 ? pendingBytes + chunk.length : chunk.length - end - 1;
    // Without a line feed the splitter would keep waiting for one.
    if (pendingBytes > maxBytes) broken("a line is too long");
    else lines.push(chunk);
  });
}

const lineFeed = 10;

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeMessage(socket: Socket, message: unknown): void {
  if (socket.writable) socket.write(`${toJson(message)}\n`);
}
