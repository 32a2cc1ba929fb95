import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { agentDirectory, completeMark, installedProgram, launcher, unavailableBecause } from "./cache.mjs";

const attempts = 3;

/** Agents that share a Node wait for the same installation of it. */
const installing = new Map();

/**
 * Installs the exact version of one agent, and the Node that it needs: `{ state: "present" | "installed" | "skipped" |
 * "failed", detail? }`. It is installed into a temporary folder, which is renamed when it is complete, so that an interrupted installation is never
 * used. The next attempt continues with what is there.
 */
export async function installAgent(agent) {
  const unavailable = unavailableBecause(agent);
  if (unavailable !== undefined) return { state: "skipped", detail: unavailable };
  if (installedProgram(agent) !== undefined) return { state: "present" };
  const node = agent.node === undefined ? undefined : await installOnce(agent.node);
  if (node?.state === "failed") return { state: "failed", detail: `its Node: ${node.detail}` };
  const directory = agentDirectory(agent);
  const partial = `${directory}.partial`;
  mkdirSync(partial, { recursive: true });
  writeFileSync(
    join(partial, "package.json"),
    JSON.stringify({
      private: true,
      dependencies: { [agent.package]: agent.version },
      ...(agent.overrides && { overrides: agent.overrides }),
    }),
  );
  let problem = "";
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    problem = (await npmInstall(partial, agent)) ?? problemWith(agent, partial) ?? "";
    if (problem === "") break;
    // If npm reports success without an optional package, only a new installation fetches it again.
    rmSync(join(partial, "node_modules"), { recursive: true, force: true });
    rmSync(join(partial, "package-lock.json"), { force: true });
  }
  if (problem !== "") return { state: "failed", detail: problem };
  if (agent.node !== undefined) writeFileSync(join(partial, launcher), launcherText(agent), { mode: 0o755 });
  writeFileSync(
    join(partial, completeMark),
    `${JSON.stringify({ installedAt: new Date().toISOString() })}\n`,
  );
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  return { state: "installed" };
}

function installOnce(agent) {
  const directory = agentDirectory(agent);
  if (!installing.has(directory)) installing.set(directory, installAgent(agent));
  return installing.get(directory);
}

/** It puts the agent's Node first on PATH. Its paths are relative to itself, so that the cache can be moved. */
function launcherText(agent) {
  const node = relative(agentDirectory(agent), dirname(join(agentDirectory(agent.node), agent.node.program)));
  return [
    "#!/bin/sh",
    'here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)',
    `PATH="$here/${node}:$PATH" exec "$here/${agent.program}" "$@"`,
    "",
  ].join("\n");
}

function problemWith(agent, directory) {
  const manifest = join(directory, "node_modules", agent.package, "package.json");
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : "nothing";
  if (version !== agent.version) return `npm installed ${version} of ${agent.package}, not ${agent.version}`;
  if (!existsSync(join(directory, agent.program))) return `the package has no ${agent.program}`;
  return undefined;
}

/** npm with the agent's own Node, and a home in which packages may leave what they unpack (Grok its program). */
function npmEnvironment(directory, { node }) {
  const { HOME = homedir(), PATH = "" } = process.env;
  const path = node === undefined ? [] : [dirname(installedProgram(node))];
  return {
    npm_config_userconfig: join(HOME, ".npmrc"),
    npm_config_cache: join(HOME, ".npm"),
    ...process.env,
    NODE_ENV: "production",
    HOME: join(directory, "home"),
    PATH: [...path, PATH].join(delimiter),
  };
}

/** Undefined on success, or else npm's own message. */
function npmInstall(directory, agent) {
  const flags = [
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
    "--install-strategy=hoisted",
  ];
  return new Promise((resolve) => {
    const child = spawn("npm", ["install", ...flags], {
      cwd: directory,
      env: npmEnvironment(directory, agent),
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    for (const pipe of [child.stdout, child.stderr]) {
      pipe.on("data", (chunk) => {
        output = `${output}${chunk}`.slice(-4000);
      });
    }
    child.on("error", (error) => resolve(`npm cannot be started: ${error.message}`));
    child.on("close", (code) =>
      resolve(code === 0 ? undefined : `npm install ended with ${code}: ${lastWords(output)}`),
    );
  });
}

function lastWords(output) {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/complete log|A complete/.test(line));
  return lines.slice(-6).join(" | ") || "it said nothing";
}
