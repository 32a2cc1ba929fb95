import { describe, expect, it } from "vitest";
import { requireAgent } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import type { Ended } from "../../../src/events/run-state.js";
import { readCapture } from "../../support/captures.js";
import { translateRun } from "../../support/translated-run.js";

function warningsOf(agent: string, scenario: string, ended?: Ended): string[] {
  const { stdout, exit } = readCapture(agent, scenario);
  const { events } = translateRun(requireAgent(agent), stdout, { ended: ended ?? exit });
  return events.flatMap((event: HarnessEvent) =>
    event.type === "warning" && event.code === "unfinished" ? [event.message] : [],
  );
}

describe("a run that succeeds and leaves what it has started", () => {
  it.each([
    ["goose", "subagent-abandoned", "subagent 20261116_2"],
    ["codex", "background", "`sleep 15; echo bg > bg.trace`"],
    ["codex", "subagent-abandoned", 'subagent "SUB-1 late"'],
  ])("%s, %s: names it", (agent, scenario, what) => {
    const [message, ...rest] = warningsOf(agent, scenario);
    expect(message?.endsWith(` ended without waiting for what it had started: ${what}`), message).toBe(true);
    expect(rest).toEqual([]);
  });

  it.each([
    ["goose", "subagent-async"],
    ["codex", "subagent"],
    ["claude", "v2.1.325-background"],
    ["claude", "v2.1.325-subagent-late"],
    ["cline", "subagent"],
    // It waits, and tells no end.
    ["kilo", "subagent-background"],
  ])("%s, %s: says nothing of what has ended", (agent, scenario) => {
    expect(warningsOf(agent, scenario)).toEqual([]);
  });

  it("says nothing when the run failed: that says it all", () => {
    expect(warningsOf("goose", "subagent-abandoned", { exitCode: null, signal: "SIGKILL" })).toEqual([]);
  });
});
