import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { cline } from "../../src/agents/cline/definition.js";
import { codex } from "../../src/agents/codex/definition.js";
import { copilot } from "../../src/agents/copilot/definition.js";
import { cursor } from "../../src/agents/cursor/definition.js";
import { droid } from "../../src/agents/droid/definition.js";
import { goose } from "../../src/agents/goose/definition.js";
import { grok } from "../../src/agents/grok/definition.js";
import { kimi } from "../../src/agents/kimi/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { qwen } from "../../src/agents/qwen/definition.js";
import type { EventOf } from "../../src/events/event.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

/** The entries in short: `x one` is completed, `> one` in progress, `  one` pending. */
const marks = { completed: "x", in_progress: ">", pending: " " };
const short = ({ entries }: EventOf<"plan">) =>
  entries.map(({ content, status }) => `${marks[status]} ${content}`);

/** A call of Claude Code's shape, and its result. `parent`: the call of the subagent that makes it. */
let calls = 0;
function claudeCall(
  name: string,
  input: object,
  content: string,
  { parent, ...more }: { parent?: string; tool_use_result?: object; is_error?: boolean } = {},
): object[] {
  calls += 1;
  const id = `call-${calls}`;
  const { is_error, ...record } = more;
  const result = { type: "tool_result", tool_use_id: id, content, ...(is_error && { is_error }) };
  return [
    {
      type: "assistant",
      message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
      parent_tool_use_id: parent ?? null,
    },
    { type: "user", message: { content: [result] }, parent_tool_use_id: parent ?? null, ...record },
  ];
}

const created = (id: string, subject: string, parent?: string) =>
  claudeCall("TaskCreate", { subject, description: "d" }, `Task #${id} created successfully: ${subject}`, {
    ...(parent === undefined ? { tool_use_result: { task: { id, subject } } } : { parent }),
  });

describe("the tasks of Claude Code", () => {
  it("are one list for the session: a subagent changes the list of the main agent", () => {
    const plans = translateRun(claude, [
      ...created("1", "Main one"),
      ...created("2", "Sub one", "agent-call"),
      ...claudeCall("TaskUpdate", { taskId: "1", status: "in_progress" }, "Updated task #1 status", {
        parent: "agent-call",
      }),
    ]).of("plan");
    expect(plans.map(short)).toEqual([
      ["  Main one"],
      ["  Main one", "  Sub one"],
      ["> Main one", "  Sub one"],
    ]);
    expect(plans.every(({ parentCallId }) => parentCallId === undefined)).toBe(true);
  });

  it("are renamed and deleted", () => {
    const plans = translateRun(claude, [
      ...created("1", "One"),
      ...created("2", "Two"),
      ...claudeCall("TaskUpdate", { taskId: "2", status: "deleted" }, "Updated task #2 deleted"),
      ...claudeCall(
        "TaskUpdate",
        { taskId: "1", subject: "Uno", owner: "me" },
        "Updated task #1 subject, owner",
      ),
    ]).of("plan");
    expect(plans.slice(2).map(short)).toEqual([["  One"], ["  Uno"]]);
  });

  it("stay known if an update finds no task, which is not an error of the call", () => {
    const run = translateRun(claude, [
      ...created("1", "One"),
      ...claudeCall("TaskUpdate", { taskId: "77", status: "completed" }, "Task not found"),
      ...claudeCall("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status"),
    ]);
    expect(run.of("plan").map(short)).toEqual([["  One"], ["x One"]]);
  });

  it("are not changed by a call that failed, whatever its text says", () => {
    const failed = claudeCall("TaskCreate", { subject: "One" }, "Task #1 created successfully: One", {
      is_error: true,
    });
    expect(translateRun(claude, failed).of("plan")).toEqual([]);
  });

  it("of a resumed session are not reported before they are listed, since those of the first run are missing", () => {
    const text = "#1 [completed] One\n#4 [pending] Four (me) [blocked by #1]";
    const tasks = [
      { id: "1", subject: "One", status: "completed", blockedBy: [] },
      { id: "4", subject: "Four", status: "pending", owner: "me", blockedBy: ["1"] },
    ];
    const list = claudeCall("TaskList", {}, text, { tool_use_result: { tasks } });
    const run = translateRun(claude, [...created("4", "Four"), ...list], { isResumed: true });
    expect(run.of("plan").map(short)).toEqual([["x One", "  Four"]]);
  });

  it("that a subagent lists are read from the text, with the words that are known", () => {
    const list = claudeCall("TaskList", {}, "#1 [in_progress] One (me) [blocked by #2]\n#2 [pending] Two", {
      parent: "agent-call",
    });
    expect(
      translateRun(claude, [...created("1", "One"), ...list])
        .of("plan")
        .map(short)
        .at(-1),
    ).toEqual(["> One", "  Two"]);
  });
});

