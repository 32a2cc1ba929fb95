import { spawnSync } from "node:child_process";
import { capturedAgents } from "../inputs/captures.mjs";
import { removeInput } from "../inputs/file.mjs";
import { longRun } from "../inputs/long-run.mjs";
import { bestOfEach, cli, program, runCommand, runNode } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/** What a format must reach compared with the yardstick, for the slowest agent and for all together. */
const goals = {
  ndjson: { worst: 0.9, all: 1 },
  full: { worst: 0.85 },
  events: { worst: 0.85 },
  "run-events": { worst: 0.85 },
};

/**
 * `harness translate` as a command, in every format, compared with the yardstick as a command on the same file. All inputs have the
 * same size, so "all agents" is the same number of bytes of each.
 */
export async function translate({
  megabytes,
  agents = capturedAgents,
  formats = Object.keys(goals),
  times = rounds,
  isComparedWithJq = hasJq(),
}) {
  const measured = [];
  for (const agent of agents) {
    const input = longRun(agent, megabytes);
    const translation = (format) => () =>
      runNode([cli, "translate", "--agent", agent, "--format", format, input.file]);
    const works = {
      yardstick: () => runNode([program("yardstick.mjs"), input.file]),
      ...Object.fromEntries(formats.map((format) => [format, translation(format)])),
      ...(isComparedWithJq && { jq: () => runCommand("jq", ["-c", ".", input.file]) }),
    };
    measured.push({ agent, bytes: input.bytes, times: await bestOfEach(works, times) });
    removeInput(input);
  }
  const all = sumOf(measured);
  return [
    ...formats.flatMap((format) => rowsOf(format, measured, all)),
    ...(isComparedWithJq
      ? [{ ...row("ndjson", all, "jq"), figure: "translate -f ndjson / jq -c ., all agents" }]
      : []),
  ];
}

function rowsOf(format, measured, all) {
  const figure = `translate -f ${format} / yardstick`;
  const each = measured.map((one) => ({
    figure,
    agent: one.agent,
    column: `${format} / yardstick`,
    ...row(format, one),
  }));
  const { agent, column, ...worst } = each.reduce((low, one) => (one.ratio < low.ratio ? one : low));
  const goal = (least) => least !== undefined && { goal: { ratio: { least } } };
  return [
    { ...worst, figure: `${figure}, slowest agent`, which: agent, ...goal(goals[format].worst) },
    { ...row(format, all), figure: `${figure}, all agents`, ...goal(goals[format].all) },
    ...each,
  ];
}

function row(format, { bytes, times }, base = "yardstick") {
  return {
    value: bytes / 1e3 / times[format],
    baseline: bytes / 1e3 / times[base],
    unit: "MB/s",
    ratio: times[base] / times[format],
  };
}

function sumOf(measured) {
  const names = Object.keys(measured[0].times);
  const sum = (of) => measured.reduce((total, one) => total + of(one), 0);
  const times = Object.fromEntries(names.map((name) => [name, sum((one) => one.times[name])]));
  return { bytes: sum(({ bytes }) => bytes), times };
}

function hasJq() {
  return spawnSync("jq", ["--version"]).status === 0;
}
