import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { EventOf, HarnessEvent } from "../../src/events/event.js";
import { type Capture, captureNames, readCapture, timeOf } from "./captures.js";

/** Rules for the outcome that every agent's translator must follow, tested with the agent's own records. */
export function describeOutcomeConformance(agent: AgentDefinition, expectWellFormed: Check): void {
  const captures = captureNames(agent.id).map((scenario) => readCapture(agent.id, scenario));
  const all = captures.map((capture) => ({ capture, ...translate(agent, capture, capture.stdout) }));
  describeAfterSuccess(agent, all, expectWellFormed);
  describeMalformed(agent, all, expectWellFormed);
}

type Check = (events: readonly HarnessEvent[]) => void;

function describeAfterSuccess(
  agent: AgentDefinition,
  all: readonly Translated[],
  expectWellFormed: Check,
): void {
  /** Captures whose outcome was decided by a final record of the agent. */
  const successes = all.filter(({ events, isDone, capture }) => {
    const result = resultOf(events);
    return capture.exit.exitCode === 0 && result.isSuccess && (isDone || result.line !== undefined);
  });

  describe.runIf(successes.length > 0)(`${agent.id}: after a success`, () => {
    it("an error of its own makes the run a failure, whatever the exit code", () => {
      const errors = linesOf(all, (event) => event.type === "error" && event.parentCallId === undefined);
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
    it.runIf(spoken.length > 0)("more work without another final record leaves the run without one", () => {
      let seen = 0;
      for (const each of spoken) {
        const { capture, events } = each;
        const last = resultOf(events).line ?? 0;
        for (const line of linesOf([each], (event) => isWork(event) && event.line !== last)) {
          const longer = translate(agent, capture, [...capture.stdout, line]);
          const about = `${capture.scenario}, then ${line.slice(0, 300)}`;
          // A line break at the end of an answer means nothing by itself.
          if (!longer.events.some((event) => isWork(event) && (event.line ?? 0) > last)) continue;
          seen += 1;
          expect(longer.isDone, about).toBe(false);
          expect(resultOf(longer.events), about).toMatchObject({ isSuccess: false });
        }
      }
      expect(seen).toBeGreaterThan(0);
    });
  });
}

function describeMalformed(
  agent: AgentDefinition,
  all: readonly Translated[],
  expectWellFormed: Check,
): void {
  describe(`${agent.id}: slightly malformed records`, () => {
    it.each([
      ["words", (flag: boolean) => String(flag)],
      ["numbers", (flag: boolean) => Number(flag)],
    ])("flags given as %s mean the same", (_name, spell) => {
      for (const { capture, events } of all) {
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
      for (const { capture } of all) {
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

/** Enough to cover every form of success. All captures would take minutes. */
const mostCaptures = 6;

interface Translated {
  capture: Capture;
  events: HarnessEvent[];
  /** The agent had printed its final record before the process ended. */
  isDone: boolean;
}

/** Standard error first, as most agents print it; then the lines, and the exit of the capture. */
function translate(
  agent: AgentDefinition,
  capture: Capture,
  stdout: readonly string[],
): Omit<Translated, "capture"> {
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
function linesOf(all: readonly Translated[], isWanted: (event: HarnessEvent) => boolean): string[] {
  const lines = new Map<string, string>();
  for (const { capture, events } of all) {
    // The record that closes the run is not the agent's.
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
