import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TodoList } from "../../../src/agents/contract.js";
import { mergeTodos, readTodos, todosInText } from "../../../src/agents/shared/todos.js";

describe("the entries of a to-do list", () => {
  it.each([
    [{ content: "a", status: "pending" }, "pending"],
    [{ content: "a", status: "in_progress" }, "in_progress"],
    [{ content: "a", status: "TODO_STATUS_IN_PROGRESS" }, "in_progress"],
    [{ step: "a", status: "inProgress" }, "in_progress"],
    [{ description: "a", status: "blocked" }, "pending"],
    [{ title: "a", status: "done" }, "completed"],
    [{ subject: "a", status: "completed" }, "completed"],
    [{ text: "a", completed: true }, "completed"],
    [{ text: "a", completed: false }, "pending"],
    [{ text: "a", done: true }, "completed"],
    [{ content: "a", status: "nobody knows" }, "pending"],
    [{ content: "a", status: 7 }, "pending"],
    ["a", "pending"],
  ])("%j is %s", (entry, status) => {
    expect(readTodos([entry])).toEqual([{ content: "a", status }]);
  });

  it.each(["cancelled", "canceled", "deleted", "TODO_STATUS_CANCELLED"])(
    "leave out what is %s, since it is neither to be done nor done",
    (status) => {
      expect(readTodos([{ content: "a", status }])).toEqual([]);
    },
  );

  it("have the priorities of the vocabulary only", () => {
    const given = ["high", "MEDIUM", "urgent", 1].map((priority) => ({ content: "a", priority }));
    expect(readTodos(given)?.map(({ priority }) => priority)).toEqual([
      "high",
      "medium",
      undefined,
      undefined,
    ]);
  });

  it("are not read from what is not a list", () => {
    expect(readTodos(undefined)).toBeUndefined();
    expect(readTodos({ content: "a" })).toBeUndefined();
    expect(readTodos([null, 3, {}, [], { content: "  " }, { content: 5 }])).toEqual([]);
  });
});

describe("a to-do list that is text", () => {
  it("has the lines with a check box, at any depth", () => {
    expect(
      todosInText("# Plan\n\n- [x] one\n  - [ ] two\n* [X] three\n1. [~] four\n[ ] five\nprose\n"),
    ).toEqual([
      { content: "one", status: "completed" },
      { content: "two", status: "pending" },
      { content: "three", status: "completed" },
      { content: "four", status: "in_progress" },
      { content: "five", status: "pending" },
    ]);
  });

  it("may have the names of statuses in the boxes", () => {
    expect(todosInText("1. [in_progress] one\n2. [pending] two\n3. [cancelled] three\n[note] four")).toEqual([
      { content: "one", status: "in_progress" },
      { content: "two", status: "pending" },
    ]);
  });

  it("without boxes has the items of a Markdown list, and links are not boxes", () => {
    expect(todosInText("First:\n- one\n2) [two](file.md)")).toEqual([
      { content: "one", status: "pending" },
      { content: "[two](file.md)", status: "pending" },
    ]);
    expect(todosInText("Just do it.")).toEqual([]);
  });
});

describe("changing a to-do list by ids", () => {
  const list: TodoList = [
    { id: "1", content: "one", status: "pending", priority: "high" },
    { id: "2", content: "two", status: "pending" },
  ];

  it("keeps what the change does not name, and puts new entries at the end", () => {
    const changes = [
      { id: "3", content: "three" },
      { id: 1, status: "done" },
      { id: "2", content: null },
    ];
    expect(mergeTodos(list, changes)).toEqual([
      { id: "1", content: "one", status: "completed", priority: "high" },
      list[1],
      { id: "3", content: "three", status: "pending" },
    ]);
  });

  it("removes what is cancelled", () => {
    expect(mergeTodos(list, [{ id: "1", status: "cancelled" }])).toEqual([list[1]]);
  });
});

it("readers of to-do lists never throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const json = JSON.parse(JSON.stringify(value));
      readTodos(json);
      mergeTodos([{ id: "1", content: "one", status: "pending" }], json);
      todosInText(text);
    }),
  );
});
