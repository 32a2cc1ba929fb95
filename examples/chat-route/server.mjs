// Routes for chat clients that somebody else wrote: node server.mjs [agent] [port]
//   /chat   for useChat of the AI SDK:  new DefaultChatTransport({ api: "…/chat", headers: { authorization: "Bearer TOKEN" } })
//   /ag-ui  for AG-UI:                  new HttpAgent({ url: "…/ag-ui", headers: { authorization: "Bearer TOKEN" } })
// Whoever can send a request starts an agent, so every request needs the token, which pages in a browser do not have.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { run, toResponse } from "harness-stream";

const [agent = "claude", port = "0"] = process.argv.slice(2);
const token = randomBytes(24).toString("base64url");
const longestBody = 1_000_000;

/** What the user said last. The AI SDK sends parts, AG-UI sends a text or parts. */
function promptOf({ messages }) {
  const { parts, content } = messages.findLast(({ role }) => role === "user") ?? {};
  if (typeof content === "string") return content;
  return (parts ?? content ?? []).map(({ text = "" }) => text).join("");
}

/** Each route is one run in one format. A client that stops or goes away ends its run. */
const routes = {
  "/chat": (body) => {
    const started = run({ agent, prompt: promptOf(body), permissions: "read-only" });
    return toResponse(started, "ui-message", { onCancel: () => started.cancel() });
  },
  "/ag-ui": (body) => {
    const { threadId, runId } = body;
    const started = run({ agent, prompt: promptOf(body), permissions: "read-only" });
    return toResponse(started, "ag-ui", { threadId, runId, onCancel: () => started.cancel() });
  },
};

function isAllowed({ headers }) {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readBody(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > longestBody) throw new Error("the body is too long");
  }
  return JSON.parse(text);
}

async function serve(request, answer) {
  if (!isAllowed(request)) return answer.writeHead(401).end("The token is missing or wrong.\n");
  const route = Object.hasOwn(routes, request.url) ? routes[request.url] : undefined;
  if (request.method !== "POST" || route === undefined)
    return answer.writeHead(404).end("POST to /chat or /ag-ui.\n");
  const { status, headers, body } = route(await readBody(request));
  answer.writeHead(status, Object.fromEntries(headers));
  return pipeline(Readable.fromWeb(body), answer);
}

const server = createServer((request, answer) =>
  serve(request, answer).catch((error) => {
    if (!answer.headersSent) answer.writeHead(400);
    answer.end(`${error.message}\n`);
  }),
);
server.listen(Number(port), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port} ${token}`),
);
