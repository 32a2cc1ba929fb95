import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect } from "./apis/dialect.js";
import type { RecordedAnswer, RecordedRequest } from "./recorded-request.js";
import { type Frame, isInterruption, type Reply } from "./reply.js";
import type { Interruption } from "./scenario.js";

/** Sends an answer, streamed or whole, and records how far it got. */
export async function respond(
  response: ServerResponse,
  dialect: Dialect,
  reply: Reply,
  { isStreaming, record }: { isStreaming: boolean; record: RecordedRequest },
): Promise<void> {
  const { before, rest } = leadingInterruptions(reply);
  if (!(await goesOn(response, before))) return;
  if (!isStreaming) {
    if (!(await goesOn(response, rest.pieces.filter(isInterruption)))) return;
    return respondJson(response, 200, dialect.whole(rest), record.answer);
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  record.answer.status = 200;
  for (const frame of dialect.frames(rest, record.body)) {
    if (isInterruption(frame) ? !(await goesOn(response, [frame])) : response.closed) return;
    if (!isInterruption(frame)) response.write(toText(frame));
  }
  response.end();
  record.answer.isComplete = true;
}

export function respondJson(
  response: ServerResponse,
  status: number,
  body: object,
  answer: RecordedAnswer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
  answer.status = status;
  answer.isComplete = true;
}

/** Interruptions before the first piece must happen before the headers too, so that the client sees nothing at all. */
function leadingInterruptions(reply: Reply): { before: readonly Interruption[]; rest: Reply } {
  const first = reply.pieces.findIndex((piece) => !isInterruption(piece));
  const count = first === -1 ? reply.pieces.length : first;
  const before = reply.pieces.slice(0, count).filter(isInterruption);
  return { before, rest: { ...reply, pieces: reply.pieces.slice(count) } };
}

/** Performs the interruptions. False if they end the answer. */
async function goesOn(response: ServerResponse, interruptions: readonly Interruption[]): Promise<boolean> {
  for (const interruption of interruptions) {
    if (interruption.kind === "pause") await delay(interruption.ms);
    else if (interruption.kind === "cut") await cut(response);
    else await closed(response);
    if (interruption.kind !== "pause" || response.closed) return false;
  }
  return true;
}

/**
 * What was written still arrives, only the end does not. The client gets a moment to read it: if the connection closes too
 * early, the client assumes that it was never established.
 */
async function cut(response: ServerResponse): Promise<void> {
  await delay(100);
  response.socket?.destroySoon();
}

function closed(response: ServerResponse): Promise<unknown> | undefined {
  return response.closed ? undefined : new Promise((resolve) => response.once("close", resolve));
}

function toText(frame: Exclude<Frame, Interruption>): string {
  const data = typeof frame.data === "string" ? frame.data : JSON.stringify(frame.data);
  return `${frame.event === undefined ? "" : `event: ${frame.event}\n`}data: ${data}\n\n`;
}
