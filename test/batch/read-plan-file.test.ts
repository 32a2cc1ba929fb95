import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Arm, BatchPlan, BatchTask } from "../../src/batch/model/plan.js";
import { PlanFile, PlanFileArm, PlanFileTask } from "../../src/batch/plan-file-schema.js";
import { type ReadPlan, readPlanFile } from "../../src/batch/read-plan-file.js";

const directory = mkdtempSync(join(tmpdir(), "harness-test-"));

function read(text: string, name = "plan.toml"): ReadPlan {
  writeFileSync(join(directory, name), text);
  return readPlanFile(join(directory, name));
}

/** The message, without the directory. */
function problemOf(text: string, name = "plan.toml"): string {
  try {
    read(text, name);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    expect(["invalid_plan", "unreadable_file"]).toContain(code);
    return message.replaceAll(`${directory}/`, "");
  }
  throw new Error("the plan was accepted");
}

const task = '[[tasks]]\nid = "a"\nprompt = "x"\n';
const arm = '[[arms]]\nagent = "claude"\n';

describe("a plan file", () => {
  it("gives the plan of docs/batch.md", () => {
    const page = readFileSync(new URL("../../docs/batch.md", import.meta.url), "utf8");
    const { plan } = read(/```toml\n(.*?)```/s.exec(page)?.[1] ?? "");
    expect(plan).toEqual({
      name: "cart",
      repeats: 5,
      concurrency: 4,
      budgetUsd: 20,
      timeoutMs: 600_000,
      limits: { claude: 2 },
      tasks: [
        {
          id: "fix-total",
          prompt: "The test for the cart total fails. Find out why and fix it.",
          workspace: { git: join(directory, "cart"), ref: "main" },
          setup: "npm ci",
          check: "npm test",
        },
      ],
      arms: [
        { agent: "claude", model: "opus" },
        { id: "codex-brief", agent: "codex", appendSystemPrompt: "Be brief." },
      ],
    });
  });

  it("takes every key, in TOML and in JSON", () => {
    writeFileSync(join(directory, "p.md"), "do it\n");
    writeFileSync(join(directory, "s.json"), '{"type":"object"}');
    const values = {
      idle_timeout: 30,
      retries: 0,
      isolated: false,
      redact: true,
      tasks: [
        {
          id: "a",
          prompt_file: "p.md",
          workspace: { copy: "src" },
          setup: "true",
          setup_timeout: "90s",
          check: "true",
          check_timeout: "1h30m",
          schema_file: "s.json",
          timeout: "500ms",
        },
        { id: "b", prompt: "x", workspace: { empty: true }, schema: { type: "string" } },
      ],
      arms: [
        {
          agent: "claude",
          permissions: { allow: ["read"], deny: ["command"] },
          system_prompt: "s",
          max_turns: 3,
          max_budget_usd: 0.5,
          mcp_servers: { docs: { command: "docs", args: ["--stdio"] }, web: { url: "https://example.com" } },
          effort: "high",
          allowed_tools: ["Read"],
          extra_args: ["-x"],
          env: { A: "1" },
          binary: "./agent",
          home: "home",
        },
      ],
    };
    const { plan } = read(JSON.stringify(values), "bench.json");
    expect(plan).toMatchObject({
      name: "bench",
      idleTimeoutMs: 30_000,
      retries: 0,
      isolated: false,
      redact: true,
      tasks: [
        {
          prompt: "do it",
          workspace: { copy: join(directory, "src") },
          setupTimeoutMs: 90_000,
          checkTimeoutMs: 5_400_000,
          schema: { type: "object" },
          timeoutMs: 500,
        },
        { workspace: { empty: true }, schema: { type: "string" } },
      ],
      arms: [
        {
          permissions: { allow: ["read"], deny: ["command"] },
          maxTurns: 3,
          maxBudgetUsd: 0.5,
          mcpServers: { docs: { command: "docs", args: ["--stdio"] } },
          allowedTools: ["Read"],
          binary: join(directory, "agent"),
          home: join(directory, "home"),
        },
      ],
    });
  });

  it.each([
    [
      "an unknown key",
      `repeat = 2\n${task}${arm}`,
      'plan.toml:1: unknown key "repeat"; did you mean "repeats"? Known here: name',
    ],
    [
      "an unknown key of the second task",
      `${task}[[tasks]]\nid = "b"\npromt = "x"\n${arm}`,
      'plan.toml:6: unknown key "promt"; did you mean "prompt"? Known here: id',
    ],
    [
      "an unknown key of an arm",
      `${task}${arm}modell = "x"\n`,
      'plan.toml:6: unknown key "modell"; did you mean "model"?',
    ],
    [
      "an unknown key of a workspace",
      `${task}workspace = { git = ".", reff = "x" }\n${arm}`,
      'plan.toml:4: unknown key "reff"; did you mean "ref"?',
    ],
    [
      "an unknown key of a server",
      `${task}${arm}[arms.mcp_servers.docs]\ncomand = "x"\n`,
      'plan.toml:7: unknown key "comand"; did you mean "command"?',
    ],
    [
      "a workspace of no kind",
      `${task}workspace = { path = "x" }\n${arm}`,
      'plan.toml:4: "tasks.workspace" must be { git = "directory" }',
    ],
    [
      "an address as a repository",
      `${task}workspace = { git = "https://example.com/x" }\n${arm}`,
      "plan.toml:4: ",
    ],
    ["zero repetitions", `repeats = 0\n${task}${arm}`, 'plan.toml:1: "repeats" must be above 0'],
    ["half a repetition", `repeats = 1.5\n${task}${arm}`, 'plan.toml:1: "repeats" must be a whole number'],
    ["a wrong time", `timeout = "soon"\n${task}${arm}`, 'plan.toml:1: "timeout" must be a length of time'],
    ["no tasks", arm, 'plan.toml:1: "tasks" is missing; add [[tasks]]'],
    ["no arms", task, 'plan.toml:1: "arms" is missing; add [[arms]]'],
    [
      "a task without an id",
      `[[tasks]]\nprompt = "x"\n${arm}`,
      'plan.toml:1: "id" is missing in task 1; add one',
    ],
    ["an arm without an agent", `${task}[[arms]]\nmodel = "x"\n`, 'plan.toml:4: "agent" is missing in arm 1'],
    ["two tasks with one id", `${task}${task}${arm}`, 'plan.toml:5: two tasks have the id "a"'],
    ["two arms that are the same", `${task}${arm}${arm}`, 'plan.toml:6: two arms are called "claude"'],
    [
      "an id with a slash",
      `[[tasks]]\nid = "a/b"\nprompt = "x"\n${arm}`,
      'plan.toml:2: "tasks.id" must be letters',
    ],
    ["no prompt", `[[tasks]]\nid = "a"\n${arm}`, "plan.toml:2: the task has no prompt"],
    ["an empty prompt", `[[tasks]]\nid = "a"\nprompt = " "\n${arm}`, "plan.toml:3: the prompt is empty"],
    [
      "two prompts",
      `${task}prompt_file = "x.md"\n${arm}`,
      "plan.toml:4: a task has a prompt or a prompt_file, not both",
    ],
    [
      "a prompt file that is missing",
      `[[tasks]]\nid = "a"\nprompt_file = "gone.md"\n${arm}`,
      "plan.toml:3: cannot read gone.md: there is no such file",
    ],
    ["a wrong rule", `${task}${arm}permissions = { allow = "x" }\n`, "plan.toml:6: "],
    [
      "a wrong mode",
      `${task}${arm}permissions = "reading"\n`,
      'plan.toml:6: "arms.permissions" must be "full-access"',
    ],
    ["no TOML", `${task}prompt = x\n`, "plan.toml:4:10: not valid TOML: "],
  ])("%s is refused with the line", (_name, text, message) => {
    expect(problemOf(text)).toContain(message);
  });

  it("names the line in JSON too", () => {
    const json =
      '{\n  "tasks": [\n    { "id": "a", "prompt": "x" },\n    { "id": "b", "promt": "x" }\n  ],\n  "arms": [{ "agent": "claude" }]\n}';
    expect(problemOf(json, "plan.json")).toContain(
      'plan.json:4: unknown key "promt"; did you mean "prompt"?',
    );
    expect(problemOf('{\n  "tasks": [\n}', "plan.json")).toContain("plan.json:3:1: not valid JSON: ");
  });

  it("never prints the value of a variable", () => {
    expect(problemOf(`${task}${arm}env = { KEY = 12345 }\n`)).not.toContain("12345");
  });

  it("is refused if it is not there, is a directory, or is not text", () => {
    expect(() => readPlanFile(join(directory, "gone.toml"))).toThrow(
      /cannot read .*gone\.toml: there is no such file/,
    );
    expect(() => readPlanFile(directory)).toThrow(/it is a directory/);
    writeFileSync(join(directory, "latin.toml"), Buffer.from([0x6e, 0xe4]));
    expect(() => readPlanFile(join(directory, "latin.toml"))).toThrow(/not valid UTF-8/);
  });
});

