/**
 * Writes recordings for the page: the demos and captures of real agents, as if they had been run here. Needs a build.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireAgent } from "../../dist/agents/registry.js";
import { createSteps } from "../../dist/agents/steps.js";
import { findBuiltInPrice } from "../../dist/models/find-price.js";
import { recordingPaths } from "../../dist/runs/recording/paths.js";
import { createSummary } from "../../dist/story/create-summary.js";
import { splitPatch } from "../../dist/story/patch-files.js";
import { readStdout } from "../../test/support/capture-stdout.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The raw records of a demo, slowed down by a factor. */
export function demo(agent, slower = 1) {
  const records = readFileSync(`${root}demo/${agent}.jsonl`, "utf8").trimEnd().split("\n");
  return pace(
    records.map((line) => JSON.parse(line)),
    slower,
  );
}

/** The raw records of a capture, which has no timestamps of its own. */
export function capture(agent, scenario, stepMs = 420) {
  const folder = `${root}test/fixtures/captures/${agent}/${scenario}/`;
  const linesOf = (text) => text.split("\n").filter(Boolean);
  const [code, signal] = readFileSync(`${folder}exit.txt`, "utf8").trim().split(/\s+/);
  const exitCode = code === "null" ? null : Number(code);
  const printed = [
    ...linesOf(readFileSync(`${folder}stderr.txt`, "utf8")).map((line) => ({ stream: "stderr", line })),
    ...linesOf(readStdout(folder)).map((line) => ({ stream: "stdout", line })),
    { stream: "exit", exitCode, signal: signal?.replace("signal=", "") ?? null, reason: "completed" },
  ];
  return printed.map((record, index) => ({ timestamp: new Date(index * stepMs).toISOString(), ...record }));
}

function pace(records, slower) {
  const start = Date.parse(records[0].timestamp);
  return records.map((record) => ({
    ...record,
    timestamp: new Date((Date.parse(record.timestamp) - start) * slower).toISOString(),
  }));
}

/** Writes a recording that started this many minutes ago. Returns its id. */
export function writeRecording(
  directory,
  { id, agent, prompt, cwd, records, minutesAgo = 5, reason, permissions, askedModel, patch },
) {
  const paths = recordingPaths(directory, id);
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  const offset = Date.now() - minutesAgo * 60_000;
  const changes = patch === undefined ? undefined : changesOf(patch, cwd);
  const exit = records.at(-1);
  const withChanges =
    changes === undefined
      ? records
      : [...records.slice(0, -1), { timestamp: exit.timestamp, stream: "changes", ...changes }, exit];
  const timed = withChanges.map((record) => ({
    ...record,
    timestamp: new Date(offset + Date.parse(record.timestamp)).toISOString(),
    ...(record.stream === "exit" && reason !== undefined && { reason }),
  }));
  const definition = requireAgent(agent);
  const steps = createSteps(definition, {
    runId: id,
    cwd,
    startedAt: timed[0].timestamp,
    ...(askedModel !== undefined && { model: askedModel, findPrice: findBuiltInPrice }),
  });
  const events = steps.pushAll(timed).flatMap((step) => step.events);
  const summary = createSummary();
  const counts = {};
  for (const event of events) {
    summary.add(event);
    counts[event.type] = (counts[event.type] ?? 0) + 1;
  }
  const { usage, costUsd, costSource, model, agentVersion, sessionId, outcome, failure } = summary.read();
  const toLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
  writeFileSync(paths.raw, toLines(timed));
  writeFileSync(paths.events, toLines(events));
  writeFileSync(paths.ndjson, "");
  if (patch !== undefined) writeFileSync(paths.patch, patch);
  writeFileSync(
    paths.meta,
    JSON.stringify({
      runId: id,
      agent,
      agentVersion,
      model: model ?? askedModel,
      ...(askedModel !== undefined && { price: findBuiltInPrice(askedModel) }),
      cwd,
      prompt,
      argv: [agent],
      envNames: [],
      permissions: permissions ?? "full-access",
      startedAt: timed[0].timestamp,
      endedAt: timed.at(-1).timestamp,
      outcome: {
        isSuccess: outcome?.isSuccess ?? false,
        reason: outcome?.reason ?? "failed",
        ...(failure !== undefined && { failure }),
      },
      exitCode: outcome?.exitCode ?? null,
      sessionId,
      ...(changes !== undefined && {
        changes: {
          source: "git",
          files: changes.files.length,
          insertions: changes.insertions,
          deletions: changes.deletions,
        },
      }),
      usage,
      costUsd,
      ...(costSource === "estimated" && { costSource }),
      counts,
    }),
  );
  return id;
}

