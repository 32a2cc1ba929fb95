/**
 * A program that uses the library: it prints the events of a run, and aborts the run on SIGUSR2. The first argument is the
 * path of the library; the others have the names of the options of `harness run`.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const [library, ...args] = process.argv.slice(2);
const text = { type: "string" };
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: { agent: text, binary: text, cwd: text, "prompt-file": text },
});
const { run } = await import(library);

const controller = new AbortController();
process.once("SIGUSR2", () => controller.abort());
const running = run({
  agent: values.agent,
  binary: values.binary,
  cwd: values.cwd,
  prompt: readFileSync(values["prompt-file"], "utf8"),
  extraArgs: positionals,
  signal: controller.signal,
});
for await (const event of running) process.stdout.write(`${JSON.stringify(event)}\n`);
const { reason } = await running.result;
process.exitCode = reason === "cancelled" ? 130 : 1;
