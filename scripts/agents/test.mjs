/**
 * `npm run test:agents [-- name…]`: plays the scenarios with the real agents in the cache, and names the others. Without names,
 * a batch of two agents is run, too. With HARNESS_REQUIRE_AGENTS=1 a missing agent is a failure, unless there is no package for
 * this platform.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAgents, installedProgram, lockedAgents, unavailableBecause } from "./cache.mjs";
import { countUnknown, keptRuns, percent } from "./kept-runs.mjs";
import { readRecorded } from "./recorded.mjs";
import { runSuite } from "./run-suite.mjs";

/** The increase of `unknown` lines over the recorded share, in percentage points, that counts as a failure. */
const tolerance = 1;

const wanted = process.argv.slice(2);
const agents = chooseAgents(lockedAgents(), wanted);
const isRequired = process.env.HARNESS_REQUIRE_AGENTS === "1";
const playing = [];
for (const agent of agents) {
  const unavailable = unavailableBecause(agent);
  const isInstalled = installedProgram(agent) !== undefined;
  if (unavailable !== undefined) console.log(`SKIPPED ${agent.name}: ${unavailable}`);
  else if (isInstalled || isRequired) playing.push(agent);
  else
    console.log(
      `SKIPPED ${agent.id} ${agent.version}: not installed; npm run agents:install -- ${agent.name}`,
    );
}
if (playing.length > 0) process.exitCode = await test(playing);

async function test(playing) {
  const keep = process.env.HARNESS_AGENTS_KEEP ?? mkdtempSync(join(tmpdir(), "harness-agents-"));
  try {
    const more = wanted.length === 0 ? ["test/real/batch"] : [];
    const exitCode = await runSuite(playing, { keep, more });
    return tellUnknown(playing, keep) ? exitCode : exitCode || 1;
  } finally {
    if (process.env.HARNESS_AGENTS_KEEP === undefined) rmSync(keep, { recursive: true, force: true });
  }
}

/** Prints the share of each agent's lines that became `unknown`. False if one is worse than recorded. */
function tellUnknown(playing, keep) {
  const recorded = readRecorded();
  let isFine = true;
  console.log("\nlines that became unknown");
  for (const { name } of playing) {
    const now = countUnknown(keptRuns(keep, name));
    const before = recorded[name]?.unknown;
    const isWorse = before !== undefined && rate(now) > rate(before) + tolerance;
    if (isWorse) isFine = false;
    const then = before === undefined ? "" : ` (recorded: ${percent(before)})`;
    console.log(
      `${name.padEnd(14)} ${now.unknown} of ${now.lines}, ${percent(now)}${then}${isWorse ? "  WORSE" : ""}`,
    );
  }
  return isFine;
}

function rate({ lines, unknown }) {
  return lines === 0 ? 0 : (100 * unknown) / lines;
}
