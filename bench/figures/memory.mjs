import { rmSync } from "node:fs";
import { join } from "node:path";
import { capturedAgents } from "../inputs/captures.mjs";
import { directory, removeInput } from "../inputs/file.mjs";
import { longRun } from "../inputs/long-run.mjs";
import { cli, program } from "../measure.mjs";
import { peakMemory } from "../peak-memory.mjs";

const ways = { translate: "translate", run: "harness run, recorded" };

/**
 * The peak memory of `harness translate` and of a recorded `harness run`, with much input and with a `part` of it, for every agent.
 * The agent of the run prints as fast as it is read.
 */
export async function memory({ gigabytes, agents = capturedAgents, part = 0.1 }) {
  const sizes = { little: gigabytes * part * 1000, much: gigabytes * 1000 };
  const measured = [];
  for (const agent of agents) {
    const one = { agent, translate: {}, run: {} };
    for (const [size, megabytes] of Object.entries(sizes)) {
      const input = longRun(agent, megabytes);
      one.translate[size] = await peakOfTranslate(agent, input);
      one.run[size] = await peakOfRun(agent, input);
      removeInput(input);
    }
    measured.push(one);
  }
  return Object.keys(ways).flatMap((way) => rowsOf(way, measured, sizes));
}

function peakOfTranslate(agent, { file }) {
  return peakMemory([cli, "translate", "--agent", agent, "--format", "ndjson", file]);
}

async function peakOfRun(agent, { file }) {
  const data = join(directory, "memory");
  const flags = ["run", "--agent", agent, "--prompt", "print", "--binary", program("print-file")];
  const env = { BENCH_INPUT: file, XDG_DATA_HOME: data };
  const megabytes = await peakMemory([cli, ...flags, "--format", "ndjson"], env);
  rmSync(data, { recursive: true, force: true });
  return megabytes;
}

function rowsOf(way, measured, sizes) {
  const [little, much] = [sizeText(sizes.little), sizeText(sizes.much)];
  const row = (one) => ({
    value: one[way].much,
    baseline: one[way].little,
    unit: "MB",
    ratio: one[way].much / one[way].little,
  });
  const most = (of) => measured.reduce((high, one) => (of(one) > of(high) ? one : high));
  const largest = most((one) => one[way].much);
  const steepest = most((one) => row(one).ratio);
  return [
    {
      figure: `memory, ${ways[way]}, ${much}, largest agent`,
      which: largest.agent,
      value: largest[way].much,
      unit: "MB",
      goal: { value: { most: 120 } },
    },
    {
      figure: `memory, ${ways[way]}, ${much} / ${little}, steepest agent`,
      which: steepest.agent,
      ...row(steepest),
      goal: { ratio: { most: 1.1 } },
    },
    ...measured.flatMap((one) => [
      {
        figure: `memory, ${ways[way]}, ${much} / ${little}`,
        agent: one.agent,
        column: `MB, ${way}, ${much} / ${little}`,
        ...row(one),
      },
    ]),
  ];
}

function sizeText(megabytes) {
  return megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`;
}
