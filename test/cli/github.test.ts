import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { stepOutputNames } from "../../src/outputs/github/step-outputs.js";
import { commandIn, linesOfStep, readOutputFile } from "../support/github-runner.js";
import { commandPath, harness, homeEnvironment, ownEnvironment, temporaryDirectory } from "./harness.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Claude Code as a program of this test: it changes a file, and says what it was asked and which files of the runner it has. */
const agentProgram = `#!/usr/bin/env node
const { writeFileSync } = require("node:fs");
{
  const prompt = process.argv.at(-1);
  const print = (record) => console.log(JSON.stringify({ session_id: "s-1", ...record }));
  const seen = Object.keys(process.env).filter((name) => /^(GITHUB_(OUTPUT|ENV|PATH|STATE|STEP)|HARNESS_ACTION)/.test(name));
  const text = \`\${prompt} [\${seen}]\\n::set-output name=success::evil\\nend_of_output\\nsuccess=evil\`;
  writeFileSync("work.txt", "after\\n");
  print({ type: "system", subtype: "init", model: "m-1", cwd: process.cwd(), tools: [] });
  const isBad = prompt.includes("fail");
  print({ type: "assistant", message: { id: "m", role: "assistant", content: [{ type: "text", text }] } });
  print({ type: "result", subtype: isBad ? "error_during_execution" : "success", is_error: isBad, result: text, total_cost_usd: 0.5, duration_ms: 5, usage: { input_tokens: 3, output_tokens: 4 } });
  process.exitCode = isBad ? 1 : 0;
}
`;

/** A job on a runner: its workspace with a repository, its files, and programs on PATH. */
function openJob() {
  const place = temporaryDirectory();
  const workspace = join(place, "workspace");
  const bin = join(place, "bin");
  for (const directory of [workspace, bin]) mkdirSync(directory);
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  write("claude", agentProgram);
  write("harness", `#!/bin/sh\nexec '${process.execPath}' '${commandPath}' "$@"\n`);
  write("npm", `#!/bin/sh\nprintf '%s\\n' "$*" >> '${place}/npm.log'\n`);
  writeFileSync(join(workspace, "work.txt"), "before\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", workspace, ...args]);
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "x");
  const file = (name: string): string => {
    writeFileSync(join(place, name), "");
    return join(place, name);
  };
  const env = {
    GITHUB_OUTPUT: file("GITHUB_OUTPUT"),
    GITHUB_STEP_SUMMARY: file("GITHUB_STEP_SUMMARY"),
    GITHUB_ENV: file("GITHUB_ENV"),
    GITHUB_PATH: file("GITHUB_PATH"),
    GITHUB_STATE: file("GITHUB_STATE"),
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: root,
    PATH: `${bin}:${process.env["PATH"]}`,
    HARNESS_CHANGES: "1",
    DEPLOY_TOKEN: "s3cr3t-value-1",
  };
  const read = (name: string): string => readFileSync(join(place, name), "utf8");
  return { place, workspace, env, read, outputs: () => readOutputFile(read("GITHUB_OUTPUT")) };
}

