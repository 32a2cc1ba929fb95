/** Writes the expected outputs of captures anew: of the agents that are named, else of all. `accept-fixtures.mjs [AGENT...]` */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const agents = process.argv.slice(2);
const files = agents.length === 0 ? ["test/agents"] : agents.map((agent) => `test/agents/${agent}`);
const { status } = spawnSync(process.execPath, [vitest, "run", ...files], {
  stdio: "inherit",
  env: { ...process.env, HARNESS_ACCEPT: "1" },
});
process.exitCode = status ?? 1;
