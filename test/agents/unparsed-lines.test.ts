import { expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { agents } from "../../src/agents/registry.js";
import { readClaudePartial, readQwenPartial } from "../../src/agents/shared/claude-stream/quiet-partials.js";
import { createSteps } from "../../src/agents/steps.js";
import type { Step } from "../../src/events/step.js";
import { type Capture, captureNames, readCapture, recordsOf } from "../support/captures.js";

/** The agent without its ways around the parser. */
function parsing(agent: AgentDefinition): AgentDefinition {
  return {
    ...agent,
    createMapping(options) {
      const { skip: _skip, raw: _raw, ...mapping } = agent.createMapping(options);
      return mapping;
    },
  };
}

/** What each line gives. The rule that consumes it may have another name. */
function givenBy(agent: AgentDefinition, capture: Capture): string[] {
  const steps = createSteps(agent, { cwd: capture.cwd, isResumed: capture.isResumed });
  const all: Step[] = [...steps.pushAll(recordsOf(capture)), ...steps.interrupted()];
  return all.map(({ events, rule }) => JSON.stringify({ events, isConsumed: rule !== undefined }));
}

function waysAroundParser(agent: AgentDefinition): boolean {
  const { skip, raw } = agent.createMapping({});
  return skip !== undefined || raw !== undefined;
}

const captured = agents.filter(({ id }) => captureNames(id).length > 0);

it.each(captured.filter(waysAroundParser).map((agent) => [agent.id, agent] as const))(
  "%s: lines that are not parsed give what they give when they are",
  (id, agent) => {
    let unparsed = 0;
    for (const scenario of captureNames(id)) {
      const capture = readCapture(id, scenario);
      expect(givenBy(agent, capture), scenario).toEqual(givenBy(parsing(agent), capture));
      const mapping = agent.createMapping({});
      unparsed += capture.stdout.filter((line) => mapping.skip?.(line) !== undefined).length;
    }
    if (agent.createMapping({}).skip !== undefined) expect(unparsed).toBeGreaterThan(0);
  },
);

it.each([
  ["claude", readClaudePartial],
  ["qwen", readQwenPartial],
] as const)(
  "%s: a partial record that is read without the parser is a part of the parsed one",
  (id, read) => {
    const lines = captureNames(id).flatMap((scenario) => readCapture(id, scenario).stdout);
    const found = lines.filter((line) => read(line) !== undefined);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(JSON.parse(line)).toMatchObject(read(line) ?? {});
  },
);

const inputPiece =
  '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"a"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}';

it("Claude Code: only the whole line of a partial record is read without the parser", () => {
  expect(readClaudePartial(inputPiece)).toMatchObject({ session_id: "s", parent_tool_use_id: null });
  const others = [
    inputPiece.slice(0, -1),
    `${inputPiece}{}`,
    inputPiece.replace("null", '"call"'),
    inputPiece.replace('"a"', '"\\x"'),
    inputPiece.replace('"a"', '"\t"'),
    inputPiece.replace("input_json_delta", "text_delta"),
    inputPiece.replace('"uuid"', '"event":{"type":"message_stop"},"uuid"'),
  ];
  for (const line of others) expect(readClaudePartial(line), line).toBeUndefined();
});
