/** The memory of active runs: `hold-runs.mjs RUNS DIRECTORY`. Prints KB per run. Needs --expose-gc. */
import { fileURLToPath } from "node:url";
import { run } from "../../dist/index.js";

const [, , runs, sessionsDirectory] = process.argv;
const binary = fileURLToPath(new URL("./wait", import.meta.url));

// The first run loads and compiles the code that all runs share.
const first = await begin();
const before = memory();
const held = await Promise.all(Array.from({ length: Number(runs) }, begin));
const kilobytes = (memory() - before) / 1024 / Number(runs);
for (const running of [first, ...held]) running.cancel();
await Promise.all([first, ...held].map(({ result }) => result));
console.log(JSON.stringify({ kilobytes }));

/** A run whose agent has printed something and is still running. */
async function begin() {
  const running = run({ agent: "claude", prompt: "wait", binary, sessionsDirectory });
  const events = running[Symbol.asyncIterator]();
  for (let event = await events.next(); event.value?.type !== "agent"; ) event = await events.next();
  (async () => {
    while (!(await events.next()).done);
  })();
  return running;
}

function memory() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage.rss();
}
