import { describe, expect, it } from "vitest";
import {
  type Action,
  delegate,
  editFile,
  findFiles,
  listDirectory,
  mcp,
  patch,
  readFile,
  runCommand,
  search,
  startCommand,
  startSubagent,
  todo,
  toolTables,
  useSkill,
  writeFile,
} from "../../src/testing/index.js";
import { toPatchText } from "../../src/testing/tools/patch-text.js";
import { toToolUses } from "../../src/testing/tools/to-tool-uses.js";
import { advertised, expected } from "./known-tools.js";

const actions: Record<string, Action> = {
  read: readFile("a.ts", [10, 12]),
  write: writeFile("a.ts", "x\n"),
  edit: editFile("a.ts", "x", "y"),
  run: runCommand("npm test"),
  start: startCommand("npm run dev"),
  search: search("foo", "src"),
  find: findFiles("**/*.ts"),
  list: listDirectory("src"),
  patch: patch({ kind: "add", path: "b.ts", content: "x\n" }, { kind: "delete", path: "c.ts" }),
  mcp: mcp("demo", "add", { a: 1 }),
};

describe("an action as tool calls of", () => {
  for (const [variant, mappings] of Object.entries(expected)) {
    it.each(Object.entries(mappings))(`${variant}: %s`, (name, want) => {
      const uses = usesOf(variant, actions[name] ?? runCommand(""));
      const shown =
        want.includes(" ") && /[{*]|text\(/.test(want)
          ? uses.map(show)[0]
          : uses.map(({ tool }) => tool).join(" ");
      expect(shown?.startsWith(want), `${shown} should begin with ${want}`).toBe(true);
    });
  }

  it("an agent that has only a shell", () => {
    const [use] = toToolUses(writeFile("it's.txt", "a'b\n"), {
      table: tableOf("pi"),
      advertised: toolsOf("bash"),
      workspace: undefined,
    });
    expect(use?.input).toEqual({ command: `printf %s 'a'\\''b\n' > 'it'\\''s.txt'` });
  });

  it("an agent that is not permitted: its own tool, which it refuses", () => {
    const [use] = toToolUses(writeFile("a", "b"), {
      table: tableOf("pi"),
      advertised: toolsOf("read grep find ls"),
      workspace: undefined,
    });
    expect(use?.tool).toBe("write");
  });

  it.each([
    [
      "claude",
      'Agent {"description":"Look","prompt":"around","subagent_type":"general-purpose","run_in_background":false}',
      'Skill {"skill":"greet"}',
      "TaskCreate TaskCreate",
    ],
    [
      "claude 2.1.325",
      'Agent {"description":"Look","prompt":"around"',
      'Skill {"skill":"greet"}',
      "TaskCreate TaskCreate",
    ],
    [
      "opencode",
      'task {"description":"Look","prompt":"around","subagent_type":"general"}',
      'skill {"name":"greet"}',
      "todowrite",
    ],
    [
      "cline",
      'spawn_agent {"systemPrompt":"Look","task":"around"}',
      'skills {"skill":"greet","args":""}',
      undefined,
    ],
    ["goose", 'delegate {"instructions":"around"}', 'load_skill {"name":"greet"}', "todo__todo_write"],
    [
      "gemini",
      'invoke_agent {"agent_name":"generalist","prompt":"around"}',
      'activate_skill {"name":"greet"}',
      "write_todos",
    ],
    [
      "qwen",
      'agent {"description":"Look","prompt":"around","subagent_type":"general-purpose","run_in_background":false}',
      'skill {"skill":"greet"}',
      "todo_write",
    ],
    [
      "kimi",
      'Agent {"prompt":"around","description":"Look","run_in_background":false}',
      'Skill {"skill":"greet"}',
      "TodoList",
    ],
    [
      "droid",
      'Task {"subagent_type":"worker","description":"Look","prompt":"around","await":true}',
      'Skill {"skill":"greet"}',
      undefined,
    ],
    [
      "copilot",
      'task {"name":"helper","description":"Look","prompt":"around"',
      'skill {"skill":"greet"}',
      "sql",
    ],
  ])("%s: subagents, skills and todos", (variant, agent, skill, todos) => {
    expect(usesOf(variant, delegate("Look", "around")).map(show)[0]?.startsWith(agent)).toBe(true);
    expect(usesOf(variant, useSkill("greet")).map(show)).toEqual([skill]);
    const list = todo({ text: "One", status: "completed" }, { text: "Two", status: "pending" });
    if (todos === undefined) expect(() => usesOf(variant, list)).toThrow('no tool for "todo"');
    else
      expect(
        usesOf(variant, list)
          .map(({ tool }) => tool)
          .join(" "),
      ).toBe(todos);
  });

  it.each([
    [
      "claude",
      'Agent {"description":"Look","prompt":"around","subagent_type":"general-purpose","run_in_background":true}',
    ],
    ["goose", 'delegate {"instructions":"around","async":true}'],
    [
      "qwen",
      'agent {"description":"Look","prompt":"around","subagent_type":"general-purpose","run_in_background":true}',
    ],
    [
      "copilot",
      'task {"name":"helper","description":"Look","prompt":"around","agent_type":"general-purpose","mode":"background"}',
    ],
    ["grok", 'spawn_subagent {"prompt":"around","description":"Look","background":true}'],
    ["kimi", 'Agent {"prompt":"around","description":"Look","run_in_background":true}'],
    ["droid", 'Task {"subagent_type":"worker","description":"Look","prompt":"around","await":false}'],
  ])("%s: a subagent in the background", (variant, want) => {
    expect(usesOf(variant, startSubagent("Look", "around")).map(show)).toEqual([want]);
  });

  it("grok: a subagent to wait for, and todos, but no skills", () => {
    expect(usesOf("grok", delegate("Look", "around")).map(show)).toEqual([
      'spawn_subagent {"prompt":"around","description":"Look","background":false}',
    ]);
    expect(usesOf("grok", todo({ text: "One", status: "pending" }))[0]?.tool).toBe("todo_write");
    expect(() => usesOf("grok", useSkill("greet"))).toThrow('no tool for "useSkill"');
  });

  it.each([
    ["copilot", /'done'/],
    ["kimi", /"status":"done"/],
  ])("%s: a todo that is completed is done", (variant, want) => {
    expect(usesOf(variant, todo({ text: "One", status: "completed" })).map(show)[0]).toMatch(want);
  });

  it("an agent that waits for its subagents cannot start one in the background", () => {
    expect(() => usesOf("gemini", startSubagent("Look", "around"))).toThrow('no tool for "startSubagent"');
  });

  it.each([
    ["codex", 'exec_command {"cmd":"cat .agents/skills/greet/SKILL.md"}'],
    ["pi", 'read {"path":".pi/skills/greet/SKILL.md"}'],
  ])("%s: skills are files", (variant, want) => {
    expect(usesOf(variant, useSkill("greet")).map(show)).toEqual([want]);
  });
});

describe("a patch", () => {
  it("names the change of each file", () => {
    const text = toPatchText([
      { kind: "add", path: "new.ts", content: "one\n\ntwo\n" },
      { kind: "update", path: "old.ts", moveTo: "moved.ts", edits: [{ oldText: "a\nb", newText: "c" }] },
      { kind: "delete", path: "gone.ts" },
    ]);
    expect(text.split("\n")).toEqual([
      "*** Begin Patch",
      "*** Add File: new.ts",
      "+one",
      "+",
      "+two",
      "*** Update File: old.ts",
      "*** Move to: moved.ts",
      "@@",
      "-a",
      "-b",
      "+c",
      "*** Delete File: gone.ts",
      "*** End Patch",
    ]);
  });

  it("that edits and moves a file needs a patch tool", () => {
    const edits = [{ oldText: "a", newText: "b" }];
    const move = patch({ kind: "update", path: "a.ts", moveTo: "b.ts", edits });
    expect(() => usesOf("claude", move)).toThrow("cannot be edited and moved");
    expect(
      usesOf("claude", patch({ kind: "update", path: "a.ts", moveTo: "b.ts", edits: [] })).map(show)[0],
    ).toContain("mv a.ts b.ts");
  });
});

function usesOf(variant: string, action: Action) {
  const table = tableOf(variant.split(" ")[0] ?? "");
  return toToolUses(action, { table, advertised: toolsOf(advertised[variant] ?? ""), workspace: "/ws" });
}

function tableOf(agent: string) {
  return toolTables.find((table) => table.agent === agent);
}

function toolsOf(names: string) {
  return names.split(" ").map((name) => ({
    name: name.replace("*", ""),
    form: name.startsWith("*") ? ("freeform" as const) : ("json" as const),
  }));
}

function show({ tool, input }: { tool: string; input: unknown }): string {
  return `${tool} ${typeof input === "string" ? input : JSON.stringify(input)}`;
}
