import { describe, expect, it } from "vitest";
import { demoAgents } from "../../src/cli/demo/recordings.js";
import { harness, jsonLines } from "./harness.js";

describe("harness demo", () => {
  it("shows a run that reads, searches, edits, runs tests and uses a subagent, and says that it is a recording", async () => {
    const { stdout, stderr, exitCode } = await harness(["demo", "--fast"], { env: { PATH: "/nowhere" } });
    const text = stdout.toString();
    expect(exitCode).toBe(0);
    expect(stderr).toContain("A recorded run of Claude Code");
    for (const words of [
      "Read src/total.js",
      "Searched discount",
      "Edited src/total.js",
      "Ran node --test",
      "Subagent",
      "Completed",
    ]) {
      expect(text).toContain(words);
    }
  });

  it.each(demoAgents())("plays %s through every step of a run", async (agent) => {
    const { stdout, exitCode } = await harness([
      "demo",
      "--agent",
      agent,
      "--fast",
      "--format",
      "full",
      "--no-log",
    ]);
    const events = jsonLines(stdout);
    expect(exitCode).toBe(0);
    expect(events[0]).toMatchObject({ type: "started", agent });
    expect(events.at(-2)).toMatchObject({ type: "result", isSuccess: true });
    const done = events.map((event) => event["type"]);
    for (const type of ["agent", "command", "write", "usage"]) expect(done).toContain(type);
  });

  it("names the agents that there is a demo of", async () => {
    const { stderr, exitCode } = await harness(["demo", "--agent", "cursor"]);
    expect(stderr).toContain("there is one of: claude, codex");
    expect(exitCode).toBe(2);
  });
});
