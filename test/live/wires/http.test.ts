import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createHttpWire, type HttpConnection, type HttpLimits } from "../../../src/live/wires/http.js";

/** A real server on the loopback interface, and what the wire says about it. */
interface Stage {
  wire: HttpConnection;
  server: Server;
  lines: string[];
  problems: string[];
  /** Resolves when the lines and problems so far satisfy the test. */
  until(isReached: () => boolean): Promise<void>;
  /** The open streams of events. */
  streams: ServerResponse[];
}

const open: Stage[] = [];

afterEach(async () => {
  for (const { wire, server } of open.splice(0)) {
    wire.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function stage(
  handle: Handle = (_request, response) => response.end("true"),
  options: { limits?: Partial<HttpLimits>; onEvents?: Handle; password?: string } = {},
): Promise<Stage> {
  const streams: ServerResponse[] = [];
  const onEvents: Handle =
    options.onEvents ??
    ((request, response) => {
      if (request.headers.authorization !== `Basic ${btoa("opencode:secret")}`)
        return void response.writeHead(401).end();
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write('data: {"type":"server.connected"}\n\n');
      streams.push(response);
    });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    if (request.url === "/event") onEvents(request, response, body);
    else handle(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const lines: string[] = [];
  const problems: string[] = [];
  let wake = (): void => {};
  const wire = createHttpWire({
    address: `http://127.0.0.1:${port}`,
    user: "opencode",
    password: options.password ?? "secret",
    events: "/event",
    limits: { reconnectMs: 1, ...options.limits },
    onLine(line) {
      lines.push(line);
      wake();
    },
    onProblem(message) {
      problems.push(message);
      wake();
    },
  });
  const until = async (isReached: () => boolean): Promise<void> => {
    while (!isReached())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const made: Stage = { wire, server, lines, problems, until, streams };
  open.push(made);
  return made;
}

const connected = 'SSE {"type":"server.connected"}';
const answers = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("HTTP "));
const events = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("SSE "));

it("is ready when the stream of events is open, and each event is a line", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  await until(() => lines.length === 1);
  streams[0]?.write('id: 7\nevent: message\n: a comment\ndata: {"a":1}\n\ndata:{"b":2}\r\n\r\n');
  await until(() => lines.length === 3);
  expect(lines).toEqual([connected, 'SSE {"a":1}', 'SSE {"b":2}']);
});

it("puts an event together that arrives in pieces, inside a character too", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  const bytes = Buffer.from('data: {"text":"größer 😀"}\n\n');
  for (const byte of bytes) streams[0]?.write(Buffer.of(byte));
  await until(() => lines.length === 2);
  expect(lines[1]).toBe('SSE {"text":"größer 😀"}');
});

it("makes one line of data that has several", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  streams[0]?.write('data: {\ndata: "a": 1\ndata: }\n\n');
  await until(() => lines.length === 2);
  expect(lines[1]).toBe('SSE { "a": 1 }');
});

it("passes on events that are not JSON", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  streams[0]?.write("garbage\n\ndata: not json\n\n\n\n");
  await until(() => lines.length === 2);
  expect(lines[1]).toBe("SSE not json");
});

it("sends method, path, body and password, and answers with status and body", async () => {
  const seen: unknown[] = [];
  const { wire, lines, until } = await stage((request, response, body) => {
    const { method, url, headers } = request;
    seen.push([method, url, headers.authorization, headers["content-type"], body]);
    if (method === "GET") response.writeHead(404).end('{\n  "name": "NotFoundError"\n}\n');
    else response.writeHead(204).end();
  });
  await wire.ready;
  wire.send('POST /session/a/prompt_async {"text":"a b\\nc"}');
  wire.send("GET /session");
  await until(() => answers(lines).length === 2);
  const basic = `Basic ${btoa("opencode:secret")}`;
  expect(seen).toEqual([
    ["POST", "/session/a/prompt_async", basic, "application/json", '{"text":"a b\\nc"}'],
    ["GET", "/session", basic, undefined, ""],
  ]);
  expect(answers(lines)).toEqual(["HTTP 204 ", 'HTTP 404 { "name": "NotFoundError" }']);
});