describe("a list that is written whole", () => {
  const write = (content: string, status: string, parent?: string) =>
    claudeCall("TodoWrite", { todos: [{ content, status }] }, "Todos have been modified successfully.", {
      ...(parent !== undefined && { parent }),
    });

  it("belongs to the agent that wrote it: a subagent has its own", () => {
    const run = translateRun(claude, [
      ...write("Main", "in_progress"),
      ...write("Sub", "pending", "agent-call"),
      ...write("Main", "in_progress"),
      ...write("Main", "completed"),
    ]);
    expect(run.of("plan").map((plan) => [plan.parentCallId, ...short(plan)])).toEqual([
      [undefined, "> Main"],
      ["agent-call", "  Sub"],
      [undefined, "x Main"],
    ]);
  });

  it("has the id and the line of the call's end, and follows its tool_end", () => {
    const run = translateRun(claude, write("Main", "pending"));
    const end = run.events.findIndex(({ type }) => type === "tool_end");
    const [plan] = run.of("plan");
    expect(plan).toMatchObject({ callId: run.of("tool_end")[0]?.callId, line: 2 });
    expect(plan?.seq).toBeGreaterThan(end);
  });

  it("is not reported if the call failed, or never ended", () => {
    const refused = claudeCall("TodoWrite", { todos: [{ content: "a" }] }, "No such tool", {
      is_error: true,
    });
    const [open] = write("Main", "pending");
    expect(translateRun(claude, [...refused, ...(open ? [open] : [])]).of("plan")).toEqual([]);
    expect(translateRun(qwen, readCapture("qwen", "0.24.4-todo").stdout).of("plan")).toEqual([]);
    expect(translateRun(droid, readCapture("droid", "0.225.2-todo").stdout).of("plan")).toEqual([]);
  });

  it("that is emptied is a plan without entries; one that was empty is nothing new", () => {
    const todowrite = (callID: string, todos: object[]) => ({
      type: "tool_use",
      sessionID: "ses",
      part: {
        type: "tool",
        tool: "todowrite",
        callID,
        state: { status: "completed", input: { todos }, output: "" },
      },
    });
    const run = translateRun(opencode, [
      todowrite("1", []),
      todowrite("2", [
        { content: "a", status: "cancelled" },
        { content: "b", status: "weird", priority: "low" },
      ]),
      todowrite("3", []),
    ]);
    expect(run.of("plan").map(({ entries }) => entries)).toEqual([
      [{ content: "b", status: "pending", priority: "low" }],
      [],
    ]);
  });
});

