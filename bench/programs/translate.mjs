/**
 * Times lines → events of one agent, compared with parsing them, in one process: `translate.mjs AGENT FILE ROUNDS`. Prints
 * the best times in milliseconds.
 */
import { createReadStream } from "node:fs";
import { requireAgent } from "../../dist/agents/registry.js";
import { createSteps } from "../../dist/agents/steps.js";
import { createLineSplitter } from "../../dist/process/line-splitter.js";
import { bestOfEach } from "../measure.mjs";
import { splitAndParse } from "./parse.mjs";

const [, , agent, file, rounds] = process.argv;
const timestamp = "2026-01-01T00:00:00.000Z";

const works = { parse: () => splitAndParse(file), translate: translateFile };
console.log(JSON.stringify(await bestOfEach(works, Number(rounds))));

async function translateFile() {
  const steps = createSteps(requireAgent(agent), { cwd: "/workspace", startedAt: timestamp });
  let events = countEvents(steps.start());
  const splitter = createLineSplitter({
    onLine: (line) => {
      events += steps.push({ timestamp, stream: "stdout", line }).events.length;
    },
  });
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) splitter.push(chunk);
  splitter.end();
  return events + steps.end({ exitCode: 0 }).events.length;
}

function countEvents(steps) {
  return steps.reduce((sum, step) => sum + step.events.length, 0);
}
