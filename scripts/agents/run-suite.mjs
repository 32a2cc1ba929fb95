import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loopbackOnly } from "./loopback-only.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Plays the scenarios with these agents of the lock file, offline. Every run is kept in the folder `keep`. `lock` is another
 * lock file, and `more` are folders of tests besides.
 * Resolves to the suite's exit code.
 */
export function runSuite(agents, { keep, lock, more = [] }) {
  const { command, args, problem } = loopbackOnly();
  if (problem !== undefined) {
    console.log(
      `No network namespace is available (${problem}); the agents get a proxy that does not exist instead.`,
    );
  }
  const vitest = [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "--config",
    "vitest.real.config.ts",
    ...new Set(agents.map(({ id }) => `test/real/agents/${id}.real.ts`)),
    ...more,
  ];
  const [program, ...rest] = [
    ...(command === undefined ? [] : [command, ...args]),
    process.execPath,
    ...vitest,
  ];
  const env = {
    ...process.env,
    HARNESS_AGENTS_KEEP: keep,
    HARNESS_AGENTS_PLAYED: agents.map(({ name }) => name).join(","),
    ...(lock !== undefined && { HARNESS_AGENTS_LOCK: lock }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd: root, env, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