it("sends the next request only after the answer to the one before", async () => {
  const seen: (string | undefined)[] = [];
  const { wire, lines, until } = await stage((request, response) => {
    seen.push(request.url);
    if (seen.length > 1) response.end("second");
    else setImmediate(() => setImmediate(() => response.end("first")));
  });
  await wire.ready;
  for (const path of ["/1", "/2", "/3"]) wire.send(`POST ${path} {}`);
  await until(() => answers(lines).length === 3);
  expect(seen).toEqual(["/1", "/2", "/3"]);
  expect(answers(lines)).toEqual(["HTTP 200 first", "HTTP 200 second", "HTTP 200 second"]);
});

it("sends what is sent while an answer is handed on after what already waits", async () => {
  const seen: (string | undefined)[] = [];
  let isOne = true;
  let open = 0;
  const made = await stage((request, response) => {
    seen.push(request.url);
    isOne &&= ++open === 1;
    setImmediate(() => {
      open--;
      response.end();
    });
  });
  const { wire, lines, until } = made;
  await wire.ready;
  const push = lines.push.bind(lines);
  lines.push = (...added) => {
    if (answers(lines).length === 0 && added[0]?.startsWith("HTTP")) wire.send("GET /from-answer");
    return push(...added);
  };
  for (const path of ["/1", "/2"]) wire.send(`POST ${path} {}`);
  await until(() => answers(lines).length === 3);
  expect([seen, isOne]).toEqual([["/1", "/2", "/from-answer"], true]);
});

it("answers a request that got no answer, and sends the next one", async () => {
  const { wire, lines, until } = await stage(
    (request, response) => {
      if (request.url === "/cut") response.destroy();
      else if (request.url === "/half") {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      } else if (request.url === "/good") response.end("good");
    },
    { limits: { timeoutMs: 300 } },
  );
  await wire.ready;
  for (const path of ["/cut", "/half", "/never", "/good"]) wire.send(`GET ${path}`);
  await until(() => answers(lines).length === 4);
  expect(answers(lines).map((line) => line.split(" ")[1])).toEqual(["0", "0", "0", "200"]);
  expect(answers(lines)[2]).toBe("HTTP 0 no answer within 0.3 s");
});

it("answers what is not a request without sending anything else", async () => {
  const seen: unknown[] = [];
  const { wire, lines, until } = await stage((request, response) => {
    seen.push(request.url);
    response.end();
  });
  await wire.ready;
  wire.send("nonsense");
  wire.send("GET /good");
  await until(() => answers(lines).length === 2);
  expect(seen).toEqual(["/good"]);
  expect(answers(lines)).toEqual(["HTTP 0 not a request", "HTTP 200 "]);
});

it("never leaves the server, whatever a path says", async () => {
  const seen: unknown[] = [];
  const { wire, lines, until } = await stage((request, response) => {
    seen.push(request.url);
    response.end();
  });
  await wire.ready;
  wire.send("GET //127.0.0.1:1/x");
  await until(() => answers(lines).length === 1);
  expect(seen).toEqual(["//127.0.0.1:1/x"]);
});

it("is not ready if the password is refused", async () => {
  const { wire } = await stage(undefined, { password: "wrong" });
  await expect(wire.ready).rejects.toThrow("the server refused the password (401)");
});

