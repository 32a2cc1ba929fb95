import { describe, expect, it } from "vitest";
import { createChangedFiles, patchOfEdits } from "../../src/story/changed-files.js";
import type { SummaryEvent } from "../../src/story/run-summary.js";
import type { JsonValue } from "../../src/text/json.js";

const timestamp = "2026-11-15T12:00:00.000Z";
const started: SummaryEvent = { type: "started", timestamp, agent: "a", cwd: "/w" };

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
  it("is nothing without edits", () => {
    expect(changesOf()).toBeUndefined();
    expect(patchOfEdits([started])).toBeUndefined();
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
});
