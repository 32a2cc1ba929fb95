/**
 * Live sessions, measured from the consumer's side: `talk.mjs latency LINES PAUSE_MS DIRECTORY` prints the ages of lines on arrival,
 * `talk.mjs interrupt TIMES DIRECTORY` the milliseconds from the agent's end of a turn to `turn_end`, and `talk.mjs idle SESSIONS
 * DIRECTORY` what idle sessions take. `idle` needs --expose-gc.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { open } from "../../dist/index.js";
import { ageOf } from "../stamped-line.mjs";

const [, , what, ...words] = process.argv;
const binary = fileURLToPath(new URL("./converse.mjs", import.meta.url));
const measures = { latency, interrupt, idle };
console.log(JSON.stringify(await measures[what](...words)));

function begin(sessionsDirectory) {
  return open({ agent: "claude", binary, sessionsDirectory });
}

async function latency(lines, pauseMs, directory) {
  const session = begin(directory);
  const ages = [];
  for await (const event of session.send(`speak ${lines} ${pauseMs}`))
    if (event.type === "agent") ages.push(ageOf(event.message));
  await session.close();
  // The first lines run code that is not optimised yet.
  return ages.slice(50);
}

async function interrupt(times, directory) {
  const session = begin(directory);
  const late = [];
  for (let n = 0; n < Number(times); n++) {
    const turn = session.send("hold");
    let age;
    for await (const event of turn) {
      if (event.type === "turn") void session.interrupt();
      if (event.type === "agent") age = event.message;
      if (event.type === "turn_end") late.push(ageOf(age));
    }
  }
  await session.close();
  return late.slice(5);
}

async function idle(count, directory) {
  const first = begin(directory);
  await first.send("speak 1 0").result;
  const before = memory();
  const held = Array.from({ length: Number(count) }, () => begin(directory));
  await Promise.all(held.map((session) => session.send("speak 1 0").result));
  await sleep(1000);
  const kilobytes = (memory() - before) / 1024 / Number(count);
  const cpu = process.cpuUsage();
  const since = process.hrtime.bigint();
  await sleep(5000);
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = Number(process.hrtime.bigint() - since) / 1000;
  await Promise.all([first, ...held].map((session) => session.close()));
  return { kilobytes, percentOfCore: (100 * (user + system)) / elapsed };
}

function memory() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage.rss();
}
