import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, completeMark, installedProgram, unavailableBecause } from "./cache.mjs";

const attempts = 3;

/**
 * Installs the exact version of one agent: `{ state: "present" | "installed" | "skipped" | "failed", detail? }`. It is
 * installed into a temporary folder, which is renamed when it is complete, so that an interrupted installation is never
 * used. The next attempt continues with what is there.
 */
export async function installAgent(agent) {
  const unavailable = unavailableBecause(agent);
  if (unavailable !== undefined) return { state: "skipped", detail: unavailable };
  if (installedProgram(agent) !== undefined) return { state: "present" };
  const directory = agentDirectory(agent);
  const partial = `${directory}.partial`;
  mkdirSync(partial, { recursive: true });
  writeFileSync(
    join(partial, "package.json"),
    JSON.stringify({ private: true, dependencies: { [agent.package]: agent.version } }),
  );
  let problem = "";
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    problem = (await npmInstall(partial)) ?? problemWith(agent, partial) ?? "";
    if (problem === "") break;
    // If npm reports success without an optional package, only a new installation fetches it again.
    rmSync(join(partial, "node_modules"), { recursive: true, force: true });
    rmSync(join(partial, "package-lock.json"), { force: true });
  }
  if (problem !== "") return { state: "failed", detail: problem };
  writeFileSync(
    join(partial, completeMark),
    `${JSON.stringify({ installedAt: new Date().toISOString() })}\n`,
  );
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  return { state: "installed" };
}

function problemWith(agent, directory) {
  const manifest = join(directory, "node_modules", agent.package, "package.json");
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : "nothing";
  if (version !== agent.version) return `npm installed ${version} of ${agent.package}, not ${agent.version}`;
  if (!existsSync(join(directory, agent.program))) return `the package has no ${agent.program}`;
  return undefined;
}

/** Undefined on success, or else npm's own message. */
function npmInstall(directory) {
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
      env: { ...process.env, NODE_ENV: "production" },
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
