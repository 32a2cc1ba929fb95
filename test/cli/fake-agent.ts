import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory, trust } from "./harness.js";

/**
 * A project with the agents `fake` and `other`, which harness.toml defines. They have every option. The prompt is a script:
 * `say TEXT`, `write FILE TEXT`, `sleep MS`, `until FILE` (is there), `cost USD`, `fail`, `error CODE`, `show NAME` (of a variable), `task` (what the launcher
 * was given), with `;` between them.
 */
export async function fakeProject(env: Record<string, string> = {}): Promise<string> {
  const project = temporaryDirectory();
  writeFileSync(join(project, "harness.toml"), agents(["fake", "other"]));
  writeFileSync(join(project, "fake.mjs"), definition);
  writeFileSync(join(project, "fake.cjs"), `#!/usr/bin/env node\n${program}`);
  chmodSync(join(project, "fake.cjs"), 0o755);
  await trust(project, env);
  return project;
}

function agents(names: readonly string[]): string {
  return names.map((name) => `[agents.${name}]\nmodule = "./fake.mjs"\nbinary = "./fake.cjs"\n`).join("\n");
}

const definition = `
export default {
  id: "fake",
  name: "Fake",
  capabilities: {
    model: true, readOnly: true, systemPrompt: true, appendSystemPrompt: true, maxTurns: true, maxBudgetUsd: true,
    mcpServers: true, effort: ["low", "high"], allowedTools: true, schema: true,
  },
  harmlessArguments: [/^/],
  isolation: { variables: { FAKE_HOME: ".fake" }, credentials: [] },
  launch: (task) => ({ args: ["--task", JSON.stringify(task), ...task.extraArgs] }),
  createMapping: () => ({
    record(record, out) {
      if (record.type === "said") {
        out.run.text = record.text;
        out.emit({ type: "agent", message: record.text });
      } else if (record.type === "done") {
        out.run.terminal = record.ok ? "success" : "failure";
        if (record.code) out.run.failure = { message: record.code, code: record.code };
        if (record.usd !== undefined) out.run.costUsd = record.usd;
        out.consume("done");
      }
    },
  }),
};
`;

const program = `
const { existsSync, writeFileSync } = require("node:fs");
const task = JSON.parse(process.argv[process.argv.indexOf("--task") + 1]);
const print = (record) => console.log(JSON.stringify(record));
const end = { type: "done", ok: true };
const verbs = {
  say: (...words) => print({ type: "said", text: words.join(" ") }),
  write: (file, ...words) => writeFileSync(file, words.join(" ") + "\\n"),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Number(ms))),
  until: async (file) => { while (!existsSync(file)) await verbs.sleep(20); },
  cost: (usd) => { end.usd = Number(usd); },
  fail: () => { end.ok = false; },
  error: (code) => { end.ok = false; end.code = code; },
  show: (name) => print({ type: "said", text: String(process.env[name]) }),
  task: () => print({ type: "said", text: JSON.stringify(task) }),
};
(async () => {
  for (const line of task.prompt.split(";")) {
    const [verb, ...words] = line.trim().split(" ");
    await verbs[verb](...words);
  }
  print(end);
})();
`;
