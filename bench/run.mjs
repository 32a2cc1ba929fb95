/** `npm run bench`: one table of ratios against a baseline measured in the same run. See bench/README.md. */
import { spawnSync } from "node:child_process";
import { createReadStream, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createTranslator } from "../dist/agents/create-translator.js";
import { createLineSplitter } from "../dist/process/line-splitter.js";
import { splitAndParse } from "./baseline.mjs";
import { buildInput } from "./input.mjs";

const megabytes = Number(process.env.BENCH_MB ?? 100);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const baseline = fileURLToPath(new URL("./baseline.mjs", import.meta.url));
const rows = [];

const agents = (process.env.BENCH_AGENTS ?? "claude,codex").split(",");
const total = { bytes: 0, parse: 0, translate: 0, parseProcess: 0, command: 0 };

for (const agent of agents) {
  const input = buildInput(agent, megabytes / agents.length);
  const parse = await best(() => splitAndParse(input.file));
  const translate = await best(() => translateInProcess(agent, input.file));
  const parseProcess = await best(() => runNode([baseline, input.file]));
  const commands = {};
  for (const format of ["ndjson", "events", "run-events", "full"]) {
    commands[format] = await best(() =>
      runNode([cli, "translate", "--agent", agent, "--format", format, input.file]),
    );
  }
  add(agent, input, "split + JSON.parse (baseline, in process)", parse, parse);
  add(agent, input, "translate, in process", translate, parse);
  add(agent, input, "split + JSON.parse (baseline, whole command)", parseProcess, parseProcess);
  for (const [format, time] of Object.entries(commands))
    add(agent, input, `harness translate --format ${format}`, time, parseProcess);
  total.bytes += input.bytes;
  total.parse += parse;
  total.translate += translate;
  total.parseProcess += parseProcess;
  total.command += commands.ndjson;
  rmSync(dirname(input.file), { recursive: true });
}
add("all", total, "translate, in process", total.translate, total.parse);
add("all", total, "harness translate --format ndjson", total.command, total.parseProcess);

print(rows);
mkdirSync(new URL("./results/", import.meta.url), { recursive: true });
writeFileSync(
  new URL("./results/latest.json", import.meta.url),
  `${JSON.stringify({ node: process.version, megabytes, rows }, null, 2)}\n`,
);

async function translateInProcess(agent, file) {
  const translator = createTranslator(agent, { cwd: "/workspace" });
  let events = translator.start("2026-01-01T00:00:00.000Z").length;
  const splitter = createLineSplitter({
    onLine: (line) => {
      events += translator.line(line, "2026-01-01T00:00:00.000Z").length;
    },
  });
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) splitter.push(chunk);
  splitter.end();
  return events + translator.end({ exitCode: 0 }).length;
}

function runNode(args) {
  const nowhere = openSync("/dev/null", "w");
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", nowhere, "pipe"] });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
}

/** The fastest of several rounds, in milliseconds: noise only ever makes a round slower. */
async function best(work) {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const start = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

function add(agent, input, figure, time, base) {
  rows.push({
    agent,
    figure,
    megabytesPerSecond: Math.round(input.bytes / 1e3 / time),
    ratio: Number((base / time).toFixed(2)),
  });
}

function print(table) {
  for (const row of table) {
    console.log(
      `${row.agent.padEnd(8)} ${row.figure.padEnd(46)} ${String(row.megabytesPerSecond).padStart(5)} MB/s ${row.ratio.toFixed(2).padStart(6)}x`,
    );
  }
}
