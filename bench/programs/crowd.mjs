/**
 * Many runs in one process: `crowd.mjs RUNS LINES_PER_SECOND SECONDS DIRECTORY yes|no`, recorded or not. Prints percentiles
 * of the lines' delay in milliseconds, and the number of lines.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../dist/index.js";
import { percentile } from "../measure.mjs";
import { monotonicMs, timeOf } from "../stamped-line.mjs";

const [, , runs, rate, seconds, directory, recorded] = process.argv;
mkdirSync(directory, { recursive: true });
const pipes = Array.from({ length: Number(runs) }, (_, n) => join(directory, `pipe-${n}`));
spawnSync("mkfifo", pipes);
const script = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const writer = spawn(process.execPath, [script("write-pipes.mjs"), rate, seconds, ...pipes], {
  stdio: ["pipe", "inherit", "inherit"],
});

const ages = [];
const linesPerSecond = Number(rate);
const all = pipes.map((pipe) => listen(pipe));
await Promise.all(all.map(({ started }) => started));
writer.stdin.end();
await Promise.all(all.map(({ ended }) => ended));
if (writer.exitCode === null) await once(writer, "exit");
const late = Object.fromEntries([50, 99, 100].map((percent) => [percent, percentile(ages, percent)]));
console.log(JSON.stringify({ late, lines: ages.length }));

function listen(pipe) {
  const running = run({
    agent: "claude",
    prompt: "speak",
    binary: script("read-pipe"),
    env: { BENCH_PIPE: pipe },
    log: recorded === "yes",
    sessionsDirectory: join(directory, "sessions"),
  });
  let onStarted;
  const started = new Promise((resolve) => {
    onStarted = resolve;
  });
  return { started, ended: read(running, onStarted) };
}

async function read(running, onStarted) {
  let seen = 0;
  let last = "";
  let printedAt = 0;
  for await (const event of running) {
    if (event.type === "started") onStarted();
    if (event.type !== "agent") continue;
    seen += 1;
    // In the first second, the code is not optimised yet.
    if (seen <= linesPerSecond) continue;
    // Lines that were written at once have one time: it is read once, so that this program takes little of the time that it measures.
    if (event.message !== last) {
      last = event.message;
      printedAt = timeOf(last);
    }
    ages.push(monotonicMs() - printedAt);
  }
}
