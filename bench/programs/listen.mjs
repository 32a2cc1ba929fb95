/**
 * Times a line from the agent's write to the consumer: `listen.mjs bare|harness LINES PAUSE_MS DIRECTORY`. Prints the ages of
 * the lines on arrival, in milliseconds.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { run } from "../../dist/index.js";
import { ageOf } from "../stamped-line.mjs";

const [, , way, BENCH_LINES, BENCH_PAUSE_MS, sessionsDirectory] = process.argv;
const agent = fileURLToPath(new URL("./speak.mjs", import.meta.url));
const env = { BENCH_LINES, BENCH_PAUSE_MS };
const ages = [];
await (way === "bare" ? bare() : harness());
// The first lines run code that is not optimised yet.
console.log(JSON.stringify(ages.slice(50)));

async function bare() {
  const child = spawn(agent, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  let rest = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) ages.push(ageOf(JSON.parse(line).message.content[0].text));
  }
}

async function harness() {
  for await (const event of run({ agent: "claude", prompt: "speak", binary: agent, env, sessionsDirectory }))
    if (event.type === "agent") ages.push(ageOf(event.message));
}
