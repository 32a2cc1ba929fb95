import { describe, expect, it } from "vitest";
import { kilo } from "../../src/agents/kilo/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { translateRun } from "../support/translated-run.js";

/*
 * OpenCode 2, which cannot be installed yet. These records are written from its source (branch `v2`, August 2026), not
 * recorded: `packages/cli/src/run/noninteractive.ts` for their shape, `packages/core/src/tool/plugin/` for the tools.
 */

const sessionID = "ses_1";
const start = {
  type: "step_start",
  timestamp: 1,
  sessionID,
  part: { type: "step-start", messageID: "msg_1" },
};
const finish = (reason: string) => ({
  type: "step_finish",
  sessionID,
  part: { type: "step-finish", reason },
});

/** A finished call: what the tool says about it is in the metadata of the metadata. */
function done(tool: string, input: object, metadata: object | undefined, output = "") {
  const content = [{ type: "text", text: output }];
  const providerResult = { executed: false };
  const around = { metadata, content, providerCall: { executed: false }, providerResult, rawInput: "{}" };
  const state = { status: "completed", input, output, title: tool, metadata: around };
  return { type: "tool_use", sessionID, part: { partID: "prt_1", type: "tool", id: "call_1", tool, state } };
}

function failed(tool: string, input: object, error: string) {
  const metadata = { providerCall: { executed: false }, providerResult: { executed: false } };
  const state = { status: "error", input, error, metadata };
  return { type: "tool_use", sessionID, part: { partID: "prt_1", type: "tool", id: "call_1", tool, state } };
}

function fail(error: object) {
  return { type: "error", sessionID, error };
}

describe("opencode 2: what a call did", () => {
  it("is a command with the exit code, which decides", () => {
    const shell = (exit: number) =>
      done("shell", { command: "npm test", workdir: "web" }, { status: "completed", truncated: false, exit });
    const [bad] = translateRun(opencode, [shell(3)]).of("command");
    expect(bad).toMatchObject({
      command: "npm test",
      workingDirectory: "/repo/web",
      exitCode: 3,
      isSuccess: false,
    });
    expect(bad?.callId).toBe("call_1");
    expect(translateRun(opencode, [shell(0)]).of("command")).toMatchObject([
      { exitCode: 0, isSuccess: true },
    ]);
  });

  it("failed if the command ran out of time, also without an exit code", () => {
    const metadata = { status: "completed", truncated: false, timeout: true };
    const told = translateRun(opencode, [done("shell", { command: "sleep 999" }, metadata)]);
    expect(told.of("command")).toMatchObject([{ isSuccess: false }]);
    expect(told.of("tool_end")).toMatchObject([{ isSuccess: false }]);
  });

  it("is a command of unknown end in the background, whatever the command is", () => {
    const metadata = { status: "running", truncated: false, shellID: "sh_1" };
    for (const command of ["npm run dev", "cat README.md"]) {
      const told = translateRun(opencode, [done("shell", { command, background: true }, metadata)]);
      expect(told.of("command")).toMatchObject([{ command, callId: "call_1" }]);
      expect(told.of("command")[0]).not.toHaveProperty("isSuccess");
      expect(told.of("tool_end")).toMatchObject([{ isSuccess: true }]);
      expect([...told.of("read"), ...told.of("unknown")]).toEqual([]);
    }
  });

  it("is a read or a write of the path that was given", () => {
    const files = [{ file: "src/a.ts", patch: "", additions: 1, deletions: 0, status: "modified" }];
    const told = translateRun(opencode, [
      done("read", { path: "src/a.ts", offset: 3, limit: 2 }, { truncated: false }),
      done("edit", { path: "src/a.ts", oldString: "a", newString: "b" }, { files }),
      done("write", { path: "new.txt", content: "x" }, undefined),
    ]);
    expect(told.of("read")).toMatchObject([{ path: "/repo/src/a.ts", startLine: 3, endLine: 4 }]);
    expect(told.of("write").map(({ path }) => path)).toEqual(["/repo/src/a.ts", "/repo/new.txt"]);
  });

  it("is a write for every file of a patch, and a moved one in both places", () => {
    const patchText = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-1\n+2\n*** End Patch";
    const files = [{ file: "b.ts", patch: "", additions: 1, deletions: 1, status: "modified" }];
    const told = translateRun(opencode, [done("patch", { patchText }, { files })]);
    expect(told.of("write").map(({ path }) => path)).toEqual(["/repo/a.ts", "/repo/b.ts"]);
  });

  it("is a skill that is called by its id and reported by its name", () => {
    const metadata = { name: "Greeter", directory: "/home/me/skills/greeter" };
    const told = translateRun(opencode, [done("skill", { id: "greeter" }, metadata)]);
    expect(told.of("skill")).toMatchObject([
      { path: "/home/me/skills/greeter/SKILL.md", skillName: "Greeter", isSuccess: true },
    ]);
    const lost = translateRun(opencode, [failed("skill", { id: "greeter" }, "Unable to load skill greeter")]);
    expect(lost.of("skill")).toMatchObject([{ skillName: "greeter", isSuccess: false }]);
  });

  it("has failed if the code that called tools failed", () => {
    const told = translateRun(opencode, [
      done("execute", { code: "boom()" }, { toolCalls: [], error: true }),
    ]);
    expect(told.of("tool_end")).toMatchObject([{ isSuccess: false }]);
    expect(told.of("unknown")).toHaveLength(1);
  });
});

