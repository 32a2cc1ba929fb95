#!/usr/bin/env node
/*
 * Plays an agent that is a server (OpenCode, Kilo), by a transcript: replay-server.mjs TRANSCRIPT, or REPLAY_TRANSCRIPT. Requests are
 * answered in order, events go to whoever reads `/event`, and the password is that of the agent's variable.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { protocols, readEntries, readRequest } from "./replay/protocols.mjs";
import { createLog, createReplay } from "./replay/replay.mjs";

const path = process.env.REPLAY_TRANSCRIPT ?? process.argv[2];
if (process.argv.includes("--version")) {
  console.log("0.0.0");
  process.exit(0);
}
const prefix = ["OPENCODE", "KILO"].find((name) => process.env[`${name}_SERVER_PASSWORD`] !== undefined);
const password = process.env.REPLAY_PASSWORD ?? process.env[`${prefix}_SERVER_PASSWORD`];
const user = process.env[`${prefix}_SERVER_USERNAME`];
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** Lists that the transcripts never asked for. Everything else is an object. */
const lists = new Set(["GET /agent", "GET /permission", "GET /question"]);
let events;
let unread = [];

function say(line, client) {
  if (line.startsWith("SSE ")) {
    const event = `data: ${line.slice("SSE ".length)}\n\n`;
    if (events === undefined) unread.push(event);
    else events.write(event);
    return;
  }
  const [, status, body] = /^HTTP (\d+) ?(.*)$/s.exec(line);
  client?.response.writeHead(Number(status), { "content-type": "application/json" }).end(body);
}

const replay = createReplay({
  entries: readEntries(readFileSync(path, "utf8"), "serve"),
  protocol: protocols.serve,
  host: {
    say,
    complain: (line) => process.stderr.write(`${line}\n`),
    plain: ({ kind }) => `HTTP 200 ${lists.has(kind) ? "[]" : "{}"}`,
    log: createLog(process.env.REPLAY_LOG),
    // A server lives until it is stopped.
    finish() {},
  },
});

let count = 0;
const server = createServer(async (request, response) => {
  if (request.headers.authorization !== authorization) return response.writeHead(401).end();
  if (request.url === "/event") {
    events = response.writeHead(200, { "content-type": "text/event-stream" });
    events.write(unread.join(""));
    unread = [];
    return;
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { kind } = readRequest(request.method, request.url, Buffer.concat(chunks).toString("utf8"));
  replay.received({ kind, id: `client_${count++}`, response });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`${prefix?.toLowerCase()} server listening on http://127.0.0.1:${server.address().port}`);
  replay.begin();
});