function changesOf(patch, root) {
  const files = splitPatch(patch).map(({ text: _, ...file }) => file);
  const sum = (name) => files.reduce((total, file) => total + file[name], 0);
  return {
    root,
    commit: "0".repeat(40),
    files,
    insertions: sum("insertions"),
    deletions: sum("deletions"),
  };
}

/** What the run of Claude Code in the demo changes, as git writes it. */
const cartPatch = `diff --git a/src/total.js b/src/total.js
index 5c1e8f2..d94b3a7 100644
--- a/src/total.js
+++ b/src/total.js
@@ -1,7 +1,7 @@
 /** The sum of all prices. A discount is a part of it: 0.1 is ten percent. */
 export function total(items, discount = 0) {
   let sum = 0;
   for (const { price, count } of items) sum += price * count;
-  return sum;
+  return sum * (1 - discount);
 }
 
`;

/** What renaming an option changes: in several directories, with a new file and one that is gone. */
const optionPatch = `diff --git a/CHANGELOG.md b/CHANGELOG.md
index 1f0e4d1..8a2b9c3 100644
--- a/CHANGELOG.md
+++ b/CHANGELOG.md
@@ -1,5 +1,7 @@
 # Changelog
 
+- The option \`outDir\` is now \`outputDirectory\`. The old name still works until version 3.
+
 ## 2.4.0
 
 - Pages are built in parallel.
diff --git a/docs/configuration.md b/docs/configuration.md
index 77aa1b0..09c3d2e 100644
--- a/docs/configuration.md
+++ b/docs/configuration.md
@@ -12,7 +12,7 @@ Every option may be left out.
 | option | meaning | default |
 | --- | --- | --- |
 | \`root\` | where the pages are | the current directory |
-| \`outDir\` | where the built pages go | \`dist\` |
+| \`outputDirectory\` | where the built pages go | \`dist\` |
 | \`base\` | the path below which the site is served | \`/\` |
 
 ## Environment
diff --git a/src/config/options.ts b/src/config/options.ts
index 3d5f6a7..4e8b1c9 100644
--- a/src/config/options.ts
+++ b/src/config/options.ts
@@ -4,16 +4,20 @@ import { readJson } from "../files/read-json.js";
 export interface Options {
   root: string;
-  outDir: string;
+  outputDirectory: string;
   base: string;
 }
 
-export const defaults: Options = { root: ".", outDir: "dist", base: "/" };
+export const defaults: Options = { root: ".", outputDirectory: "dist", base: "/" };
 
 export async function readOptions(path: string): Promise<Options> {
   const given = await readJson(path);
-  return { ...defaults, ...given };
+  return { ...defaults, ...withNewNames(given) };
+}
+
+function withNewNames({ outDir, ...rest }: Record<string, unknown>): Partial<Options> {
+  return outDir === undefined ? rest : { outputDirectory: String(outDir), ...rest };
 }
diff --git a/src/config/old-names.json b/src/config/old-names.json
deleted file mode 100644
index 9bb0a11..0000000
--- a/src/config/old-names.json
+++ /dev/null
@@ -1 +0,0 @@
-{ "output": "outDir" }
diff --git a/test/config/options.test.ts b/test/config/options.test.ts
new file mode 100644
index 0000000..6c7d8e9
--- /dev/null
+++ b/test/config/options.test.ts
@@ -0,0 +1,6 @@
+import { expect, it } from "vitest";
+import { readOptions } from "../../src/config/options.js";
+
+it("takes the old name of the output directory", async () => {
+  expect(await readOptions("test/old.json")).toMatchObject({ outputDirectory: "build" });
+});
`;

