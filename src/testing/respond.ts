import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect } from "./apis/dialect.js";
import { type Frame, isInterruption, type Reply } from "./reply.js";
import type { Interruption } from "./scenario.js";

/** Sends an answer, as a stream or whole. Resolves to true when all of it was written. */
export async function respond(
  response: ServerResponse,
  dialect: Dialect,
  reply: Reply,
  request: { isStreaming: boolean; body: unknown },
): Promise<boolean> {
  const { before, rest } = leadingInterruptions(reply);
  for (const interruption of before) if (!(await interrupt(response, interruption))) return false;
  if (!request.isStreaming) return respondWhole(response, dialect, rest);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const frame of dialect.frames(rest, request.body)) {
    if (response.closed) return false;
    if (isInterruption(frame)) {
      if (!(await interrupt(response, frame))) return false;
    } else {
      response.write(toText(frame));
    }
  }
  response.end();
  return true;
}

async function respondWhole(response: ServerResponse, dialect: Dialect, reply: Reply): Promise<boolean> {
  for (const piece of reply.pieces)
    if (isInterruption(piece) && !(await interrupt(response, piece))) return false;
  respondJson(response, 200, dialect.whole(reply));
  return true;
}

export function respondJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** What comes before the first word must come before the headers too: the client is to see nothing at all. */
function leadingInterruptions(reply: Reply): { before: readonly Interruption[]; rest: Reply } {
  const first = reply.pieces.findIndex((piece) => !isInterruption(piece));
  const count = first === -1 ? reply.pieces.length : first;
  const before = reply.pieces.slice(0, count).filter(isInterruption);
  return { before, rest: { ...reply, pieces: reply.pieces.slice(count) } };
}

const cutAfterMs = 100;

/** Resolves to false when the answer is over with it. */
async function interrupt(response: ServerResponse, interruption: Interruption): Promise<boolean> {
  if (interruption.kind === "pause") {
    await delay(interruption.ms);
    return !response.closed;
  }
  if (interruption.kind === "cut") {
    // What was written still arrives, and is read before the end: clients take a connection that is gone by the time
    // they look for one that never was.
    await delay(cutAfterMs);
    response.socket?.destroySoon();
    return false;
  }
  if (!response.closed) await new Promise((resolve) => response.once("close", resolve));
  return false;
}

function toText(frame: Exclude<Frame, Interruption>): string {
  const data = typeof frame.data === "string" ? frame.data : JSON.stringify(frame.data);
  return `${frame.event === undefined ? "" : `event: ${frame.event}\n`}data: ${data}\n\n`;
}
