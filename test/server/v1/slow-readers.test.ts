import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EventStream, eventStream } from "../../../src/server/event-stream.js";

/** Resolves when a number has stopped growing. */
async function hasSettled(read: () => number): Promise<number> {
  let last = -1;
  for (let still = 0; still < 300; still += 1) {
    if (read() !== last) still = 0;
    last = read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return last;
}

describe("a reader of an event stream that does not read", () => {
  const messages = 20_000;
  const data = "x".repeat(10_000);

  it.each<[string, (stream: EventStream) => Promise<void>]>([
    ["send", (stream) => stream.send("message", data)],
    ["write", (stream) => stream.write([data])],
  ])("stops whoever writes it, until it reads on or is gone: %s", async (_, add) => {
    let sent = 0;
    let whenOver: (isAborted: boolean) => void = () => undefined;
    const over = new Promise<boolean>((resolve) => {
      whenOver = resolve;
    });
    const app = new Hono().get("/", (context) =>
      eventStream(context, async (stream) => {
        for (; sent < messages && !stream.signal.aborted; sent += 1) await add(stream);
        whenOver(stream.signal.aborted);
      }),
    );
    const server = createServer(getRequestListener(app.fetch));
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const reader = connect((server.address() as AddressInfo).port, "127.0.0.1");
    reader.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(reader, "readable");
    const before = await hasSettled(() => sent);
    // 200 MB are to be sent. The buffers of the system hold some of them.
    expect(before).toBeLessThan(messages / 10);
    for (let read = 0; read < 20_000_000; ) {
      const chunk = reader.read();
      if (chunk === null) await once(reader, "readable");
      else read += chunk.length;
    }
    expect(await hasSettled(() => sent)).toBeGreaterThan(before);
    reader.destroy();
    expect(await over).toBe(true);
    expect(sent).toBeLessThan(messages);
  });
});
