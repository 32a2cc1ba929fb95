import { describe, expect, it } from "vitest";
import { opencode } from "../../src/agents/opencode/definition.js";
import { translateRun } from "../support/translated-run.js";

function call(tool: string, input: object, state: object = {}) {
  return {
    type: "tool_use",
    sessionID: "ses_1",
    part: { tool, callID: "c1", state: { status: "completed", input, ...state } },
  };
}

describe("opencode: what a call did", () => {
  it("is a write for every file of a patch, named by its result when its text names none", () => {
    const files = [
      { filePath: "/repo/a.ts", type: "update" },
      { filePath: "/repo/b.ts", movePath: "/repo/c.ts", type: "move" },
    ];
    const told = translateRun(opencode, [call("apply_patch", { patchText: "" }, { metadata: { files } })]);
    expect(told.of("write").map(({ path }) => path)).toEqual(["/repo/a.ts", "/repo/b.ts", "/repo/c.ts"]);
  });

  it("is a write of the files that the patch's result names with their whole path", () => {
    const patchText = "*** Begin Patch\n*** Update File: a.ts\n@@\n-1\n+2\n*** End Patch";
    const elsewhere = [{ filePath: "/elsewhere/a.ts", relativePath: "a.ts", type: "update" }];
    const windows = [{ filePath: "C:\\work\\a.ts", relativePath: "a.ts", type: "update" }];
    for (const files of [elsewhere, windows]) {
      const told = translateRun(opencode, [call("apply_patch", { patchText }, { metadata: { files } })]);
      expect(told.of("write").map(({ path }) => path)).toEqual(files.map(({ filePath }) => filePath));
    }
    const relative = translateRun(opencode, [
      call("apply_patch", { patchText }, { metadata: { files: [{ filePath: "a.ts" }] } }),
    ]);
    expect(relative.of("write")).toMatchObject([{ path: "/repo/a.ts" }]);
  });

  it.each([
    ["write", { metadata: { filepath: "C:\\work\\src\\a.ts" } }, "C:\\work\\src\\a.ts"],
    ["write", { metadata: { filepath: "/elsewhere/src/a.ts" } }, "/elsewhere/src/a.ts"],
    ["edit", { metadata: { filediff: { file: "/elsewhere/src/a.ts" } } }, "/elsewhere/src/a.ts"],
    ["read", { metadata: { display: { type: "file", path: "D:\\a.ts" } } }, "D:\\a.ts"],
    ["write", { metadata: { filepath: "src/a.ts" } }, "/repo/src/a.ts"],
    ["write", { status: "error", error: "no" }, "/repo/src/a.ts"],
  ])("happened where the tool itself says: %s %j", (tool, state, path) => {
    const told = translateRun(opencode, [call(tool, { filePath: "src/a.ts", content: "" }, state)]);
    expect([...told.of("read"), ...told.of("write")]).toMatchObject([{ path }]);
  });

  it("is a skill in the directory that the result names, else under the workspace", () => {
    const state = { metadata: { dir: "/home/me/skills/greeter" } };
    const found = translateRun(opencode, [call("skill", { name: "greeter" }, state)]);
    expect(found.of("skill")).toMatchObject([
      { path: "/home/me/skills/greeter/SKILL.md", skillName: "greeter" },
    ]);
    const lost = translateRun(opencode, [
      call("skill", { name: "greeter" }, { status: "error", error: "not found" }),
    ]);
    expect(lost.of("skill")).toMatchObject([{ path: "/repo/skills/greeter/SKILL.md", isSuccess: false }]);
  });

  it("happened in the directory that a command was given", () => {
    const told = translateRun(opencode, [
      call("bash", { command: "cat a.ts; npm test", workdir: "sub" }, { metadata: { exit: 0 } }),
    ]);
    expect(told.of("command")).toMatchObject([
      { workingDirectory: "/repo/sub", exitCode: 0, isSuccess: true },
    ]);
    const read = translateRun(opencode, [
      call("bash", { command: "cat a.ts", workdir: "sub" }, { metadata: { exit: 0 } }),
    ]);
    expect(read.of("read")).toMatchObject([{ path: "/repo/sub/a.ts" }]);
  });

  it("is a subagent that has only started, if nothing says how its call ended", () => {
    const told = translateRun(opencode, [call("task", { subagent_type: "general" }, { status: "pending" })]);
    expect(told.of("orchestration")).toMatchObject([{ action: "subagent_started", subagentName: "general" }]);
    expect(told.of("orchestration")[0]).not.toHaveProperty("isSuccess");
  });

  it("is unknown for a subagent that nothing identifies", () => {
    const told = translateRun(opencode, [call("task", { prompt: "Look" })]);
    expect(told.of("orchestration")).toEqual([]);
    expect(told.of("unknown")).toHaveLength(1);
  });

  it("is unknown for tools that are none of the filesystem's", () => {
    for (const tool of ["codesearch", "websearch", "question", "toString"]) {
      expect(translateRun(opencode, [call(tool, { query: "x" })]).of("unknown"), tool).toHaveLength(1);
    }
  });

  it("is told for two calls with the same id, which some providers give out in every step", () => {
    const told = translateRun(opencode, [
      call("read", { filePath: "a.ts" }),
      call("read", { filePath: "b.ts" }),
    ]);
    expect(told.of("read").map(({ path }) => path)).toEqual(["/repo/a.ts", "/repo/b.ts"]);
    expect(told.of("tool_end")).toHaveLength(2);
  });
});