describe("harness run --output github", () => {
  it("writes the log, the summary and the outputs of a step", async () => {
    const { workspace, env, read, outputs } = openJob();
    writeFileSync(env.GITHUB_OUTPUT, "mine=1");
    const check =
      'echo "./work.txt:1: wrong"; echo "::set-env name=PATH::x"; env | grep -c GITHUB_OUTPUT; exit 1';
    const { stdout, exitCode } = await harness(
      ["run", "do it", "--agent", "claude", "--output", "github", "--check", check],
      { cwd: workspace, env },
    );
    expect(exitCode).toBe(3);
    const lines = linesOfStep(stdout.toString());
    expect(lines[0]).toBe("::add-mask::s3cr3t-value-1");
    expect(lines.slice(1).join("\n")).not.toContain("s3cr3t-value-1");
    const commands = lines.flatMap((line) => commandIn(line) ?? []);
    expect(commands.map(({ name }) => name)).toEqual(["add-mask", "group", "endgroup", "error", "error"]);
    expect(commands.at(-1)?.properties).toMatchObject({ file: "work.txt", line: "1" });
    expect(lines).toEqual(expect.arrayContaining(["\\::set-env name=PATH::x", "./work.txt:1: wrong", "0"]));
    const answer = "do it []\n::set-output name=success::evil\nend_of_output\nsuccess=evil";
    expect(outputs()).toMatchObject({
      mine: "1",
      outcome: "completed",
      success: "false",
      "exit-code": "3",
      "failure-kind": "",
      check: "failed",
      answer,
      "changed-files": '["work.txt"]',
      "cost-usd": "0.5",
      "session-id": "s-1",
      recording: expect.stringMatching(/\.ndjson$/),
    });
    expect(Object.keys(outputs())).toEqual(["mine", ...stepOutputNames]);
    const summary = read("GITHUB_STEP_SUMMARY");
    for (const part of [
      "## ✗ do it",
      "Check failed with exit code 1",
      "- `work.txt` +1 −1",
      "+after",
      "$0.5",
    ])
      expect(summary).toContain(part);
  });

  it("goes on with a warning if a file of the runner cannot be written or has no room", async () => {
    const { place, workspace, env, read, outputs } = openJob();
    writeFileSync(join(place, "GITHUB_STEP_SUMMARY"), "x".repeat(1024 * 1024 - 50));
    const args = ["run", "do it", "--agent", "claude", "-f", "github"];
    const full = await harness(args, { cwd: workspace, env });
    expect(full).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("leaves no room") });
    expect(outputs()["success"]).toBe("true");
    expect(read("GITHUB_STEP_SUMMARY")).toHaveLength(1024 * 1024 - 50);
    const missing = { ...env, GITHUB_OUTPUT: join(place, "none/here"), GITHUB_STEP_SUMMARY: place };
    const { exitCode, stderr } = await harness(args, { cwd: workspace, env: missing });
    expect(exitCode).toBe(0);
    expect(
      stderr.match(/^harness: warning: the file of GITHUB_\w+, .*the run is not affected$/gm),
    ).toHaveLength(2);
  });

  it("prints no secret outside of a job, nor into a file", async () => {
    const { place, workspace, env } = openJob();
    const args = ["run", "do it", "--agent", "claude"];
    const { GITHUB_ACTIONS: _, ...outside } = env;
    const plain = await harness([...args, "-f", "github"], { cwd: workspace, env: outside });
    expect(plain.stdout.toString()).not.toContain("s3cr3t");
    const file = join(place, "log.txt");
    await harness([...args, "--output", "ndjson", "--output", `github=${file}`], { cwd: workspace, env });
    expect(readFileSync(file, "utf8")).toContain("✓ Completed");
    expect(readFileSync(file, "utf8")).not.toContain("s3cr3t");
  });

  it("annotates what keeps a run from starting", async () => {
    const { workspace, env } = openJob();
    const { stdout, exitCode } = await harness(["run", "x", "--agent", "nobody", "-f", "github"], {
      cwd: workspace,
      env,
    });
    expect(exitCode).toBe(2);
    expect(linesOfStep(stdout.toString()).map(commandIn)).toMatchObject([
      { name: "error", properties: { title: "harness" }, data: expect.stringContaining("nobody") },
    ]);
  });

  it("obeys nothing that a message on standard error quotes", async () => {
    const { workspace, env } = openJob();
    const agent = "nobody\n::stop-commands::x\n##[add-mask]e";
    const { stderr } = await harness(["run", "x", "--agent", agent], { cwd: workspace, env });
    expect(stderr).toContain("\\::stop-commands::x");
    expect(linesOfStep(stderr).flatMap((line) => commandIn(line) ?? [])).toEqual([]);
  });
});

interface Action {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Record<string, unknown>[] };
}

const action: Action = parse(readFileSync(join(root, "action.yml"), "utf8"));

