import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { EventOf, HarnessEvent } from "../../src/events/event.js";
import { type Capture, captureNames, readCapture, timeOf } from "./captures.js";

/** What every agent's translator must keep about how a run ended, shown with the agent's own records. */
export function describeOutcomeConformance(
  agent: AgentDefinition,
  expectWellFormed: (events: readonly HarnessEvent[]) => void,
): void {
  const captures = captureNames(agent.id).map((scenario) => readCapture(agent.id, scenario));
  const told = captures.map((capture) => ({ capture, ...translate(agent, capture, capture.stdout) }));
  /** Those that ended with a last word of the agent's, which decides. */
  const successes = told.filter(({ events, isDone, capture }) => {
    const result = resultOf(events);
    return capture.exit.exitCode === 0 && result.isSuccess && (isDone || result.line !== undefined);
  });

  describe.runIf(successes.length > 0)(`${agent.id}: after a success`, () => {
    it("an error of its own makes the run a failure, whatever the exit code", () => {
      const errors = linesOf(told, (event) => event.type === "error" && event.parentCallId === undefined);
      expect(errors.length, `${agent.id} needs a capture of a run that fails`).toBeGreaterThan(0);
      for (const { capture } of successes.slice(0, mostCaptures)) {
        for (const line of errors) {
          const { events } = translate(agent, capture, [...capture.stdout, line]);
          const about = `${capture.scenario}, then ${line.slice(0, 300)}`;
          expect(resultOf(events).isSuccess, about).toBe(false);
          expectWellFormed(events);
        }
      }
    });

    const spoken = successes.filter(({ isDone }) => isDone).slice(0, mostCaptures);
    it.runIf(spoken.length > 0)("more work without another last word leaves the run without one", () => {
      let seen = 0;
      for (const each of spoken) {
        const { capture, events } = each;
        const last = resultOf(events).line ?? 0;
        for (const line of linesOf([each], (event) => isWork(event) && event.line !== last)) {
          const longer = translate(agent, capture, [...capture.stdout, line]);
          const about = `${capture.scenario}, then ${line.slice(0, 300)}`;
          // A line break at the end of an answer says nothing by itself.
          if (!longer.events.some((event) => isWork(event) && (event.line ?? 0) > last)) continue;
          seen += 1;
          expect(longer.isDone, about).toBe(false);
          expect(resultOf(longer.events), about).toMatchObject({ isSuccess: false });
        }
      }
      expect(seen).toBeGreaterThan(0);
    });
  });

  describe(`${agent.id}: records that are not quite as they should be`, () => {
    it.each([
      ["words", (flag: boolean) => String(flag)],
      ["numbers", (flag: boolean) => Number(flag)],
    ])("flags that are told as %s mean the same", (_name, spell) => {
      for (const { capture, events } of told) {
        const spelt = capture.stdout.map((line) =>
          mapValues(line, (value) => (typeof value === "boolean" ? spell(value) : value)),
        );
        expect(verdictsOf(translate(agent, capture, spelt).events), capture.scenario).toEqual(
          verdictsOf(events),
        );
      }
    });

    it.each([
      ["negative", (value: number) => -value - 1],
      ["absurd", () => 1e300],
    ])("tokens and costs that are %s are not passed on", (_name, spoil) => {
      for (const { capture } of told) {
        const spoilt = capture.stdout.map((line) =>
          mapValues(line, (value) => (typeof value === "number" ? spoil(value) : value)),
        );
        const { events } = translate(agent, capture, spoilt);
        expectWellFormed(events);
        for (const event of events) {
          if (event.type !== "usage" && event.type !== "result") continue;
          const { costUsd, ...rest } = event;
          expect(costUsd ?? 0, capture.scenario).toBe(0);
          if (event.type === "result") expect(event.durationMs ?? 0, capture.scenario).toBeLessThan(1e6);
          const counts = Object.entries(rest).filter(([key]) => key.endsWith("Tokens"));
          for (const [key, count] of counts) expect(count, `${capture.scenario}: ${key}`).toBe(0);
        }
      }
    });
  });
}

/** Enough to meet every shape of a success; all of them would take minutes. */
const mostCaptures = 6;

interface Told {
  capture: Capture;
  events: HarnessEvent[];
  /** The agent had said its last word before the process was gone. */
  isDone: boolean;
}

/** Standard error first, as most agents print it; then the lines, and the exit of the capture. */
function translate(
  agent: AgentDefinition,
  capture: Capture,
  stdout: readonly string[],
): Omit<Told, "capture"> {
  const { cwd, isResumed } = capture;
  const translator = createFramedTranslator(agent, { runId: "outcome", cwd, isResumed });
  const events = translator.start(timeOf(0));
  for (const line of capture.stderr) events.push(...translator.diagnostic(line, timeOf(1)));
  for (const line of stdout) events.push(...translator.line(line, timeOf(1)));
  const { isDone } = translator;
  events.push(...translator.end(capture.exit, timeOf(2)));
  return { events, isDone };
}

function resultOf(events: readonly HarnessEvent[]): EventOf<"result"> {
  const result = events.find((event) => event.type === "result");
  if (result === undefined) throw new Error("there is no result");
  return result;
}

function isWork(event: HarnessEvent): boolean {
  if (event.parentCallId !== undefined) return false;
  return ["text", "thinking", "tool_start"].includes(event.type) || (event.type === "agent" && !event.role);
}

/** The lines on standard output that gave such an event, one of each kind of record. */
function linesOf(all: readonly Told[], isWanted: (event: HarnessEvent) => boolean): string[] {
  const lines = new Map<string, string>();
  for (const { capture, events } of all) {
    // What closes the run is no record of the agent's.
    for (const event of events.slice(0, -2)) {
      const line = capture.stdout[(event.line ?? 0) - capture.stderr.length - 1];
      if (line === undefined || !isWanted(event)) continue;
      lines.set(shapeOf(line), line);
    }
  }
  return [...lines.values()];
}

function shapeOf(line: string): string {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return "text";
  }
  return JSON.stringify(record, ["type", "subtype", "event", "item", "step_update", "step_type", "role"]);
}

function verdictsOf(events: readonly HarnessEvent[]): unknown[] {
  const { isSuccess, failure } = resultOf(events);
  const calls = events.flatMap((event) => (event.type === "tool_end" ? [event.isSuccess] : []));
  return [isSuccess, failure?.kind, ...calls];
}

function mapValues(line: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(JSON.parse(line, (_key, value) => change(value)));
  } catch {
    return line;
  }
}
