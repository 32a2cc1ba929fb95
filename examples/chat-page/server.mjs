// A chat with an agent in the browser: node server.mjs [agent], then open the address that it prints.
// The address has a secret after the #, which only that page knows: other pages cannot talk with the agent.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { open, sessionAbilities } from "harness-stream";

const agent = process.argv[2] ?? "claude";
const token = randomBytes(24).toString("base64url");
const page = readFileSync(new URL("page.html", import.meta.url));
const session = open({ agent, permissions: sessionAbilities(agent)?.ask ? "ask" : "read-only" });

/** All events so far, so that a page that is opened again shows the whole chat. */
const events = [];
const readers = new Set();
const send = (response, event) => response.write(`${JSON.stringify(event)}\n`);
(async () => {
  for await (const event of session) {
    events.push(event);
    for (const response of readers) send(response, event);
  }
  for (const response of readers) response.end();
})();

const actions = {
  prompt: ({ text }) => void session.send(text),
  answer: ({ requestId, allow }) => session.answer(requestId, { allow }),
  interrupt: () => session.interrupt(),
};

async function serve(request, response) {
  if (request.url === "/")
    return response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
      })
      .end(page);
  if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
  if (request.url === "/events") {
    response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    for (const event of events) send(response, event);
    readers.add(response.on("close", () => readers.delete(response)));
    return undefined;
  }
  const action = Object.hasOwn(actions, request.url.slice(1)) ? actions[request.url.slice(1)] : undefined;
  if (request.method !== "POST" || action === undefined) return response.writeHead(404).end();
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  await action(JSON.parse(body));
  return response.writeHead(204).end();
}

const server = createServer((request, response) =>
  serve(request, response).catch((error) => response.writeHead(400).end(error.message)),
);
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/#${token}`));
process.once("SIGINT", async () => {
  await session.close();
  process.exit();
});
