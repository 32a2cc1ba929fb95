/**
 * `npm run agents:record [-- name… --to DIR --from DIR]`: plays every scenario with the agents of the lock file, and writes
 * their output as fixtures `<id>/real-<scenario>/` (an older version: `<id>/real-<version>-<scenario>/`) with neutral paths. The versions and dates go into
 * `test/real/recorded.json` and docs/real-agents.md, and the shapes of the streams into `test/real/shapes/`. With `--from`
 * nothing is played: the folder has the runs that HARNESS_AGENTS_KEEP kept in an earlier `npm run test:agents`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { agentDirectory, chooseAgents, installedProgram, isNewest, lockedAgents } from "./cache.mjs";
import { writeDocs } from "./docs.mjs";
import { countUnknown, keptRuns, percent } from "./kept-runs.mjs";
import { neutralizer } from "./neutral.mjs";
import { readRecorded, writeRecorded, writeShape } from "./recorded.mjs";
import { runSuite } from "./run-suite.mjs";
import { shapeOf } from "./stream-shape.mjs";

const captures = fileURLToPath(new URL("../../test/fixtures/captures/", import.meta.url));
const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string", default: captures }, from: { type: "string" } },
});

const agents = chooseAgents(lockedAgents(), names);
const keep = values.from ?? mkdtempSync(join(tmpdir(), "harness-agents-"));
if (values.from === undefined) process.exitCode = await play();
for (const agent of agents) record(agent, keptRuns(keep, agent.name));
writeDocs(lockedAgents());
if (values.from === undefined) rmSync(keep, { recursive: true, force: true });

async function play() {
  const missing = agents.filter((agent) => installedProgram(agent) === undefined);
  for (const { name } of missing)
    console.log(`SKIPPED ${name}: not installed; npm run agents:install -- ${name}`);
  const present = agents.filter((agent) => !missing.includes(agent));
  const exitCode = await runSuite(present, { keep });
  if (exitCode !== 0) console.error("Some scenarios failed (see above); their output is recorded anyway.");
  return exitCode;
}

function record(agent, runs) {
  if (runs.length === 0) return;
  for (const run of runs) writeCapture(agent, run);
  const unknown = countUnknown(runs);
  writeShape(agent.name, shapeOf(runs.flatMap(({ raw }) => stdoutOf(raw))));
  writeRecorded({
    ...readRecorded(),
    [agent.name]: {
      version: agent.version,
      date: new Date().toISOString().slice(0, 10),
      scenarios: runs.map(({ scenario }) => scenario),
      unknown,
    },
  });
  console.log(
    `${agent.id} ${agent.version}: ${runs.length} scenarios, ${percent(unknown)} unknown, in ${join(values.to, agent.id)}`,
  );
}

function writeCapture(agent, { scenario, raw, run, meta }) {
  const folder = join(values.to, agent.id, `real-${isNewest(agent) ? "" : `${agent.version}-`}${scenario}`);
  const neutral = neutralizer(agent.id, scenario, {
    ...run,
    root: dirname(run.home),
    programDirectory: agentDirectory(agent),
  });
  mkdirSync(folder, { recursive: true });
  const linesOf = (stream) =>
    raw.filter((record) => record.stream === stream).map(({ line, bytes }) => line ?? bytes);
  const text = (lines) => lines.map((line) => `${neutral(line)}\n`).join("");
  const exit = raw.find(({ stream }) => stream === "exit");
  writeFileSync(join(folder, "stdout.jsonl"), text(linesOf("stdout")));
  writeFileSync(join(folder, "stderr.txt"), text(linesOf("stderr")));
  writeFileSync(
    join(folder, "exit.txt"),
    exit.signal === null ? `${exit.exitCode}\n` : `null signal=${exit.signal}\n`,
  );
  writeFileSync(join(folder, "cmd.txt"), neutral(commandText(agent, run, meta)));
}

/** In the format of the other captures: environment and folder as comments, then the command, one word per line. */
function commandText(agent, { env, workspace }, { argv }) {
  const comments = [
    ...Object.entries(env).map(([name, value]) => `env ${name}=${value}`),
    `cwd ${workspace}`,
  ];
  const [, ...args] = argv;
  const command = [agent.id, ...args.map((arg) => arg.replaceAll("\n", "\\n"))];
  return `${[...comments.map((line) => `# ${line}`), ...command.map(short)].join("\n")}\n`;
}

function short(word) {
  return word.length > 2000 ? `${word.slice(0, 200)}… (${word.length} characters)` : word;
}

function stdoutOf(raw) {
  return raw.flatMap(({ stream, line }) => (stream === "stdout" && line !== undefined ? [line] : []));
}
