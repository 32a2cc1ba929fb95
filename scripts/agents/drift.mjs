/**
 * `npm run agents:drift [-- id…]`: installs the newest versions from npm in addition to those of the lock file, plays the
 * same scenarios with them, and prints what changed in their streams. Changes nothing in the project. Versions that cannot
 * be installed are named with the reason that the lock file gives.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAgents, isNewest, lockedAgents, unavailableBecause } from "./cache.mjs";
import { installAgent } from "./install-agent.mjs";
import { countUnknown, keptRuns, percent } from "./kept-runs.mjs";
import { readRecorded, readShape } from "./recorded.mjs";
import { runSuite } from "./run-suite.mjs";
import { compareShapes, shapeOf } from "./stream-shape.mjs";

const locked = chooseAgents(lockedAgents(), process.argv.slice(2)).filter(isNewest);
const newest = [];
for (const agent of locked) {
  const unavailable = unavailableBecause(agent);
  const version = unavailable === undefined ? newestVersion(agent.package) : undefined;
  if (version === undefined)
    console.log(`SKIPPED ${agent.id}: ${unavailable ?? "npm does not report its newest version"}`);
  else if (version === agent.version) console.log(`${agent.id} ${version} is the newest`);
  else if (agent.notInstallable?.[version] !== undefined)
    console.log(
      `${agent.id} ${agent.version} is the newest that can be installed; ${version}: ${agent.notInstallable[version]}`,
    );
  else newest.push({ ...agent, version, before: agent.version });
}
const installed = [];
for (const agent of newest) {
  const { state, detail } = await installAgent(agent);
  console.log(
    `${agent.id} ${agent.before} → ${agent.version}: ${state}${detail === undefined ? "" : `: ${detail}`}`,
  );
  if (state === "failed") process.exitCode = 1;
  else installed.push(agent);
}
if (installed.length > 0) await compare(installed);

async function compare(agents) {
  const place = mkdtempSync(join(tmpdir(), "harness-drift-"));
  const lock = join(place, "agents.lock.json");
  writeFileSync(
    lock,
    JSON.stringify({
      node: agents.find(({ node }) => node !== undefined)?.node,
      agents: Object.fromEntries(agents.map(({ id, before, ...rest }) => [id, rest])),
    }),
  );
  const exitCode = await runSuite(agents, { keep: place, lock });
  for (const agent of agents) report(agent, keptRuns(place, agent.name));
  if (exitCode !== 0)
    console.log("\nSome scenarios did not pass as with the locked versions; see the failures above.");
  rmSync(place, { recursive: true, force: true });
}

function report({ id, before, version }, runs) {
  console.log(`\n${id} ${before} → ${version}`);
  const unknown = countUnknown(runs);
  const known = readRecorded()[id]?.unknown;
  console.log(
    `  lines that became unknown: ${percent(unknown)} (recorded: ${known === undefined ? "–" : percent(known)})`,
  );
  const shape = readShape(id);
  if (shape === undefined) return console.log("  nothing is recorded for it; run npm run agents:record");
  const difference = compareShapes(shape, shapeOf(runs.flatMap(({ raw }) => raw.flatMap(stdoutLine))));
  print("new kinds of records", difference.newKinds);
  print("new fields", difference.newFields);
  print("kinds of records that are gone", difference.goneKinds);
  print("fields that are gone", difference.goneFields);
  print("unknown", unknownKinds(runs));
}

function print(what, entries) {
  if (entries.length === 0) return;
  console.log(`  ${what}:`);
  for (const entry of entries) console.log(`    ${entry}`);
}

/** The beginnings of lines that became unknown, one of each kind. */
function unknownKinds(runs) {
  const kinds = new Map();
  for (const { scenario, events } of runs) {
    for (const { type, raw } of events) {
      if (type !== "unknown") continue;
      const text = typeof raw === "string" ? raw : JSON.stringify(raw);
      const kind = typeof raw === "string" ? text.slice(0, 20) : shapeOf([text]).join();
      if (!kinds.has(kind)) kinds.set(kind, `${scenario}: ${text.slice(0, 160)}`);
    }
  }
  return [...kinds.values()];
}

function stdoutLine({ stream, line }) {
  return stream === "stdout" && line !== undefined ? [line] : [];
}

function newestVersion(name) {
  const { status, stdout } = spawnSync("npm", ["view", name, "version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() || undefined : undefined;
}
