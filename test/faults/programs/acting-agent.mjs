#!/usr/bin/env node
/**
 * An agent whose tool runs for long, and which goes on with its work at once when the tool dies. Arguments:
 *   1  how it takes SIGTERM and SIGINT: heeds, ignores; launcher (passes them on to one that heeds), careless (dies of
 *      them and leaves one that heeds), sheltered (a launcher that takes no notice, with one that heeds below)
 *   2  its tool: plain, stubborn (goes on with its script when the command in it dies)
 *   3  a number that shows in the arguments of all that it starts
 *   4  the file that it writes when it goes on
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [manner, tool, token, file] = process.argv.slice(2);
const signals = ["SIGTERM", "SIGINT"];

function work() {
  const long = `sleep 300.${token}`;
  const script =
    tool === "stubborn" ? `trap : TERM INT; ${long}; echo the tool went on >>'${file}'` : `exec ${long}`;
  const child = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
  child.on("exit", () => appendFileSync(file, "the agent went on\n"));
  process.stdout.write('{"type":"say","text":"0"}\n');
}

function launch() {
  const args = [fileURLToPath(import.meta.url), "heeds", tool, token, file];
  return spawn(process.execPath, args, { stdio: "inherit" });
}

const manners = {
  heeds: work,
  ignores() {
    for (const signal of signals) process.on(signal, () => {});
    work();
  },
  careless: launch,
  launcher() {
    const child = launch();
    for (const signal of signals) process.on(signal, () => child.kill(signal));
    child.on("exit", () => process.exit(143));
  },
  sheltered() {
    for (const signal of signals) process.on(signal, () => {});
    launch();
  },
};
manners[manner]();
