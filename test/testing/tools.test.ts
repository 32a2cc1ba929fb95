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

/** What each agent advertised in a real run. `*` marks freeform tools. */
const advertised: Record<string, string> = {
  claude:
    "Agent Bash CronCreate Edit NotebookEdit Read SendMessage Skill TaskCreate TaskUpdate WebFetch WebSearch Write",
  codex:
    "exec_command write_stdin request_user_input *apply_patch view_image get_goal tool_search web_search",
  "codex in code mode": "*exec wait request_user_input sleep spawn_agent wait_agent",
  opencode: "bash edit glob grep read skill task todowrite webfetch write",
  "opencode with gpt-5": "apply_patch bash glob grep read skill task todowrite webfetch",
  kilo: "background_process bash board_post board_read edit glob goal grep kilo_local_recall read skill task todowrite webfetch write",
  pi: "read bash edit write",
  "pi with all tools": "read bash edit write grep find ls",
  cline:
    "read_files search_codebase run_commands fetch_web_content editor ask_question spawn_agent team_status skills",
  "cline with gpt":
    "read_files search_codebase run_commands fetch_web_content apply_patch ask_question spawn_agent",
  goose: "analyze delegate edit load load_skill read_image shell tree write",
  gemini:
    "update_topic list_directory read_file grep_search glob replace write_file run_shell_command write_todos invoke_agent activate_skill",
  qwen: "tool_search agent skill list_directory read_file grep_search glob edit write_file run_shell_command todo_write web_fetch",
  copilot: "bash read_bash view create edit skill sql grep glob task",
  "copilot with gpt-5": "bash read_bash view *apply_patch skill sql rg glob task",
};

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

const expected: Record<string, Record<string, string>> = {
  claude: {
    read: 'Read {"file_path":"a.ts","offset":10,"limit":3}',
    write: "Write",
    edit: "Edit",
    run: "Bash",
    start: 'Bash {"command":"npm run dev","description":"Run a command","run_in_background":true}',
    search: 'Bash {"command":"grep -rn foo src"',
    find: `Bash {"command":"find . -name '*.ts'"`,
    list: 'Bash {"command":"ls src"',
    patch: "Write Bash",
    mcp: "mcp__demo__add",
  },
  codex: {
    read: `exec_command {"cmd":"sed -n '10,12p' a.ts"}`,
    write: "apply_patch *** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch",
    edit: "apply_patch *** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch",
    run: 'exec_command {"cmd":"npm test"}',
    start: 'exec_command {"cmd":"npm run dev","yield_time_ms":250}',
    search: "exec_command",
    find: "exec_command",
    list: "exec_command",
    patch: "apply_patch",
    mcp: 'add {"a":1}',
  },
  "codex in code mode": {
    read: `exec text(await tools.exec_command({"cmd":"sed -n '10,12p' a.ts"}));`,
    edit: 'exec text(await tools.apply_patch("*** Begin Patch',
    run: "exec",
  },
  opencode: {
    read: 'read {"filePath":"a.ts","offset":10,"limit":3}',
    write: "write",
    edit: "edit",
    run: "bash",
    search: "grep",
    find: "glob",
    list: 'read {"filePath":"src"}',
    patch: "write bash",
    mcp: "demo_add",
  },
  "opencode with gpt-5": {
    write: 'apply_patch {"patchText":"*** Begin',
    edit: 'apply_patch {"patchText":',
    patch: "apply_patch",
  },
  kilo: { read: "read", write: "write", edit: "edit", run: "bash", list: "read", mcp: "demo_add" },
  pi: {
    read: 'read {"path":"a.ts","offset":10,"limit":3}',
    write: "write",
    edit: 'edit {"path":"a.ts","edits":[{"oldText":"x","newText":"y"}]}',
    run: "bash",
    start: `bash {"command":"nohup sh -c 'npm run dev' > /dev/null 2>&1 &"`,
    search: "bash",
    find: "bash",
    list: "bash",
  },
  "pi with all tools": { search: "grep", find: "find", list: "ls" },
  cline: {
    read: 'read_files {"files":[{"path":"a.ts","start_line":10,"end_line":12}]}',
    write: "editor",
    edit: "editor",
    run: 'run_commands {"commands":["npm test"]}',
    search: "search_codebase",
    find: "run_commands",
    list: "run_commands",
    patch: "editor run_commands",
    mcp: "demo__add",
  },
  "cline with gpt": { write: 'apply_patch {"input":', edit: 'apply_patch {"input":', patch: "apply_patch" },
  goose: {
    read: "shell",
    write: "write",
    edit: "edit",
    run: "shell",
    search: "shell",
    find: "shell",
    list: "tree",
    mcp: "demo__add",
  },
  gemini: {
    read: 'read_file {"file_path":"a.ts","start_line":10,"end_line":12}',
    write: "write_file",
    edit: "replace",
    run: "run_shell_command",
    start: 'run_shell_command {"command":"npm run dev","is_background":true}',
    search: "grep_search",
    find: "glob",
    list: "list_directory",
    mcp: "mcp_demo_add",
  },
  qwen: {
    read: 'read_file {"file_path":"/ws/a.ts","offset":9,"limit":3}',
    write: 'write_file {"file_path":"/ws/a.ts"',
    edit: "edit",
    run: "run_shell_command",
    search: "grep_search",
    list: 'list_directory {"path":"/ws/src"}',
    mcp: "mcp__demo__add",
  },
  copilot: {
    read: 'view {"path":"a.ts","view_range":[10,12]}',
    write: "create",
    edit: "edit",
    run: "bash",
    search: "grep",
    find: "glob",
    list: "view",
    mcp: "demo-add",
  },
  "copilot with gpt-5": {
    write: "apply_patch *** Begin",
    edit: "apply_patch *** Begin",
    search: "rg",
    patch: "apply_patch",
  },
};

describe("an action in the words of", () => {
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

  it("an agent that has only a shell left", () => {
    const [use] = toToolUses(writeFile("it's.txt", "a'b\n"), {
      table: tableOf("pi"),
      advertised: toolsOf("bash"),
      workspace: undefined,
    });
    expect(use?.input).toEqual({ command: `printf %s 'a'\\''b\n' > 'it'\\''s.txt'` });
  });

  it("an agent that may not do it: its own tool, to be refused", () => {
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
      'agent {"description":"Look","prompt":"around","subagent_type":"general-purpose"}',
      'skill {"skill":"greet"}',
      "todo_write",
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
  ])("%s: a subagent in the background", (variant, want) => {
    expect(usesOf(variant, startSubagent("Look", "around")).map(show)).toEqual([want]);
  });

  it("an agent whose subagents are waited for has none in the background", () => {
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
  it("names what happens to each file", () => {
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
