import { describe, expect, it } from "vitest";
import { editedFiles } from "../../src/story/edited-files.js";
import { buildTimeline } from "../../src/story/timeline/build-timeline.js";
import { captureOf, runOf } from "../outputs/documents/run.js";

describe("what edits say about files", () => {
  it("is added up by file, from replacements, whole files and patches; failed and refused edits are left out", () => {
    const { events } = runOf(
      { type: "tool_start", callId: "1", name: "Edit", input: { old_string: "a\nb", new_string: "a\nc" } },
      { type: "tool_end", callId: "1", name: "Edit", isSuccess: true },
      { type: "write", path: "/repo/a.ts", callId: "1" },
      { type: "tool_start", callId: "2", name: "Write", input: { content: "x\ny\n" } },
      { type: "tool_end", callId: "2", name: "Write", isSuccess: true },
      { type: "write", path: "/repo/b.ts", callId: "2" },
      { type: "tool_start", callId: "3", name: "Edit", input: { old_string: "c", new_string: "d" } },
      { type: "tool_end", callId: "3", name: "Edit", isSuccess: true },
      { type: "write", path: "/repo/a.ts", callId: "3" },
      { type: "tool_start", callId: "4", name: "Write", input: { content: "never" } },
      { type: "tool_end", callId: "4", name: "Write", isSuccess: false },
      { type: "write", path: "/repo/never.ts", callId: "4", isSuccess: false },
      {
        type: "tool_start",
        callId: "5",
        name: "apply_patch",
        input:
          "*** Begin Patch\n*** Add File: c.ts\n+1\n+2\n*** Update File: d.ts\n@@\n-3\n+4\n*** End Patch\n",
      },
      { type: "tool_end", callId: "5", name: "apply_patch", isSuccess: true },
      { type: "write", path: "/repo/c.ts", callId: "5" },
      { type: "write", path: "/repo/d.ts", callId: "5" },
    );
    const files = editedFiles(buildTimeline(events, "2026-01-01T00:00:01.000Z").items, "/repo");
    expect(files.map(({ path, insertions, deletions }) => [path, insertions, deletions])).toEqual([
      ["a.ts", 2, 2],
      ["b.ts", 2, 0],
      ["c.ts", 2, 0],
      ["d.ts", 1, 1],
    ]);
  });

  it("is found in real runs", () => {
    const run = captureOf("claude", "files");
    const files = editedFiles(buildTimeline(run.events, run.meta.startedAt).items, run.meta.cwd);
    expect(files.length).toBeGreaterThan(0);
    for (const { text } of files) expect(text).toMatch(/^[+-]/m);
  });
});
