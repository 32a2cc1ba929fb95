/**
 * Runs a batch of an agent that is a shell script, or goes on with it if there is one. Prints `begun` when it runs, and `ended`.
 * Arguments: the library, the directory of the batches, a repository.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const [library, directory, repository] = process.argv.slice(2);
const { defineAgent, resumeBatch, runBatch } = await import(library);

const agent = defineAgent({
  id: "shell",
  binaries: ["sh"],
  isolation: { variables: { SHELL_HOME: ".shell" }, credentials: [] },
  launch: (task) => ({ args: ["-c", task.prompt] }),
  createMapping: () => ({
    record(record, out) {
      if (record.type !== "done") return;
      out.run.terminal = "success";
      out.run.costUsd = 1;
      out.consume("done");
    },
  }),
});

// A tool in a session of its own must not outlive the run either. No kill lets more than a few runs end, so the batch outlasts all of them.
const prompt = `setsid sleep 60 & echo work > made; touch "$SHELL_HOME/memory"; sleep 0.2; echo '{"type":"done"}'`;
const plan = {
  name: "killed",
  concurrency: 3,
  repeats: 20,
  tasks: [
    { id: "git", prompt, workspace: { git: repository }, setup: "cp file copied", check: "test -e made" },
    { id: "empty", prompt, check: "test -e made" },
  ],
  arms: [{ agent: "one" }, { agent: "two" }],
};
const options = {
  batchesDirectory: join(directory, "batches"),
  sessionsDirectory: join(directory, "sessions"),
  resolveArm: (arm) => ({ agent: { ...agent, id: arm.agent } }),
};
const batches = () => {
  try {
    return readdirSync(options.batchesDirectory).filter((name) =>
      readdirSync(join(options.batchesDirectory, name)).includes("batch.jsonl"),
    );
  } catch {
    return [];
  }
};
const [existing] = batches();
const batch = await (existing === undefined
  ? runBatch(plan, options)
  : resumeBatch(join(options.batchesDirectory, existing), options));
console.log("begun");
await batch.result;
console.log(batch.problem ?? "ended");