it("is not ready if another program is at the address", async () => {
  const page = await stage(undefined, {
    onEvents: (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  });
  await expect(page.wire.ready).rejects.toThrow("the server sent text/html instead of events");
  const missing = await stage(undefined, {
    onEvents: (_request, response) => response.writeHead(404).end(),
  });
  await expect(missing.wire.ready).rejects.toThrow("the server answered 404 instead of events");
});

it("is not ready if nobody listens, or nobody answers", async () => {
  const { server, wire } = await stage();
  await wire.ready;
  const { port } = server.address() as AddressInfo;
  wire.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const nobody = { user: "", password: "", events: "/event", onLine() {}, onProblem() {} };
  const refused = createHttpWire({ ...nobody, address: `http://127.0.0.1:${port}` });
  await expect(refused.ready).rejects.toThrow("ECONNREFUSED");
  const silent = await stage(undefined, { onEvents() {}, limits: { timeoutMs: 50 } });
  await expect(silent.wire.ready).rejects.toThrow("no answer within 0.05 s");
});

it.each([
  "http://192.0.2.1:80",
  "http://127.0.0.1.example.com",
  "https://127.0.0.1",
  "http://localhost.example.com",
  "x",
])("sends no password to %s", async (address) => {
  const wire = createHttpWire({
    address,
    user: "",
    password: "secret",
    events: "/event",
    onLine() {},
    onProblem() {},
  });
  wire.send("GET /");
  wire.setPaused(true);
  await expect(wire.ready).rejects.toThrow("is not an address of this machine");
  wire.close();
});

it("opens a stream again that broke off, and says so", async () => {
  const { wire, lines, problems, until, streams } = await stage();
  await wire.ready;
  streams[0]?.write('data: {"half":');
  streams[0]?.end();
  await until(() => events(lines).length === 2);
  streams[1]?.write('data: {"a":1}\n\n');
  await until(() => events(lines).length === 3);
  expect(events(lines)).toEqual([connected, connected, 'SSE {"a":1}']);
  expect(problems).toEqual([expect.stringMatching(/broke off \(.*\) and was opened again/)]);
});

it("gives up on a stream that cannot be opened again, and says so once", async () => {
  const { wire, problems, until, streams, server } = await stage(undefined, { limits: { reconnects: 3 } });
  await wire.ready;
  server.removeAllListeners("request");
  server.on("request", (_request, response) => response.writeHead(503).end());
  streams[0]?.destroy();
  await until(() => problems.length === 1);
  expect(problems[0]).toMatch(/cannot be opened again \(the server answered 503 instead of events\)$/);
});

it("says nothing about a stream that breaks off because it was closed", async () => {
  const { wire, problems, lines, streams } = await stage();
  await wire.ready;
  const before = lines.length;
  wire.send("GET /x");
  wire.close();
  streams[0]?.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  wire.send("GET /y");
  expect([problems, lines.length]).toEqual([[], before]);
});

it("is not ready if it is closed before", async () => {
  const { wire } = await stage();
  wire.close();
  await expect(wire.ready).rejects.toThrow("closed");
});

it("cuts an event that is too long, says so, and reads the next one", async () => {
  const { wire, lines, problems, until, streams } = await stage(undefined, { limits: { maxBytes: 100 } });
  await wire.ready;
  streams[0]?.write(`data: ${"x".repeat(1000)}\n\n`);
  streams[0]?.write(`data: ${"y".repeat(60)}\ndata: ${"z".repeat(60)}\n\ndata: {}\n\n`);
  await until(() => lines.at(-1) === "SSE {}");
  expect(lines.slice(1).map((line) => line.length)).toEqual([98, 104, 6]);
  expect(problems).toEqual([
    "an event was longer than the limit: 906 bytes of it were dropped",
    "an event was longer than the limit: 21 bytes of it were dropped",
  ]);
});

it("cuts a body that is too long", async () => {
  const { wire, lines, until } = await stage((_request, response) => response.end("x".repeat(1_000_000)), {
    limits: { maxBytes: 1000 },
  });
  await wire.ready;
  wire.send("GET /x");
  await until(() => answers(lines).length === 1);
  expect(answers(lines)[0]).toHaveLength("HTTP 200 ".length + 1000);
});

it("takes an event of several megabytes", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  streams[0]?.write(`data: "${"x".repeat(8_000_000)}"\n\n`);
  await until(() => lines.length === 2);
  expect(lines[1]).toHaveLength(8_000_006);
});

it("leaves a flood of events in the connection while it is paused, and loses none", async () => {
  const { wire, lines, until, streams } = await stage();
  await wire.ready;
  await until(() => lines.length === 1);
  wire.setPaused(true);
  const [stream] = streams;
  const data = `data: "${"x".repeat(10_000)}"\n\n`;
  let written = 0;
  // The server sees that nobody reads: its own buffer fills up, long before 5000 events.
  while (written < 5000) {
    written++;
    if (stream?.write(data) === false && (stream?.writableLength ?? 0) > 16_000_000) break;
  }
  expect(written).toBeLessThan(5000);
  wire.send("GET /meanwhile");
  await until(() => answers(lines).length === 1);
  expect(events(lines).length).toBeLessThan(100);
  wire.setPaused(false);
  await until(() => events(lines).length === written + 1);
});

it("can be paused after the stream was opened again", async () => {
  const { wire, lines, until, streams, problems } = await stage();
  await wire.ready;
  streams[0]?.end();
  await until(() => problems.length === 1 && events(lines).length === 2);
  wire.setPaused(true);
  streams[1]?.write("data: 1\n\n");
  wire.send("GET /x");
  await until(() => answers(lines).length === 1);
  expect(lines).not.toContain("SSE 1");
  wire.setPaused(false);
  await until(() => lines.at(-1) === "SSE 1");
});
