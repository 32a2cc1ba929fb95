// node session.mjs SERVER.json AGENT PROMPT: a live session through the HTTP API of `harness view`
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const [server, agent, prompt] = process.argv.slice(2);
const { api, token } = JSON.parse(readFileSync(server, "utf8"));

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, accept: "application/x-ndjson" };
  const response = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error((await response.json()).message);
  return response;
}

const { id } = await (await call("POST", "/sessions", { agent, prompt, permissions: "ask" })).json();
const { body } = await call("GET", `/runs/${id}/events`);
for await (const line of createInterface({ input: Readable.fromWeb(body) })) {
  const { type, message, role, name, requestId } = JSON.parse(line);
  if (type === "agent" && role === undefined) console.log(message);
  if (type === "turn_end") await call("POST", `/runs/${id}/close`);
  if (type !== "request") continue;
  console.log(`It asks for ${name}. This program allows only reading.`);
  await call("POST", `/runs/${id}/answers`, { requestId, answer: { allow: name === "Read" } });
}
const { report } = await (await call("GET", `/runs/${id}`)).json();
console.log(report.outcome.reason, report.failure?.message ?? report.costUsd);