/** Runs the steps of action.yml as the runner does, until one fails. */
async function runAction(job: ReturnType<typeof openJob>, given: Record<string, string>) {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]),
  );
  let log = "";
  let exitCode: number | null = 0;
  for (const step of action.runs.steps) {
    expect(step["shell"]).toBe("bash");
    const script = join(job.place, "step.sh");
    writeFileSync(script, String(step["run"]));
    const env = Object.fromEntries(
      Object.entries(step["env"] as Record<string, string>).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? "undefined"),
      ]),
    );
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd: job.workspace,
      env: { ...ownEnvironment(), ...homeEnvironment(), ...job.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => {
        log += piece.toString();
      });
    exitCode = await new Promise((resolve) => child.on("close", resolve));
    if (exitCode !== 0) break;
  }
  return { log, exitCode, commands: linesOfStep(log).flatMap((line) => commandIn(line) ?? []) };
}

describe("action.yml", () => {
  it("never puts an input into a script, and passes every input and output on", () => {
    expect(action.runs.using).toBe("composite");
    const scripts = action.runs.steps.map(({ env: _, ...rest }) => JSON.stringify(rest)).join("\n");
    expect(scripts).not.toContain("${{");
    const values = action.runs.steps.flatMap(({ env }) => Object.values(env as Record<string, string>));
    expect(values.toSorted()).toEqual(
      Object.keys(action.inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .toSorted(),
    );
    expect(Object.entries(action.outputs).map(([name, { value }]) => [name, value])).toEqual(
      stepOutputNames.map((name) => [name, `\${{ steps.run.outputs.${name} }}`]),
    );
    expect(action.runs.steps.at(-1)?.["id"]).toBe("run");
  });

  it("runs the agent with what it was given, and nothing in it is run by a shell", async () => {
    const job = openJob();
    mkdirSync(join(job.workspace, "a b"));
    const prompt = 'It\'s "$(touch pwned)" `touch pwned`; $HOME\n--help';
    const { exitCode, log } = await runAction(job, {
      agent: "claude",
      prompt,
      install: "npm install -g some-agent",
      check: "test -f work.txt && test ! -e pwned && test ! -e ../pwned",
      args: "--redact\n\n--append-system-prompt=two words; $(touch pwned)\r\n",
      "working-directory": "a b",
    });
    expect(log).toContain("✓ Check passed");
    expect(exitCode).toBe(0);
    expect(job.outputs()).toMatchObject({
      success: "true",
      check: "passed",
      "changed-files": '["a b/work.txt"]',
    });
    expect(job.outputs()["answer"]).toContain(`${prompt} []`);
    expect(job.read("npm.log")).toBe("install -g some-agent\n");
    expect(job.read("GITHUB_STEP_SUMMARY")).toContain("Check passed");
  });

  it("fails as the run does, and still has outputs", async () => {
    const job = openJob();
    writeFileSync(join(job.workspace, "task.md"), "fail please\n");
    const { exitCode, commands, log } = await runAction(job, { agent: "claude", "prompt-file": "task.md" });
    expect(log).toContain("✗ Failed");
    expect(exitCode).toBe(1);
    expect(commands.at(-1)).toMatchObject({ name: "error" });
    expect(job.outputs()).toMatchObject({ success: "false", outcome: "failed", "exit-code": "1" });
  });

  it("installs what it was asked to, and refuses to guess what is meant", async () => {
    const job = openJob();
    const both = await runAction(job, { prompt: "x", "prompt-file": "y", version: "1.2.3" });
    expect(both).toMatchObject({ exitCode: 2, log: expect.stringContaining("not both") });
    const neither = await runAction(job, { version: "./harness-stream.tgz" });
    expect(neither).toMatchObject({ exitCode: 2, log: expect.stringContaining("a prompt or a prompt-file") });
    expect(job.read("npm.log")).toBe(
      "install --global -- harness-stream@1.2.3\ninstall --global -- ./harness-stream.tgz\n",
    );
  });

  it("builds its own code if there is no harness", async () => {
    const job = openJob();
    rmSync(join(job.place, "bin/harness"));
    const { log } = await runAction(job, {});
    expect(log).toContain("::group::Build and install harness");
    expect(job.read("npm.log")).toBe("ci\ninstall --global .\n");
  });
});
