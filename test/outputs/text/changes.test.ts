import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/text/json.js";
import { completed, exitedWithOne, failed, type Given, started, succeeded } from "../support.js";
import { rowsOf } from "./support.js";

/** The row of an edit, with what the call said. */
function editRow(input: JsonValue, output?: JsonValue, ...paths: string[]): string[] {
  const files = paths.length === 0 ? ["/repo/src/a.ts"] : paths;
  const operations = files.map((path) => ({ type: "write" as const, path }));
  const writes: Given[] = files.map((path) => ({ type: "write", path, isSuccess: true, callId: "c" }));
  const end: Given = {
    type: "tool_end",
    callId: "c",
    name: "Edit",
    isSuccess: true,
    ...(output !== undefined && { output }),
  };
  return rowsOf([
    started,
    { type: "tool_start", callId: "c", name: "Edit", input, operations },
    [end, ...writes],
  ]).slice(2);
}

describe("the row of an edit", () => {
  const patch =
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n+c\n*** Add File: src/b.ts\n+d\n*** Delete File: src/c.ts\n*** End Patch";

  it.each<[string, JsonValue, JsonValue | undefined, string]>([
    ["a replaced text", { old_string: "a\nb", new_string: "a\nc\nd" }, undefined, "✓ Edited src/a.ts  +2 −1"],
    [
      "several of them",
      {
        edits: [
          { oldText: "a", newText: "b" },
          { oldText: "c", newText: "" },
        ],
      },
      undefined,
      "✓ Edited src/a.ts  +1 −2",
    ],
    [
      "a text that is replaced everywhere",
      { old_string: "a", new_string: "b", replace_all: true },
      undefined,
      "✓ Edited src/a.ts",
    ],
    ["a new file", { content: "a\nb\n" }, "File created successfully", "✓ Edited src/a.ts  +2"],
    ["a file that is written as a whole", { content: "a\nb" }, "ok", "✓ Edited src/a.ts  2 lines written"],
    [
      "a diff in the output",
      { path: "src/a.ts" },
      "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b",
      "✓ Edited src/a.ts  +1 −1",
    ],
    ["nothing that can be counted", { path: "src/a.ts" }, "ok", "✓ Edited src/a.ts"],
  ])("%s", (_name, input, output, row) => {
    expect(editRow(input, output)).toEqual([row]);
  });

  it("has the lines of its own file if a patch has several", () => {
    expect(
      editRow({ patch }, undefined, "/repo/src/a.ts", "/repo/src/b.ts", "/repo/src/c.ts", "/repo/x.ts"),
    ).toEqual(["✓ Edited src/a.ts  +2 −1", "✓ Edited src/b.ts  +1", "✓ Edited src/c.ts", "✓ Edited x.ts"]);
  });

  it("says that it failed, and counts nothing", () => {
    const input = { old_string: "a", new_string: "b" };
    const rows = rowsOf([
      started,
      { type: "tool_start", callId: "c", name: "Edit", input },
      [
        { type: "tool_end", callId: "c", name: "Edit", isSuccess: false, output: "no match" },
        { type: "write", path: "/repo/a.ts", isSuccess: false, callId: "c" },
      ],
    ]);
    expect(rows.slice(2)).toEqual(["✗ Failed to edit a.ts", "  no match"]);
  });
});

describe("what a run changed", () => {
  const file = (path: string, insertions = 1, deletions = 0) =>
    ({ path, kind: "modified", insertions, deletions }) as const;
  const changes = (files: Extract<Given, { type: "changes" }>["files"], more = {}): Given => ({
    type: "changes",
    root: "/repo",
    files,
    insertions: files.reduce((sum, { insertions }) => sum + insertions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    ...more,
  });
  const recording = () => "/data/r1.ndjson";

  it("is listed at the end, with the command that shows it", () => {
    const files = [
      { path: "docs/old.md", kind: "deleted", insertions: 0, deletions: 9 },
      { path: "logo.png", kind: "added", insertions: 0, deletions: 0, isBinary: true },
      file("src/a.ts", 1200, 2),
      { path: "src/c.ts", from: "src/b.ts", kind: "renamed", insertions: 0, deletions: 0 },
    ] as const;
    const outside: Given = { type: "write", path: "/tmp/x", isSuccess: true };
    const rows = rowsOf([started, outside, changes([...files]), succeeded, completed], { recording });
    expect(rows.slice(4)).toEqual([
      "✓ Completed",
      "  Changed    4 files +1,200 −11",
      "             docs/old.md          deleted −9",
      "             logo.png             new binary",
      "             src/a.ts             +1,200 −2",
      "             src/b.ts → src/c.ts  renamed",
      "             outside the repository: /tmp/x",
      "  Diff       harness sessions diff r1",
      "  Recording  /data/r1.ndjson",
    ]);
  });

  it("names the first eight files, and cuts long names in a narrow terminal", () => {
    const files = Array.from({ length: 10 }, (_, index) => file(`src/${index}/${"x".repeat(40)}.ts`));
    const rows = rowsOf([started, changes(files, { moreFiles: 5 }), succeeded, completed], { columns: 40 });
    expect(rows.slice(3, 6)).toEqual([
      "  Changed",
      "    15 files +10",
      "    src/0/xxxx…xxxxxxxxxxxxxxxxxx.ts  +1",
    ]);
    expect(rows.at(-1)).toBe("    and 7 more");
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(40);
  });

  it("is what the agent wrote where nothing was compared", () => {
    const write: Given = { type: "write", path: "/repo/a.ts", isSuccess: true };
    expect(rowsOf([started, write, succeeded, completed], { recording }).slice(-2)).toEqual([
      "  Changed    1 file · a.ts",
      "  Recording  /data/r1.ndjson",
    ]);
  });

  it("names what edits changed in another place by its whole path, once", () => {
    const input = { file_path: "/other/a.ts", old_string: "a", new_string: "b" };
    const call: Given = { type: "tool_start", callId: "1", name: "Edit", input };
    const write: Given = { type: "write", callId: "1", path: "/other/a.ts", isSuccess: true };
    expect(rowsOf([started, call, write, succeeded, completed]).slice(-2)).toEqual([
      "  Changed    1 file +1 −1",
      "             /other/a.ts  +1 −1",
    ]);
  });
});

describe("the end of a run that failed", () => {
  it("has a next step, and the commands that show more", () => {
    const recording = () => "/data/r1.ndjson";
    expect(rowsOf([started, failed("it broke"), exitedWithOne], { columns: 80, recording }).slice(2)).toEqual(
      [
        "✗ Failed (crash)",
        "  it broke",
        "→ Run it again; if it fails again, look at what it printed last.",
        "  Recording  /data/r1.ndjson",
        "  Details    harness sessions show r1 · harness view",
      ],
    );
  });

  it("does not repeat what the row above it says", () => {
    const error: Given = { type: "error", message: "it broke" };
    expect(rowsOf([started, error, failed("it broke"), exitedWithOne], { columns: 80 }).slice(2)).toEqual([
      "✗ it broke",
      "",
      "✗ Failed (crash)",
      "→ Run it again; if it fails again, look at what it printed last.",
    ]);
    const read: Given = { type: "read", path: "/repo/a", isSuccess: true };
    expect(rowsOf([started, error, read, failed("it broke"), exitedWithOne])).toContain("  it broke");
  });
});
