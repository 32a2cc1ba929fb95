#!/usr/bin/env node
/**
 * An agent with a long-running tool, which continues its work as soon as the tool dies. Arguments:
 *   1  how it handles SIGTERM and SIGINT: heeds, ignores, launcher (forwards them to a child that heeds them), careless
 *      (dies and leaves a child that heeds them), sheltered (ignores them and has a child that heeds them)
 *   2  its tool: plain, stubborn (continues its script when the command in it dies)
 *   3  a number in the arguments of every process that it starts
 *   4  the file that it writes to when it continues
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
