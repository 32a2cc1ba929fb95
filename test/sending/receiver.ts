import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** One request, as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A server that somebody sends to. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves when so many requests have arrived. */
  hasReceived(count: number): Promise<void>;
}

type Answer = (response: ServerResponse, request: Received, number: number) => void;

export const accept: Answer = (response) => response.writeHead(200).end();

/** Listens until the test is over. By default every request is accepted. */
export async function startReceiver(answer: Answer = accept): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const got = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) };
    received.push(got);
    for (const look of waiting) look();
    answer(response, got, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    hasReceived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length >= count) resolve();
        };
        waiting.push(look);
        look();
      }),
  };
}

/** An address at which nobody listens. */
export async function addressOfNobody(): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}
