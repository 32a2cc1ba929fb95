// A small test bench: two agents, two tasks, each cell in a workspace of its own and checked by a command.
//   node bench.mjs [agent] [agent]
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReport, defineBatch, renderReport, runBatch } from "harness-stream";

const [one = "claude", other = "codex"] = process.argv.slice(2);

// What the agents work on. Use { git: "./my-repository" } for a project of yours.
const project = mkdtempSync(join(tmpdir(), "bench-"));
writeFileSync(join(project, "greet.js"), 'console.log("Helo");\n');

const plan = defineBatch({
  name: "greeting",
  repeats: 2,
  timeoutMs: 300_000,
  tasks: [
    {
      id: "typo",
      prompt: "Fix the typo in greet.js.",
      workspace: { copy: project },
      check: "node greet.js | grep -qx Hello",
    },
    {
      id: "explain",
      prompt: "What does greet.js print? Change nothing.",
      workspace: { copy: project },
      check: "node greet.js | grep -qx Helo",
    },
  ],
  arms: [{ agent: one }, { agent: other }],
});

const batch = await runBatch(plan);
for await (const line of batch)
  if (line.type === "done") console.error(`${line.taskId} with ${line.armId}: ${line.verdict}`);
console.log(renderReport(createReport(await batch.result), "markdown"));
