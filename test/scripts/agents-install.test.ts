import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  agentDirectory,
  chooseAgents,
  installedProgram,
  type LockedAgent,
  lockedAgents,
} from "../../scripts/agents/cache.mjs";
import { installAgent } from "../../scripts/agents/install-agent.mjs";

const agent: LockedAgent = {
  name: "parrot",
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

it("gives what a package leaves in the home directory a home in the cache", async () => {
  npmThat(`${installs("1.2.3")}; mkdir -p "$HOME/.parrot"; echo unpacked > "$HOME/.parrot/program"`);
  const unpacked = { ...agent, program: "home/.parrot/program" };
  expect(await installAgent(unpacked)).toEqual({ state: "installed" });
  expect(readFileSync(installedProgram(unpacked) ?? "", "utf8")).toBe("unpacked\n");
});

it("puts other versions in place of packages that npm does not have", async () => {
  npmThat(installs("1.2.3"));
  await installAgent({ ...agent, overrides: { "parrot-wings": "0.9.0" } });
  const manifest = JSON.parse(readFileSync(join(agentDirectory(agent), "package.json"), "utf8"));
  expect(manifest.overrides).toEqual({ "parrot-wings": "0.9.0" });
});

it("runs an agent that needs a newer Node with one that is installed beside it, once for all agents", async () => {
  const node = { name: "node", id: "node", package: "own-node", version: "24.0.0", program: "bin/node" };
  const calls = npmThat(`
    if grep -q own-node package.json; then
      mkdir -p bin node_modules/own-node
      echo '{"version":"24.0.0"}' > node_modules/own-node/package.json
      printf '#!/bin/sh\\necho own node: "$2"\\n' > bin/node
      chmod +x bin/node
    else
      ${installs("1.2.3")}
      printf '#!/usr/bin/env node\\n' > node_modules/.bin/parrot
      chmod +x node_modules/.bin/parrot
    fi`);
  const parrots = ["parrot", "macaw"].map((id) => ({ ...agent, id, name: id, node }));
  await Promise.all(parrots.map(installAgent));
  expect(calls()).toBe(3);
  for (const parrot of parrots) {
    const { stdout } = spawnSync(installedProgram(parrot) ?? "", ["hello"], { encoding: "utf8" });
    expect(stdout).toBe("own node: hello\n");
  }
});

it("skips an agent whose Node has no package for this platform", async () => {
  const node = { ...agent, id: "node", name: "node", platforms: ["plan9-vax"] };
  expect((await installAgent({ ...agent, node })).state).toBe("skipped");
});

it("finds several versions of an agent by its id, and one of them by its name", () => {
  const lock = join(root, "agents.lock.json");
  const { package: name, program } = agent;
  const entry = (version: string) => ({ package: name, version, program });
  writeFileSync(
    lock,
    JSON.stringify({
      agents: { parrot: entry("2.0.0"), "parrot@1.2.3": entry("1.2.3"), macaw: entry("5.0.0") },
    }),
  );
  const chosen = (...names: string[]) => chooseAgents(lockedAgents(lock), names).map((one) => one.name);
  expect(chosen("parrot")).toEqual(["parrot", "parrot@1.2.3"]);
  expect(chosen("parrot@2.0.0")).toEqual(["parrot"]);
  expect(chosen("parrot@1.2.3", "macaw")).toEqual(["parrot@1.2.3", "macaw"]);
  expect(chosen()).toEqual(["parrot", "parrot@1.2.3", "macaw"]);
});

it("has one newest version of every agent in the lock file, and its name tells an older one's version", () => {
  for (const { name, id, version } of lockedAgents()) {
    expect(lockedAgents().filter((other) => other.name === id)).toHaveLength(1);
    if (name !== id) expect(name).toBe(`${id}@${version}`);
  }
});
