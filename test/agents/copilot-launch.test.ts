import { describe, expect, it } from "vitest";
import { copilot } from "../../src/agents/copilot/definition.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const session = "3d1e465a-3803-415c-a641-623ca55db4b4";

describe("launching Copilot", () => {
  it("chooses the id of a new session, since only the last record names it", () => {
    const { args, sessionId, stdin } = copilot.launch(launchTask());
    expect(sessionId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(args).toEqual([
      ...["--output-format", "json", "--allow-all"],
      `--session-id=${sessionId}`,
      "--prompt=Fix the failing test",
    ]);
    expect(stdin).toBeUndefined();
    expect(copilot.launch(launchTask()).sessionId).not.toBe(sessionId);
  });

  it("denies commands and writing to a read-only run, whatever else is allowed", () => {
    const { args, env } = copilot.launch(
      launchTask({ model: "gpt-5.5", permissions: "read-only", extraArgs: ["--stream=off"] }),
    );
    expect(env).toEqual({ COPILOT_ALLOW_ALL: "false" });
    expect(args.slice(2, 7)).toEqual([
      ...["--model", "gpt-5.5"],
      ...["--deny-tool=shell", "--deny-tool=write", "--allow-all-paths"],
    ]);
    expect(args).not.toContain("--allow-all");
    expect(args.at(-2)).toBe("--stream=off");
  });

  it("resumes a session by its id", () => {
    const { args, sessionId } = copilot.launch(launchTask({ resume: session }));
    expect(args).toContain(`--resume=${session}`);
    expect(args.join(" ")).not.toContain("--session-id");
    expect(sessionId).toBe(session);
  });

  it("does not take a name or the beginning of an id for the id of a session", () => {
    expect(copilot.launch(launchTask({ resume: "3d1e465a" })).sessionId).toBeUndefined();
    expect(copilot.launch(launchTask({ resume: "the fruit talk" })).sessionId).toBeUndefined();
  });

  it.each([["--continue"], ["--resume=x"], ["-r"], ["--session-id", session]])(
    "leaves the choice to %j of the extra arguments",
    (...extraArgs) => {
      const { args, sessionId } = copilot.launch(launchTask({ extraArgs }));
      expect(args.filter((arg) => arg.startsWith("--session-id="))).toEqual([]);
      expect(sessionId).toBeUndefined();
    },
  );

  it.each(["-x is a flag", "--allow-all", "login", ""])("keeps %j from being read as a flag", (prompt) => {
    expect(copilot.launch(launchTask({ prompt })).args.at(-1)).toBe(`--prompt=${prompt}`);
  });

  it("writes a long prompt to standard input, and only there", () => {
    const launch = copilot.launch(launchTask({ prompt: longPrompt }));
    expect(launch.stdin).toBe(longPrompt);
    expect(launch.args.join(" ")).not.toContain("--prompt");
  });
});
