import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import type { Ended } from "../../src/outcome/run-state.js";
import type { HarnessEvent } from "../../src/vocabulary/event.js";
import { readCapture } from "../support/captures.js";
import { tell } from "../support/told.js";

function warningsOf(agent: string, scenario: string, ended?: Ended): string[] {
  const { stdout, exit } = readCapture(agent, scenario);
  const { events } = tell(requireAgent(agent), stdout, { ended: ended ?? exit });
  return events.flatMap((event: HarnessEvent) =>
    event.type === "warning" && event.code === "unfinished" ? [event.message] : [],
  );
}

describe("a run that succeeds without the end of what it has started", () => {
  it.each([
    ["goose", "subagent-abandoned", "a subagent"],
    ["codex", "background", "`sleep 15; echo bg > bg.trace`"],
    ["opencode", "subagent-background", "a subagent general"],
  ])("%s, %s: names it", (agent, scenario, what) => {
    const [message, ...rest] = warningsOf(agent, scenario);
    expect(message?.endsWith(` never told the end of what it had started: ${what}`), message).toBe(true);
    expect(rest).toEqual([]);
  });

  it.each([
    ["goose", "subagent-async"],
    ["codex", "subagent"],
    ["claude", "v2.1.325-background"],
    ["claude", "v2.1.325-subagent-late"],
    ["cline", "subagent"],
  ])("%s, %s: says nothing of what has ended", (agent, scenario) => {
    expect(warningsOf(agent, scenario)).toEqual([]);
  });

  it("says nothing when the run failed: that says it all", () => {
    expect(warningsOf("goose", "subagent-abandoned", { exitCode: null, signal: "SIGKILL" })).toEqual([]);
  });
});