it("a plan file has a key for everything that a plan has", () => {
  // The compiler refuses these objects if a key is missing.
  const plan: Record<keyof BatchPlan, true> = {
    name: true,
    tasks: true,
    arms: true,
    repeats: true,
    concurrency: true,
    limits: true,
    budgetUsd: true,
    timeoutMs: true,
    idleTimeoutMs: true,
    retries: true,
    isolated: true,
    redact: true,
  };
  const tasks: Record<keyof BatchTask, true> = {
    id: true,
    prompt: true,
    workspace: true,
    setup: true,
    setupTimeoutMs: true,
    check: true,
    checkTimeoutMs: true,
    schema: true,
    timeoutMs: true,
  };
  const arms: Record<keyof Arm, true> = {
    id: true,
    agent: true,
    model: true,
    permissions: true,
    systemPrompt: true,
    appendSystemPrompt: true,
    maxTurns: true,
    maxBudgetUsd: true,
    mcpServers: true,
    effort: true,
    allowedTools: true,
    extraArgs: true,
    env: true,
    binary: true,
    home: true,
  };
  const spelled = (keys: object): string[] =>
    Object.keys(keys).map((key) =>
      key.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  expect(Object.keys(PlanFile.entries).sort()).toEqual(spelled(plan).sort());
  expect(
    Object.keys(PlanFileTask.entries)
      .filter((key) => !key.endsWith("_file"))
      .sort(),
  ).toEqual(spelled(tasks).sort());
  expect(Object.keys(PlanFileArm.entries).sort()).toEqual(spelled(arms).sort());
});