describe("a list that an agent describes in its own way", () => {
  it("Codex: every record of the item has the list, and the last one repeats it", () => {
    const run = translateRun(codex, readCapture("codex", "todo").stdout);
    expect(run.of("plan").map(short)).toEqual([
      ["  First", "  Second"],
      ["x First", "  Second"],
      ["x First", "x Second"],
    ]);
  });

  it("Grok: the result has the whole list when the call changed a part of it", () => {
    const todos = [
      { content: "First", priority: "medium", status: "completed" },
      { content: "Second", priority: "medium", status: "pending" },
    ];
    const result = JSON.stringify({ type: "Todo", TodosUpdated: { summary_for_prompt: "…", todos } });
    const input = { merge: true, todos: [{ id: "1", status: "completed" }] };
    const run = translateRun(grok, claudeCall("todo_write", input, result));
    expect(run.of("plan").map(short)).toEqual([["x First", "  Second"]]);
  });

  it("Kimi: the text of the result says whether the list was changed", () => {
    const call = (id: string, input: object, content: string) => [
      {
        role: "assistant",
        tool_calls: [
          { type: "function", id, function: { name: "TodoList", arguments: JSON.stringify(input) } },
        ],
      },
      { role: "tool", tool_call_id: id, content },
    ];
    const first = { title: "First", status: "in_progress" };
    const shown = "Current todo list:\n  [in_progress] First";
    const records = [
      ...call("1", { todos: [first] }, `Todo list updated.\n${shown}\n\nEnsure that you continue.`),
      ...call("2", {}, shown),
      ...call(
        "3",
        { todos: [{ title: "First", status: "odd" }] },
        'Invalid args for tool "TodoList": /todos/0/status',
      ),
      ...call("4", { todos: [] }, "Todo list cleared."),
    ];
    expect(translateRun(kimi, records).of("plan").map(short)).toEqual([["> First"], []]);
    const resumed = translateRun(kimi, call("2", {}, shown), { isResumed: true });
    expect(resumed.of("plan").map(short)).toEqual([["> First"]]);
  });

  it("Goose: Markdown, which may also be prose", () => {
    const call = (id: string, content: string) => [
      {
        type: "message",
        message: {
          role: "assistant",
          content: [
            {
              type: "toolRequest",
              id,
              toolCall: { status: "success", value: { name: "todo__todo_write", arguments: { content } } },
            },
          ],
        },
      },
      {
        type: "message",
        message: {
          role: "user",
          content: [
            {
              type: "toolResponse",
              id,
              toolResult: { status: "success", value: { content: [{ type: "text", text: "Updated" }] } },
            },
          ],
        },
      },
    ];
    const run = translateRun(goose, [...call("1", "# Plan\n- [x] one\n  - [ ] two"), ...call("2", "Later.")]);
    expect(run.of("plan").map(short)).toEqual([["x one", "  two"], []]);
  });

  it("Cursor: a call replaces the list, or changes some of its entries", () => {
    const call = (id: string, args: object) => ({
      type: "tool_call",
      subtype: "completed",
      call_id: id,
      tool_call: { updateTodosToolCall: { args, result: { success: { totalCount: 2 } } } },
    });
    const entry = (id: string, status: string) => ({
      id,
      content: `entry ${id}`,
      status: `TODO_STATUS_${status}`,
    });
    const whole = call("1", { todos: [entry("1", "PENDING"), entry("2", "PENDING")], merge: false });
    const part = call("2", { todos: [entry("2", "COMPLETED")], merge: true });
    const expected = [
      ["  entry 1", "  entry 2"],
      ["  entry 1", "x entry 2"],
    ];
    expect(translateRun(cursor, [whole, part]).of("plan").map(short)).toEqual(expected);
    expect(translateRun(cursor, [part], { isResumed: true }).of("plan")).toEqual([]);
  });

  it("Cline: the tasks of a team, which a restored team has more of than the run shows", () => {
    const run = translateRun(cline, readCapture("cline", "todo").stdout);
    expect(run.of("plan").map(short)).toEqual([["  First step"], ["> First step"], ["x First step"]]);
    const restored = readCapture("cline", "todo").stdout.map((line) =>
      line.replaceAll("task_0001", "task_0002"),
    );
    expect(translateRun(cline, restored).of("plan").map(short)).toEqual([
      ["  First step"],
      ["> First step"],
      ["x First step"],
    ]);
    expect(translateRun(cline, restored).of("plan")[0]?.line).toBe(run.of("tool_end")[1]?.line);
  });
});

