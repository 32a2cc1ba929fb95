import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { createFramedTranslator } from "../../../src/agents/frame/frame.js";
import { agents } from "../../../src/agents/registry.js";
import { piecesOf } from "../../../src/agents/streamed-text.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { formatNames, formats } from "../../../src/outputs/formats.js";
import { createLineGate } from "../../../src/runs/redact/line-gate.js";
import { createRedactor } from "../../../src/runs/redact/redactor.js";
import { type Capture, captureNames, readCapture, timeOf } from "../../support/captures.js";
import { messagesOf, parseRecord, plant, plantedArbitrary, type StreamedMessage } from "./planted-secret.js";

const filler = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2";
const value = "tr0ub4dor&3/horse+battery";
const secrets = [
  value,
  `sk-${"ant"}-api03-${filler}`,
  `gh${"p"}_${filler}`,
  `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}zdWIiOiIxMjM0NTY3ODkwIn0.${filler}`,
  `password=${filler.slice(0, 20)}`,
  `Authorization: Bearer ${filler}`,
  `postgres://me:${filler.slice(0, 16)}@db.example.com/x`,
];
/** Of these, what must not be seen. */
const hidden = (secret: string): string =>
  secret.replace(/^password=|^Authorization: Bearer |^postgres:\/\/me:|@db.*$/g, "");

const redactor = createRedactor({ env: { MY_API_KEY: value } });

function maskLines(agent: AgentDefinition, lines: readonly string[]): string[] {
  const gate = createLineGate<undefined>(redactor, agent.streamedText);
  const free = lines.flatMap((line) => gate.push("stdout", line, undefined));
  return [...free, ...gate.end("stdout")].map(({ text }) => text);
}

/** What a run gives: the events of each line, and every format of them. */
function translate(agent: AgentDefinition, capture: Capture, lines: readonly string[]): Translated {
  const { cwd, isResumed, exit } = capture;
  const translator = createFramedTranslator(agent, { runId: "run", cwd, isResumed });
  const views = formatNames.map((name) => formats[name].create());
  const events: HarnessEvent[] = [];
  const shown: unknown[] = [];
  const take = (batch: HarnessEvent[]): void => {
    events.push(...batch);
    for (const view of views) shown.push(...view.push(batch));
  };
  take(translator.start(timeOf(0)));
  for (const [index, line] of lines.entries()) take(translator.line(line, timeOf(index + 1)));
  take(translator.end(exit, timeOf(lines.length + 1)));
  return { events, shown: JSON.stringify(shown) };
}

interface Translated {
  events: HarnessEvent[];
  shown: string;
}

/** Each whole message, with the pieces before it. */
function messagesIn(events: readonly HarnessEvent[]): { message: string; streamed: string }[] {
  const streamed = new Map<string | undefined, string>();
  return events.flatMap((event) => {
    const { parentCallId } = event;
    if (event.type === "text") streamed.set(parentCallId, (streamed.get(parentCallId) ?? "") + event.delta);
    if (event.type !== "agent") return [];
    const said = { message: event.message, streamed: streamed.get(parentCallId) ?? "" };
    streamed.delete(parentCallId);
    return [said];
  });
}

/** Parts of a secret that must not be seen anywhere. */
function partsOf(secret: string): string[] {
  const text = hidden(secret);
  return Array.from({ length: text.length - 15 }, (_, at) => text.slice(at + 7, at + 15));
}

const mostMessages = 10;
const runsOfEach = 6;
const mostLines = 300;

/** Texts of some pieces each, from as many captures as can be. */
function streamedMessages(
  agent: AgentDefinition,
  captures: readonly Capture[],
): [Capture, StreamedMessage][] {
  const short = captures.filter(({ stdout }) => stdout.length <= mostLines);
  const all = short.flatMap((capture) =>
    messagesOf(agent, capture.stdout)
      .filter(({ pieces }) => pieces.length > 1 && pieces.length < 60)
      // Bob's echo of a call ends at the first bracket, and a mark has one.
      .filter(({ whole }) => !whole.includes("[using tool"))
      .slice(0, 3)
      .map((message): [Capture, StreamedMessage] => [capture, message]),
  );
  const every = Math.ceil(all.length / mostMessages);
  return all.filter((_, index) => index % every === 0);
}

describe.each(agents.filter((agent) => agent.id !== "generic").map((agent) => [agent.id, agent] as const))(
  "%s",
  (id, agent) => {
    const captures = captureNames(id).map((scenario) => readCapture(id, scenario));

    it("without secrets nothing is masked, no line is lost and none changes its place", () => {
      for (const { stdout, stderr, scenario } of captures) {
        expect(maskLines(agent, stdout), scenario).toEqual(stdout);
        expect(stderr.map(redactor.text), scenario).toEqual(stderr);
      }
    });

    it("names every record that gives a piece of a text", () => {
      for (const capture of captures) {
        const translator = createFramedTranslator(agent, { cwd: capture.cwd });
        for (const line of capture.stdout) {
          const record = parseRecord(line);
          const deltas = translator.line(line).flatMap((event) => ("delta" in event ? [event.delta] : []));
          if (record === undefined || deltas.length === 0) continue;
          expect(piecesOf(record, agent.streamedText ?? { pieces: [] }), line).not.toEqual([]);
        }
      }
    });

    const messages = streamedMessages(agent, captures);
    it.runIf(messages.length > 0)(
      "a secret in pieces is nowhere to be seen, and pieces and whole agree",
      () => {
        for (const [capture, message] of messages) {
          fc.assert(
            fc.property(plantedArbitrary(secrets), (how) => {
              const lines = plant(capture.stdout, message, how);
              const masked = maskLines(agent, lines);
              expect(masked).toHaveLength(lines.length);
              const open = translate(agent, capture, lines);
              const { events, shown } = translate(agent, capture, masked);
              const seen = `${masked.join("\n")}\n${shown}`;
              expect(partsOf(how.secret).filter((part) => seen.includes(part))).toEqual([]);
              const messages = messagesIn(events);
              for (const [index, { message, streamed }] of messagesIn(open.events).entries()) {
                expect(messages[index]?.message).toBe(redactor.text(message));
                if (streamed === message) expect(messages[index]?.streamed).toBe(messages[index]?.message);
              }
            }),
            { numRuns: runsOfEach },
          );
        }
      },
      120_000,
    );
  },
);