/** The runs of a week of work. */
export function writeShelf(directory, suffix = "") {
  const task = "The test for the cart total fails. Find out why and fix it.";
  const cwd = "/workspace/cart";
  const write = (id, agent, prompt, records, more = {}) =>
    writeRecording(directory, { id: id + suffix, agent, prompt, cwd, records, ...more });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    claude: write("cart-claude", "claude", task, demo("claude", 6), {
      minutesAgo: 3,
      patch: cartPatch,
    }),
    codex: write("cart-codex", "codex", task, demo("codex", 9), {
      minutesAgo: 5,
      askedModel: "gpt-5.6-terra",
    }),
    opencode: write("cart-opencode", "opencode", task, demo("opencode", 5), { minutesAgo: 8 }),
    pi: write("cart-pi", "pi", task, demo("pi", 7), { minutesAgo: 11 }),
    goose: write("cart-goose", "goose", task, demo("goose", 8), { minutesAgo: 14 }),
    subagents: write(
      "review-parallel",
      "claude",
      "Review the parser and the renderer at the same time, one subagent for each",
      capture("claude", "subagents-parallel"),
      { minutesAgo: 31, cwd: "/workspace/compiler" },
    ),
    edits: write(
      "rename-option",
      "claude",
      "Rename the config option and update every use of it",
      capture("claude", "files"),
      { minutesAgo: 47, cwd: "/workspace/site", patch: optionPatch },
    ),
    failed: write("explain-build", "codex", "Explain the build", capture("codex", "api401", 900), {
      minutesAgo: 64,
      cwd: "/workspace/site",
    }),
    killed: write(
      "migrate-schema",
      "claude",
      "Migrate the database schema and keep every test green",
      capture("claude", "killed", 800),
      { minutesAgo: 90, cwd: "/workspace/api", reason: "cancelled" },
    ),
    toolError: write(
      "shell-errors",
      "opencode",
      "Run the linter, fix what it finds, and tell me what could not be fixed",
      capture("opencode", "shell"),
      { minutesAgo: 60 * 5, cwd: "/workspace/api" },
    ),
    thinking: write(
      "plan-cache",
      "claude",
      "Think about how the cache should be invalidated when two writers race, then write down a plan with the trade-offs of each approach and what you would do first",
      capture("claude", "thinking"),
      { minutesAgo: 60 * 26, cwd: "/workspace/api", permissions: "read-only" },
    ),
    cline: write("health-endpoint", "cline", "Add a health endpoint", capture("cline", "files"), {
      minutesAgo: 60 * 50,
      cwd: "/workspace/api",
    }),
  };
}

/** A run of Claude Code with about this many events. A command and its result make three. */
export function writeLargeRecording(directory, id, events) {
  const line = (value) => ({
    timestamp: new Date(0).toISOString(),
    stream: "stdout",
    line: JSON.stringify({ session_id: "s", ...value }),
  });
  const block = (type, content) => line({ type, message: { role: type, content: [content] } });
  const records = [line({ type: "system", subtype: "init", cwd: "/repo", model: "m", tools: [] })];
  for (let index = 0; index < events / 3; index += 1) {
    const call = `call-${index}`;
    const input = { command: `make target-${index}`, description: `Step ${index}` };
    records.push(block("assistant", { type: "tool_use", id: call, name: "Bash", input }));
    records.push(block("user", { type: "tool_result", tool_use_id: call, content: `output ${index}` }));
  }
  records.push(line({ type: "result", subtype: "success", is_error: false, result: "done" }));
  records.push({
    timestamp: new Date(0).toISOString(),
    stream: "exit",
    exitCode: 0,
    signal: null,
    reason: "completed",
  });
  const paced = records.map((record, index) => ({
    ...record,
    timestamp: new Date(index * 20).toISOString(),
  }));
  return writeRecording(directory, {
    id,
    agent: "claude",
    prompt: "A very long run",
    cwd: "/repo",
    records: paced,
  });
}

export function shelfDirectory(home) {
  return join(home, "harness", "sessions");
}