/* From the source of OpenCode 1 (`packages/opencode/src/session/compaction.ts`), not recorded. */
it("opencode: a call that is printed again since its output was pruned did nothing in this run", () => {
  const time = { start: 1, end: 2, compacted: 3 };
  const done = [
    { type: "step_start" },
    { type: "text", part: { text: "Done." } },
    { type: "step_finish", part: { reason: "stop" } },
  ];
  const told = translateRun(opencode, [...done, call("write", { filePath: "a.ts" }, { time })]);
  expect([...told.of("write"), ...told.of("tool_start")]).toEqual([]);
  expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
});

describe("opencode: records of other versions", () => {
  it("may have their fields flat", () => {
    const told = translateRun(opencode, [
      { type: "step_start", session_id: "ses_old" },
      { type: "reasoning", reasoning: "Hmm." },
      { type: "tool_use", tool: "list", input: { path: "src" }, status: "success", output: "a.ts" },
      {
        type: "tool_use",
        toolName: "read",
        arguments: { path: "a.ts", offset: 3, limit: 2 },
        status: "failed",
      },
      { type: "text", text: "Done." },
      { type: "step_finish", reason: "stop", tokens: { input: 5, output: 2, reasoning: 1 }, cost: 0 },
    ]);
    expect(told.events.every(({ type, sessionId }) => type === "started" || sessionId === "ses_old")).toBe(
      true,
    );
    expect(told.of("thinking")).toMatchObject([{ message: "Hmm." }]);
    expect(told.of("list")).toMatchObject([{ path: "/repo/src", isSuccess: true, callId: "line-3" }]);
    expect(told.of("read")).toMatchObject([
      { path: "/repo/a.ts", startLine: 3, endLine: 4, isSuccess: false },
    ]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done.", costUsd: 0 });
    const [step, run] = told.of("usage");
    expect(step).toMatchObject({
      inputTokens: 5,
      outputTokens: 3,
      reasoningTokens: 1,
      totalTokens: 8,
      scope: "step",
    });
    expect(step).not.toHaveProperty("cacheReadTokens");
    expect(run).toMatchObject({ totalTokens: 8, scope: "run" });
  });

  it("may be of types that are not known: they stay visible, and announce nothing", () => {
    const record = { type: "session.compacted", sessionID: "ses_1" };
    const told = translateRun(opencode, [record]);
    expect(told.of("unknown")).toMatchObject([{ raw: record, sessionId: "ses_1" }]);
    expect(told.of("session")).toEqual([]);
  });

  it("may lack what they are about", () => {
    const records = [
      { type: "text", part: {} },
      { type: "reasoning", part: { text: ["Hmm."] } },
      { type: "tool_use", part: { state: {} } },
    ];
    expect(
      translateRun(opencode, records)
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual(records);
  });
});

describe("opencode: numbers", () => {
  it("adds the steps up, without what binary fractions leave behind", () => {
    const step = (cost: number) => ({
      type: "step_finish",
      part: { reason: "stop", cost, tokens: { input: 1, output: 1 } },
    });
    const told = translateRun(opencode, [step(0.1), step(0.2)]);
    expect(told.result.costUsd).toBe(0.3);
    expect(told.of("usage").map(({ scope, totalTokens }) => [scope, totalTokens])).toEqual([
      ["step", 2],
      ["step", 2],
      ["run", 4],
    ]);
  });
});
