/**
 * `npm run agents:install [-- name…]`: installs the agents of `agents.lock.json` into the cache, two at a time. Installed
 * agents stay. A failure does not stop the others.
 */
import { cacheDirectory, chooseAgents, lockedAgents } from "./cache.mjs";
import { installAgent } from "./install-agent.mjs";

const wanted = process.argv.slice(2);
const agents = lockedAgents();
const strangers = wanted.filter((name) => chooseAgents(agents, [name]).length === 0);
if (strangers.length > 0) {
  console.error(
    `agents.lock.json does not list ${strangers.join(", ")}; it lists ${agents.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

const queue = chooseAgents(agents, wanted);
const states = [];
console.log(`into ${cacheDirectory()}`);
await Promise.all([work(), work()]);

const failed = states.filter(({ state }) => state === "failed");
const skipped = states.filter(({ state }) => state === "skipped");
if (skipped.length > 0)
  console.log(`SKIPPED on this platform: ${skipped.map(({ name }) => name).join(", ")}`);
if (failed.length > 0) {
  console.error(
    `FAILED: ${failed.map(({ name }) => name).join(", ")}. Run the same command again; it continues where it stopped.`,
  );
  process.exitCode = 1;
}

async function work() {
  for (let agent = queue.shift(); agent !== undefined; agent = queue.shift()) {
    const from = Date.now();
    const { state, detail } = await installAgent(agent);
    states.push({ name: agent.name, state });
    const seconds = state === "present" ? "" : ` (${Math.round((Date.now() - from) / 1000)} s)`;
    const line = `${agent.id.padEnd(9)} ${agent.version.padEnd(9)} ${state}${seconds}${detail === undefined ? "" : `: ${detail}`}`;
    (state === "failed" ? console.error : console.log)(line);
  }
}
