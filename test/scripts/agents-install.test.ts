import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { agentDirectory, installedProgram, type LockedAgent } from "../../scripts/agents/cache.mjs";
import { installAgent } from "../../scripts/agents/install-agent.mjs";

const agent: LockedAgent = {
  id: "parrot",
  package: "parrot-cli",
  version: "1.2.3",
  program: "node_modules/.bin/parrot",
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "harness-install-"));
  mkdirSync(join(root, "bin"));
  vi.stubEnv("HARNESS_AGENTS_DIR", join(root, "agents"));
  vi.stubEnv("PATH", `${join(root, "bin")}${delimiter}${process.env["PATH"]}`);
});
afterEach(() => vi.unstubAllEnvs());

/** A program called `npm` that counts its calls and does what the script says. */
function npmThat(script: string): () => number {
  const calls = join(root, "calls");
  writeFileSync(join(root, "bin", "npm"), `#!/bin/sh\necho x >> '${calls}'\n${script}\n`);
  chmodSync(join(root, "bin", "npm"), 0o755);
  return () => (existsSync(calls) ? readFileSync(calls, "utf8").length / 2 : 0);
}

const installs = (version: string) => `
  mkdir -p node_modules/.bin node_modules/parrot-cli
  echo '{"version":"${version}"}' > node_modules/parrot-cli/package.json
  touch node_modules/.bin/parrot`;

it("installs an agent once", async () => {
  const calls = npmThat(installs("1.2.3"));
  expect(installedProgram(agent)).toBeUndefined();
  expect(await installAgent(agent)).toEqual({ state: "installed" });
  expect(installedProgram(agent)).toBe(join(agentDirectory(agent), agent.program));
  expect(await installAgent(agent)).toEqual({ state: "present" });
  expect(calls()).toBe(1);
});

it("asks npm for exactly the version of the lock file", async () => {
  npmThat(installs("1.2.3"));
  await installAgent(agent);
  const manifest = JSON.parse(readFileSync(join(agentDirectory(agent), "package.json"), "utf8"));
  expect(manifest.dependencies).toEqual({ "parrot-cli": "1.2.3" });
});

it("tells why it failed, in npm's words, after three attempts", async () => {
  const calls = npmThat("echo 'npm error 404 no such package' >&2; exit 1");
  const outcome = await installAgent(agent);
  expect(outcome.state).toBe("failed");
  expect(outcome.detail).toContain("404 no such package");
  expect(calls()).toBe(3);
  expect(installedProgram(agent)).toBeUndefined();
});

it("takes no other version, and no package without its program, for the agent", async () => {
  npmThat(installs("1.2.4"));
  expect((await installAgent(agent)).detail).toBe("npm installed 1.2.4 of parrot-cli, not 1.2.3");
  npmThat(`${installs("1.2.3")}; rm node_modules/.bin/parrot`);
  expect((await installAgent(agent)).detail).toBe("the package has no node_modules/.bin/parrot");
});

it("goes on after an installation that was cut short", async () => {
  npmThat("exit 1");
  expect((await installAgent(agent)).state).toBe("failed");
  npmThat(installs("1.2.3"));
  expect(await installAgent(agent)).toEqual({ state: "installed" });
});

it("skips what there is no package for, and says so", async () => {
  const calls = npmThat(installs("1.2.3"));
  const outcome = await installAgent({ ...agent, platforms: ["plan9-vax"] });
  expect(outcome.state).toBe("skipped");
  expect(outcome.detail).toContain("plan9-vax");
  expect(calls()).toBe(0);
});
