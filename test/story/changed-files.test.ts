import { readdirSync } from "node:fs";
import { setImmediate as nextTask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import type { FileChange } from "../../src/events/changes.js";
import { createChangedFiles, filesOfEdits, patchOfEdits } from "../../src/story/changed-files.js";
import type { SummaryEvent } from "../../src/story/run-summary.js";
import type { JsonValue } from "../../src/text/json.js";
import { captureNames, capturesDirectory, readCapture, translateCapture } from "../support/captures.js";

const timestamp = "2026-11-15T12:00:00.000Z";
const started: SummaryEvent = { type: "started", timestamp, agent: "a", cwd: "/w" };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** A call with what it wrote. */
function call(callId: string, input: JsonValue, paths: string[], isSuccess = true): SummaryEvent[] {
  return [
    { type: "tool_start", timestamp, callId, name: "tool", input },
    ...paths.map((path): SummaryEvent => ({ type: "write", timestamp, path, callId, isSuccess })),
    { type: "tool_end", timestamp, callId, name: "tool", isSuccess },
  ];
}

function changesOf(...events: SummaryEvent[]) {
  const changed = createChangedFiles();
  for (const event of [started, ...events]) changed.add(event);
  return changed.read();
}

const patch = `*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: src/a.ts
@@
-old
+new
+newer
 same
*** Delete File: gone.txt
*** End Patch`;

describe("what the edits of a run said", () => {
  it("lists 10,000 files, and counts the others", () => {
    const calls = Array.from({ length: 10_500 }, (_, at) => {
      const path = `/w/f${at}.txt`;
      return call(`${at}`, { file_path: path, content: "one\ntwo\n" }, [path]);
    });
    const again = call("again", { file_path: "/w/f10499.txt", content: "one\n" }, ["/w/f10499.txt"]);
    const changes = changesOf(...calls.flat(), ...again);
    expect(changes?.files).toHaveLength(10_000);
    expect(changes).toMatchObject({ moreFiles: 500, insertions: 21_001, deletions: 0 });
  });

  it("is nothing without edits", () => {
    expect(changesOf()).toBeUndefined();
    expect(patchOfEdits([started])).toBeUndefined();
  });

  it("does not keep the contents of many calls, and counts them all the same", async () => {
    const changed = createChangedFiles();
    changed.add(started);
    const inputs: WeakRef<object>[] = [];
    const write = (at: number, characters: number): void => {
      const path = `/w/${at}.txt`;
      const input = { file_path: path, content: `${"x".repeat(characters - 1)}\n` };
      inputs.push(new WeakRef(input));
      for (const event of call(String(at), input, [path])) changed.add(event);
    };
    const kept = (): number => {
      collectGarbage();
      return inputs.filter((input) => input.deref() !== undefined).length;
    };
    for (let at = 0; at < 10; at++) write(at, 1000);
    await nextTask();
    // They are looked at when somebody asks.
    expect(kept()).toBe(10);
    for (let at = 10; at < 40; at++) write(at, 400_000);
    await nextTask();
    expect(kept()).toBeLessThanOrEqual(4);
    expect(changed.read()).toMatchObject({ insertions: 40, deletions: 0 });
    expect(changed.read()?.files).toHaveLength(40);
  });

  it("takes the diff of a result, however much waits", () => {
    const changed = createChangedFiles();
    changed.add(started);
    const large = { file_path: "/w/large.txt", content: "x".repeat(1_500_000) };
    for (const event of call("1", large, ["/w/large.txt"])) changed.add(event);
    for (const event of call("2", { path: "/w/a.txt" }, ["/w/a.txt"]).slice(0, 2)) changed.add(event);
    const output = { diff: "@@ -1 +1,2 @@\n-old\n+new\n+newer\n" };
    changed.add({ type: "tool_end", timestamp, callId: "2", name: "tool", isSuccess: true, output });
    expect(changed.read()?.files).toMatchObject([
      { path: "a.txt", insertions: 2, deletions: 1 },
      { path: "large.txt", insertions: 1 },
    ]);
  });

  it("counts the lines of new files, replaced texts and patches", () => {
    const found = changesOf(
      ...call("1", { file_path: "/w/n.txt", content: "1\n2\n3\n" }, ["/w/n.txt"]),
      ...call("2", { path: "b.txt", old_string: "x\ny", new_string: "x\nz\nz" }, ["/w/b.txt"]),
      ...call("3", { input: patch }, ["/w/new.txt", "/w/src/a.ts", "/w/gone.txt"]),
    );
    expect(found).toEqual({
      source: "edits",
      root: "/w",
      files: [
        { path: "b.txt", kind: "modified", insertions: 2, deletions: 1 },
        { path: "gone.txt", kind: "deleted", insertions: 0, deletions: 0 },
        { path: "n.txt", kind: "added", insertions: 3, deletions: 0 },
        { path: "new.txt", kind: "added", insertions: 2, deletions: 0 },
        { path: "src/a.ts", kind: "modified", insertions: 2, deletions: 1 },
      ],
      insertions: 9,
      deletions: 2,
    });
  });

  it("leaves out what failed and what was refused", () => {
    const input = { file_path: "/w/n.txt", content: "1\n" };
    expect(changesOf(...call("1", input, ["/w/n.txt"], false))).toBeUndefined();
  });

  it("knows a file that was read before, and one that is written twice", () => {
    const write = (id: string, content: string) => call(id, { file_path: "/w/n.txt", content }, ["/w/n.txt"]);
    expect(changesOf(...write("1", "1\n2\n3\n"), ...write("2", "1\n"))).toMatchObject({ insertions: 1 });
    const read: SummaryEvent = { type: "read", timestamp, path: "/w/n.txt" };
    expect(changesOf(read, ...write("1", "1\n"))?.files).toMatchObject([{ kind: "modified" }]);
  });

  it("does not count when git has compared the files", () => {
    const compared: SummaryEvent = {
      type: "changes",
      timestamp,
      root: "/w",
      files: [],
      insertions: 0,
      deletions: 0,
    };
    const edit = call("1", { file_path: "/w/n.txt", content: "1\n" }, ["/w/n.txt"]);
    expect(changesOf(...edit, compared)).toMatchObject({ source: "git", files: [] });
  });

  it("is a patch to read, which ends before the file that does not fit", () => {
    const events = [
      started,
      ...call("1", { file_path: "/w/n.txt", content: "1\n" }, ["/w/n.txt"]),
      ...call("2", { path: "b.txt", old_string: "x", new_string: "y" }, ["/w/b.txt"]),
    ];
    const first = "diff --git a/n.txt b/n.txt\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,1 @@\n+1\n";
    const second = "diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@\n-x\n+y\n";
    expect(patchOfEdits(events)).toBe(first + second);
    expect(patchOfEdits(events, first.length + 3)).toBe(first);
  });

  it("takes any input", () => {
    for (const input of [
      null,
      1,
      "x",
      [],
      { path: 1, content: [] },
      { a: { b: { c: { d: { e: { f: {} } } } } } },
    ])
      expect(changesOf(...call("1", input, ["/w/x"]))?.files).toEqual([
        { path: "x", kind: "modified", insertions: 0, deletions: 0 },
      ]);
  });

  it("counts only the lines that differ, also in the middle of a replaced text", () => {
    const input = {
      path: "a.txt",
      old_string: "one\ntwo\nthree\nfour\nfive",
      new_string: "one\n2\nthree\n4\nfive",
    };
    const events = [started, ...call("1", input, ["/w/a.txt"])];
    expect(filesOfEdits(events)).toEqual([
      {
        path: "a.txt",
        kind: "modified",
        insertions: 2,
        deletions: 2,
        text: "@@\n one\n-two\n+2\n three\n-four\n+4\n five",
      },
    ]);
  });

  it("does not count a replacement that was made any number of times", () => {
    const input = { path: "a.txt", old_string: "x", new_string: "y", replace_all: true };
    const [file] = filesOfEdits([started, ...call("1", input, ["/w/a.txt"])]);
    expect(file).toMatchObject({ insertions: 0, deletions: 0, text: "@@\n-x\n+y" });
  });

  it("takes the contents that Codex sends in a conversation, and a new file of ACP", () => {
    const changes = [
      { path: "/w/new.txt", kind: { type: "add" }, diff: "1\n2\n" },
      { path: "/w/old.txt", kind: { type: "delete" }, diff: "1\n" },
      { path: "/w/a.txt", kind: { type: "update" }, diff: "@@ -1 +1,2 @@\n-1\n+2\n+3\n" },
    ];
    const acp = [{ type: "diff", path: "/w/acp.txt", oldText: null, newText: "1\n" }];
    const found = changesOf(
      ...call("1", { changes }, ["/w/new.txt", "/w/old.txt", "/w/a.txt"]),
      ...call("2", { content: acp }, ["/w/acp.txt"]),
    );
    expect(found?.files.map(shown)).toEqual([
      "M a.txt +2 -1",
      "A acp.txt +1 -0",
      "A new.txt +2 -0",
      "D old.txt +0 -1",
    ]);
  });

  it("keeps calls apart that have the same id", () => {
    const found = changesOf(
      ...call("1", { path: "a.txt", content: "1\n" }, ["/w/a.txt"]),
      ...call("1", { path: "b.txt", content: "1\n2\n" }, ["/w/b.txt"]),
    );
    expect(found?.files.map(shown)).toEqual(["A a.txt +1 -0", "A b.txt +2 -0"]);
  });

  it("is relative to the directory that the agent names", () => {
    const session: SummaryEvent = { type: "session", timestamp, cwd: "/elsewhere" };
    const edit = call("1", { path: "/elsewhere/a.txt", content: "1\n" }, ["/elsewhere/a.txt"]);
    expect(changesOf(session, ...edit)).toMatchObject({ root: "/elsewhere", files: [{ path: "a.txt" }] });
  });
});

function shown({ kind, path, from, insertions, deletions }: FileChange): string {
  const name = from === undefined ? path : `${from} > ${path}`;
  return `${kind.charAt(0).toUpperCase()} ${name} +${insertions} -${deletions}`;
}

const usual = ["A created.txt +1 -0", "M notes/todo.txt +1 -1"];
const patched = [
  "R README.md > docs/README.md +1 -1",
  "D notes/todo.txt +0 -0",
  "A src/added.ts +1 -0",
  "M src/util.ts +1 -1",
];

/** What really happened in these runs. The numbers are 0 where the log does not have the contents. */
const real: Readonly<Record<string, readonly string[]>> = {
  "antigravity/tools": ["M src/new.ts +0 -0", "M src/util.ts +0 -0"],
  "bob/v1-tools": ["A src/new.ts +1 -0", "A src/new2.ts +1 -0", "M src/util.ts +2 -1"],
  "bob/v2-task": ["M notes/why.md +0 -0", "M ranges.py +1 -1", "M test_ranges.py +0 -0"],
  "claude/2.1.325-files": usual,
  "claude/files": ["M src/app.ts +2 -1", "A src/new.ts +2 -0"],
  "cline/3.0.65-files": usual,
  "cline/files": ["M notes/todo.txt +1 -0", "A src/new.ts +1 -0", "M src/util.ts +1 -1"],
  "cline/3.0.65-patchmove": [
    "A new dir/patched.txt +2 -0",
    "M notes/todo.txt +1 -1",
    "D old.txt +0 -0",
    "R src/mv.ts > src/moved.ts +1 -1",
  ],
  "cline/local-patch": patched,
  "codex/0.166.0-files": ["A created.txt +0 -0", "M notes/todo.txt +0 -0"],
  "codex/codemode-files": ["M src/app.ts +0 -0", "A src/new.ts +0 -0"],
  "copilot/1.0.102-files": usual,
  "copilot/patch": patched,
  "cursor/tools": [
    "M src/a.ts +1 -1",
    "A src/b.ts +1 -0",
    "A src/new.ts +1 -0",
    "D src/old.ts +0 -0",
    "D src/old2.ts +0 -0",
    "M src/util.ts +1 -1",
  ],
  "droid/0.225.2-files": usual,
  "gemini/0.61.0-files": usual,
  "goose/1.52.0-files": usual,
  "grok/1.0.41-files": usual,
  "grok/streaming-json-files": usual,
  "kilo/7.7.9-files": usual,
  "kilo/patch": patched,
  "kimi/2.1.0-files": usual,
  "opencode/1.18.33-files": usual,
  "opencode/patch": patched,
  "pi/1.4.0-files": usual,
  "qwen/0.24.4-files": usual,
};

describe("what the edits of real agents said", () => {
  it.each(Object.entries(real))("%s", (key, expected) => {
    const [id = "", scenario = ""] = key.split("/");
    const lines = translateCapture(requireAgent(id), readCapture(id, scenario));
    const changed = createChangedFiles();
    for (const event of lines.flatMap(({ events }) => events)) changed.add(event);
    expect(changed.read()?.files.map(shown)).toEqual(expected);
  });

  it("is known for every agent with a capture of edited files", () => {
    const all = readdirSync(capturesDirectory).filter((agent) =>
      captureNames(agent).some((name) => name === "files" || name.endsWith("-files")),
    );
    const checked = new Set(Object.keys(real).map((key) => key.split("/")[0]));
    expect(all.filter((agent) => !checked.has(agent))).toEqual([]);
  });
});
