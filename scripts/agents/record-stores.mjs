/**
 * `node scripts/agents/record-stores.mjs [name… --only SCENARIO,… --to DIR]` (after `npm run build`): plays scenarios with the real
 * agents that keep their sessions in files, and writes `<id>/<scenario>/` in test/fixtures/stores: what each run printed
 * (`stdout.jsonl`, `stderr.txt`, `exit.txt`; the second run of a session has `stdout.2.jsonl` and so on), what the scripted model and the
 * disk saw (`truth.json`), and the files of the agent's own store (`store/`, relative to the home). Paths and addresses are neutral.
 */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepareAgent, startScriptedModel } from "../../dist/testing/index.js";
import { agentDirectory, chooseAgents, installedProgram, isNewest, lockedAgents } from "./cache.mjs";
import { neutralizer } from "./neutral.mjs";
import { stores } from "./stores/places.mjs";
import { scenariosFor } from "./stores/scenarios.mjs";

const command = fileURLToPath(new URL("../../dist/cli/main.cjs", import.meta.url));
const fixtures = fileURLToPath(new URL("../../test/fixtures/stores/", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string", default: fixtures }, only: { type: "string" } },
});
const chosen = chooseAgents(lockedAgents(), positionals.length === 0 ? Object.keys(stores) : positionals);

/** The longest time that a run may take. */
const patienceMs = 120_000;

for (const agent of chosen.filter(({ id }) => stores[id] !== undefined)) {
  const program = installedProgram(agent);
  if (program === undefined) {
    console.log(`SKIPPED ${agent.name}: not installed; npm run agents:install -- ${agent.name}`);
    continue;
  }
  for (const scenario of scenariosFor(agent)) {
    if (values.only !== undefined && !values.only.split(",").includes(scenario.name)) continue;
    try {
      await record(agent, program, scenario);
    } catch (error) {
      console.log(`FAILED ${agent.name} ${scenario.name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

async function record(agent, program, scenario) {
  const root = mkdtempSync(join(tmpdir(), "harness-store-"));
  const home = join(root, "home");
  const workspace = join(root, "workspace");
  for (const folder of [home, workspace]) mkdirSync(folder);
  for (const [name, text] of Object.entries(scenario.files)) write(join(workspace, name), text);
  const before = textsIn(workspace);
  const model = await startScriptedModel({ scenario: scenario.script, agent: agent.id, workspace });
  try {
    const prepared = await prepareAgent(agent.id, {
      home,
      workspace,
      modelUrl: model.url,
      ...scenario.setup,
    });
    for (const [name, change] of Object.entries(scenario.configure ?? {}))
      write(join(home, name), change(readIfThere(join(home, name))));
    const stage = { home, workspace, root, prepared, program, agent, scenario };
    const runs = [];
    for (const prompt of scenario.prompts) runs.push(await runOnce(stage, prompt, runs.at(-1)));
    const neutral = neutralizer(agent.id, scenario.name, {
      home,
      workspace,
      root,
      modelUrl: model.url,
      programDirectory: agentDirectory(agent),
    });
    const folder = join(values.to, agent.id, `${isNewest(agent) ? "" : `${agent.version}-`}${scenario.name}`);
    rmSync(folder, { recursive: true, force: true });
    for (const [index, run] of runs.entries())
      writeRun(folder, run, index === 0 ? "" : `.${index + 1}`, neutral);
    const truth = {
      agent: agent.id,
      version: agent.version,
      prompts: scenario.prompts,
      exits: runs.map(({ exitCode }) => exitCode),
      disk: changes(before, textsIn(workspace)),
      requests: model.requests.map(requestOf),
    };
    write(join(folder, "truth.json"), neutral(`${JSON.stringify(truth, null, 1)}\n`));
    const kept = await stores[agent.id].keep({ home, folder: join(folder, "store"), neutral });
    console.log(`${agent.name} ${scenario.name}: ${runs.map(({ exitCode }) => exitCode)}, ${kept} files`);
  } finally {
    await model.close();
    if (process.env.HARNESS_STORES_KEEP !== undefined) console.log(root);
    else rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** One run by `harness`, in the session of the run before if there was one. */
async function runOnce({ workspace, home, root, prepared, program, agent, scenario }, prompt, earlier) {
  const file = join(root, "prompt.txt");
  writeFileSync(file, prompt);
  const resumed = earlier === undefined ? [] : ["--resume", earlier.sessionId];
  const own = prepared.args.length === 0 ? [] : ["--", ...prepared.args];
  const args = [
    "run",
    "--format",
    "full",
    "--agent",
    agent.id,
    "--binary",
    program,
    ...(scenario.options ?? []),
  ];
  const child = spawn(
    process.execPath,
    [command, ...args, ...resumed, "--cwd", workspace, "--prompt-file", file, ...own],
    {
      env: { ...prepared.env, ...scenario.env, PATH: process.env.PATH },
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [text, complaints] = ["", ""];
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (complaints += chunk));
  const ended = new Promise((resolve) => child.on("close", resolve));
  const timer = setTimeout(() => child.kill("SIGTERM"), patienceMs);
  if (scenario.during !== undefined)
    await scenario.during({ child, workspace, events: () => eventsOf(text) });
  const exitCode = await ended;
  clearTimeout(timer);
  const events = eventsOf(text);
  if (events.length === 0) throw new Error(`harness ended with ${exitCode}: ${complaints.slice(0, 300)}`);
  await sleep(300);
  const sessions = join(home, ".local", "share", "harness", "sessions");
  const raw = join(events[0].runId, "raw.jsonl");
  return {
    exitCode,
    sessionId: events.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId,
    raw: linesOf(readFileSync(join(sessions, raw), "utf8")).map((line) => JSON.parse(line)),
  };
}

function writeRun(folder, { raw }, suffix, neutral) {
  const textOf = (stream) =>
    raw
      .filter((record) => record.stream === stream)
      .map(({ line, bytes }) => `${neutral(line ?? bytes)}\n`)
      .join("");
  const exit = raw.find(({ stream }) => stream === "exit");
  write(join(folder, `stdout${suffix}.jsonl`), textOf("stdout"));
  write(join(folder, `stderr${suffix}.txt`), textOf("stderr"));
  const ending = exit?.signal == null ? `${exit?.exitCode ?? "none"}\n` : `null signal=${exit.signal}\n`;
  write(join(folder, `exit${suffix}.txt`), ending);
}

/** In the format of the captures' `truth.json`. */
function requestOf({ path, subagent, toolResults, answer }) {
  const cut = (text) => (text.length > 300 ? `${text.slice(0, 300)}…(${text.length})` : text);
  return {
    path,
    kind: answer.kind,
    ...(subagent !== undefined && { subagent }),
    status: answer.status ?? 0,
    text: answer.text,
    thinking: answer.thinking,
    calls: answer.calls.map(({ id, tool, input }) => ({
      id,
      tool,
      input: typeof input === "string" ? input : JSON.stringify(input),
    })),
    ...(answer.usage !== undefined && { usage: answer.usage }),
    isComplete: answer.isComplete,
    toolResults: toolResults.map((result) => ({ ...result, text: cut(result.text ?? "") })),
  };
}

function changes(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name] ?? null]])),
  );
}

function textsIn(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [relative(directory, file), readFileSync(file, "utf8")]),
  );
}

function eventsOf(text) {
  return linesOf(text).flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

function linesOf(text) {
  return text.split("\n").filter((line) => line !== "");
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
