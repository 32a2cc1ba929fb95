import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { post } from "../../src/sending/post.js";

const options = { headers: {}, timeoutMs: 5000, signal: new AbortController().signal };

/** A server below HTTP: `answer` gets each connection when its first bytes have come. */
async function listen(answer: (socket: Socket) => void): Promise<URL> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
}

const refusal = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

it("survives a server that answers and hangs up before it has read the body", async () => {
  const closed: Promise<unknown>[] = [];
  const url = await listen((socket) => {
    socket.pause();
    socket.end(refusal);
    setImmediate(() => socket.resetAndDestroy());
    closed.push(once(socket, "close"));
  });
  // More than the buffers of both sides hold. An error that nobody listens for fails the test.
  expect(await post(url, { ...options, body: Buffer.alloc(20_000_000) })).toEqual({ status: 404 });
  await Promise.all(closed);
});

it("uses a new connection if the server has closed the one of the last request", async () => {
  const url = await listen((socket) => {
    socket.write(refusal);
    socket.once("data", () => socket.resetAndDestroy());
  });
  for (let round = 0; round < 3; round += 1)
    expect(await post(url, { ...options, body: "x" })).toEqual({ status: 404 });
});