describe("opencode 2: subagents", () => {
  const input = { agent: "explore", description: "Look", prompt: "Look around" };

  it("are reported with their session", () => {
    const call = done("subagent", input, { sessionID: "ses_2", status: "completed" });
    for (const agent of [opencode, kilo]) {
      expect(translateRun(agent, [call]).of("orchestration")).toMatchObject([
        { action: "subagent_completed", subagentId: "ses_2", subagentName: "explore", isSuccess: true },
      ]);
    }
  });

  it("have only started if they run in the background", () => {
    const told = translateRun(opencode, [done("subagent", input, { sessionID: "ses_2", status: "running" })]);
    expect(told.of("orchestration")).toMatchObject([{ action: "subagent_started", subagentId: "ses_2" }]);
    expect(told.of("orchestration")[0]).not.toHaveProperty("isSuccess");
  });

  it("keep their session if they fail: the message has it", () => {
    const told = translateRun(opencode, [
      failed("subagent", input, "Subagent failed (sessionID: ses_2): no key"),
    ]);
    expect(told.of("orchestration")).toMatchObject([
      { action: "subagent_failed", subagentId: "ses_2", subagentName: "explore", isSuccess: false },
    ]);
  });
});

describe("opencode 2: how a run ended", () => {
  it.each([
    [{ type: "provider.rate-limit", message: "Slow down", status: 429 }, "rate_limit"],
    [{ type: "provider.auth", message: "Nope" }, "auth"],
    [{ type: "provider.transport", message: "The provider response ended unexpectedly." }, "network"],
    [{ type: "provider.content-filter", message: "Provider blocked the response" }, "refusal"],
    [{ type: "provider.no-route", message: "Model unavailable: a/b" }, "model_not_found"],
    [{ type: "provider.invalid-request", message: "prompt is too long", status: 400 }, "context_overflow"],
    [{ type: "provider.auth", message: "Model x-1 is not supported", status: 401 }, "model_not_found"],
    [{ type: "aborted", message: "Session interrupted: shutdown" }, "cancelled"],
    [{ type: "unknown", message: "Prompt was not promoted" }, "unknown"],
  ])("is told by the type of its error: %j", (error, kind) => {
    const told = translateRun(opencode, [start, fail(error)], { ended: { exitCode: 1 } });
    expect(told.result.failure).toMatchObject({ kind, message: error.message });
    expect(told.of("error")[0]).toMatchObject({ message: error.message, code: error.type });
  });

  it("is a permission that was declined, although only a stopped step is reported after it", () => {
    const told = translateRun(
      opencode,
      [
        start,
        failed("shell", { command: "rm x" }, "The user declined this tool call"),
        fail({ type: "aborted", message: "Step interrupted" }),
      ],
      { ended: { exitCode: 1 } },
    );
    expect(told.result.failure?.kind).toBe("permission");
  });

  it("is a success if the answer comes from the store, in place of the end of its step", () => {
    const stored = { id: "prt_2_text-0", messageID: "msg_2", type: "text", text: "Done." };
    const told = translateRun(opencode, [start, { type: "text", sessionID, part: stored }]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
    const live = { ...stored, id: "prt_2" };
    expect(translateRun(opencode, [start, { type: "text", sessionID, part: live }]).result.isSuccess).toBe(
      false,
    );
  });

  it("is not decided by a step that the provider cut, if another step follows", () => {
    const cut = fail({
      type: "provider.invalid-output",
      message: "The provider response ended unexpectedly.",
    });
    expect(translateRun(opencode, [start, cut, start, finish("stop")]).result.isSuccess).toBe(true);
  });
});
