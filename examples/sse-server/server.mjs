// Streams runs as server-sent events: node server.mjs [agent] [port]
//   curl -N -H "authorization: Bearer TOKEN" -d "What is in this folder?" http://127.0.0.1:PORT/runs
// Whoever can send a request starts an agent, so every request needs the token, which pages in a browser do not have.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { formats, run } from "harness-stream";

const [agent = "claude", port = "0"] = process.argv.slice(2);
const token = randomBytes(24).toString("base64url");
const longestPrompt = 100_000;

function isAllowed({ headers }) {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readPrompt(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > longestPrompt) throw new Error("the prompt is too long");
  }
  return text;
}

async function serve(request, response) {
  if (!isAllowed(request)) return response.writeHead(401).end("The token is missing or wrong.\n");
  if (request.method !== "POST" || request.url !== "/runs")
    return response.writeHead(404).end("POST a prompt to /runs.\n");
  const started = run({ agent, prompt: await readPrompt(request), permissions: "read-only" });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  // A client that goes away ends its run.
  response.on("close", () => started.cancel());
  const view = formats["run-events"].create();
  for await (const steps of started.batches())
    for (const { events } of steps)
      for (const item of view.push(events)) {
        const isTaken = response.write(`event: ${item.kind}\ndata: ${JSON.stringify(item)}\n\n`);
        // A slow reader slows the agent, not our memory.
        if (!isTaken && !response.closed)
          await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
      }
  response.end();
}

const server = createServer((request, response) =>
  serve(request, response).catch((error) => {
    if (!response.headersSent) response.writeHead(400);
    response.end(`${error.message}\n`);
  }),
);
server.listen(Number(port), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}/runs ${token}`),
);