describe("Copilot's table of to-dos", () => {
  let number = 0;
  const sql = (query: string, content = "1 row(s) updated.", more: object = {}) => {
    number += 1;
    const toolCallId = `sql-${number}`;
    const input = { description: "todos", query, ...more };
    return [
      { type: "tool.execution_start", data: { toolCallId, toolName: "sql", arguments: input } },
      { type: "tool.execution_complete", data: { toolCallId, success: true, result: { content } } },
    ];
  };
  const plansOf = (...records: object[][]) => translateRun(copilot, records.flat()).of("plan").map(short);
  const two = sql(`-- plan
    INSERT INTO todos (id, title, description) VALUES ('a', 'It''s; A', 'x'), ('b', 'B', NULL);`);
  const table = (...rows: string[]) =>
    [`${rows.length} row(s) returned:`, "", "| id | title | status |", "| --- | --- | --- |", ...rows].join(
      "\n",
    );

  it("is followed through statements that name rows by id", () => {
    expect(
      plansOf(
        two,
        sql("UPDATE todos SET status = 'done', updated_at = CURRENT_TIMESTAMP WHERE id = 'a'"),
        sql("INSERT OR REPLACE INTO todos (id, title, status) VALUES ('c', 'C', 'blocked')"),
        sql(
          "update todos set status='in_progress' where id in ('b','c'); UPDATE todos SET title = 'Z' WHERE id = 'b'",
        ),
        sql("DELETE FROM todos WHERE id = 'a'"),
        sql("DELETE FROM todos"),
      ),
    ).toEqual([
      ["  It's; A", "  B"],
      ["x It's; A", "  B"],
      ["x It's; A", "  B", "  C"],
      ["x It's; A", "> Z", "> C"],
      ["> Z", "> C"],
      [],
    ]);
  });

  it.each([
    "INSERT INTO todo_deps (todo_id, depends_on) VALUES ('b', 'a')",
    "INSERT INTO todo_deps SELECT id, 'a' FROM todos",
    "SELECT * FROM todos WHERE status = 'pending'",
    "WITH ready AS (SELECT id FROM todos) SELECT * FROM ready",
    "CREATE TABLE tests (id TEXT, todo TEXT REFERENCES todos(id))",
    "SELEC nope",
    "",
  ])("is left alone by %s", (query) => {
    const end = sql("UPDATE todos SET status = 'done' WHERE id = 'a'");
    expect(plansOf(two, sql(query, "1 row"), end)).toEqual([
      ["  It's; A", "  B"],
      ["x It's; A", "  B"],
    ]);
  });

  it.each([
    "UPDATE todos SET status = 'done' WHERE status = 'pending'",
    "UPDATE todos SET status = CASE WHEN id = 'a' THEN 'done' ELSE status END",
    "UPDATE todos SET status = 'done' WHERE id = 'a' OR title = 'B'",
    "UPDATE todos SET id = 'z' WHERE id = 'a'",
    "DELETE FROM todos WHERE status = 'done'",
    "DROP TABLE todos",
    "INSERT INTO todos SELECT * FROM other",
    "INSERT INTO todos (id, title) VALUES (lower('Q'), 'Q')",
    "INSERT INTO todos (id, title) VALUES ('a', 'Q') ON CONFLICT(id) DO UPDATE SET title = 'Q'",
    "WITH old AS (SELECT 1) DELETE FROM todos",
    "/* all */ UPDATE todos SET status = 'done'",
  ])("is not known after %s, until a query shows it whole", (query) => {
    const rest = sql("UPDATE todos SET status = 'done' WHERE id = 'b'");
    const part = sql("SELECT id, title, status FROM todos LIMIT 1", table("| a | A | done |"));
    const whole = sql(
      "SELECT id, title, status FROM todos ORDER BY id",
      table("| a | A | done |", "| b | x|y | done |"),
    );
    expect(plansOf(two, sql(query), rest, part)).toEqual([["  It's; A", "  B"]]);
    expect(plansOf(two, sql(query), rest, part, whole)).toEqual([
      ["  It's; A", "  B"],
      ["x A", "x x|y"],
    ]);
  });

  it("is not read from a table that is cut, or of another database", () => {
    const cut = table("| a | A | done |").replace("1 row(s)", "9 row(s)");
    expect(plansOf(two, sql("SELECT * FROM todos", cut))).toHaveLength(1);
    expect(plansOf(two, sql("DELETE FROM todos", "done", { database: "session_store" }))).toHaveLength(1);
    expect(plansOf(two, sql("SELECT * FROM todos", "Query returned 0 rows."))).toEqual([
      ["  It's; A", "  B"],
      [],
    ]);
  });
});
