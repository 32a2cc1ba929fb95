import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { AgentDefinition, Capabilities } from "../../src/agents/definition.js";
import type { Abilities } from "../../src/agents/live-contract.js";
import { agents } from "../../src/agents/registry.js";
import { sessionAbilities } from "../../src/agents/session-abilities.js";
import { eventSchemas } from "../../src/events/event.js";
import type { LiveProfile } from "../real/live/live-profile.js";
import { liveProfiles } from "../real/live/profiles.js";
import { captureNames, capturesDirectory, readCapture, translateCapture } from "../support/captures.js";

/**
 * `docs/coverage.md` is written from the definitions and from what the captures really give, so that it cannot
 * lie. `HARNESS_ACCEPT=1 vitest run test/docs` writes it anew.
 */
const file = fileURLToPath(new URL("../../docs/coverage.md", import.meta.url));

const options: Record<keyof Capabilities, string> = {
  model: "`--model`",
  readOnly: "`read-only`",
  systemPrompt: "`--system-prompt`",
  appendSystemPrompt: "`--append-system-prompt`",
  maxTurns: "`--max-turns`",
  maxBudgetUsd: "`--max-budget-usd`",
  resume: "`--resume`",
  mcpServers: "`--mcp-config`",
  effort: "`--effort`",
  allowedTools: "`--allowed-tools`",
  schema: "`--schema`",
};

/** The columns of the table of live sessions. */
const abilities: Record<keyof Abilities, string> = {
  ask: "asks",
  questions: "questions",
  steer: "steer",
  setModel: "`setModel`",
  always: "allow always",
  denyReason: "reason of a denial",
  changeInput: "changed input",
  usage: "tokens per",
  cost: "cost",
  plan: "to-do list",
  resume: "resume",
};

const seenParts = ["two turns", "allowed", "denied", "question", "interrupt in a command", "queue", "resume"];

it("docs/coverage.md says what the definitions and the captures say", () => {
  const text = render();
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

function render(): string {
  return `# What each agent supports

This page shows which options each agent takes and which events it reports. A test generates it from the agents' definitions and from captures of
their runs.

## Options of a run

An empty cell means that the agent does not support the option. harness then refuses it with a clear error and never ignores it.

${table(["agent", ...Object.values(options), "`--isolated`"], agents.map(optionRow))}

## Events

✓ means that a capture of a real run has the event. Cursor, Bob and Antigravity could not be run: for them, samples were written from their
documentation (see \`ORIGIN.md\` beside the samples). An empty cell means that no capture has the event. [Events](events.md) explains each type.

${table(["event", ...agents.map(({ id }) => id)], eventRows())}

## Live sessions

What a [live session](live.md) with each agent can do. \`process\`: the agent has no protocol of its own, so every turn is a process that resumes its session.
An empty cell means that the agent cannot do it: it is refused, never pretended. "Unasked" are operations that the agent does without asking even if it
is to ask, so [rules](permissions.md) about them are refused.

${table(["agent", "protocol", ...Object.values(abilities), "unasked"], agents.filter(isTalkative).map(abilityRow))}

What was seen with the real program and the scripted model, on disk, at the model and in the stream (\`test/real/live/\`):

${table(["agent", ...seenParts], (Object.values(liveProfiles) as LiveProfile[]).map(seenRow))}

## Versions and captures

${table(["agent", "versions", "captures", "`unknown` events per 100 lines"], agents.map(recordedRow))}

All captures count, including those with another output than the stream: with \`json\` of Goose and Gemini CLI, nearly every line is
\`unknown\`. [Real agents](real-agents.md) has the rates of the test scenarios alone.
`;
}

function isTalkative(agent: AgentDefinition): boolean {
  return sessionAbilities(agent) !== undefined;
}

function abilityRow(agent: AgentDefinition): string[] {
  const can = sessionAbilities(agent);
  const cells = (Object.keys(abilities) as (keyof Abilities)[]).map((key) => {
    const value = can?.[key];
    return typeof value === "string" ? (value === "none" ? "" : value) : value ? "✓" : "";
  });
  const unasked = agent.live?.unasked.join(", ") ?? "";
  return [agent.id, agent.live === undefined ? "process" : `\`${agent.live.id}\``, ...cells, unasked];
}

function seenRow({ agent, version, cannotAsk, question }: LiveProfile): string[] {
  const asked = cannotAsk === undefined ? "✓" : "";
  const name = version === undefined ? agent : `${agent} ${version}`;
  return [name, "✓", asked, asked, question === undefined ? "" : "✓", "✓", "✓", "✓"];
}

function optionRow(agent: AgentDefinition): string[] {
  const keys = Object.keys(options) as (keyof Capabilities)[];
  const cells = [...keys.map((key) => agent.capabilities[key]), agent.isolation];
  return [`${agent.name} (\`${agent.id}\`)`, ...cells.map((cell) => (cell ? "✓" : ""))];
}

function eventRows(): string[][] {
  const seen = new Map(agents.map((agent) => [agent.id, typesOf(agent)]));
  return Object.keys(eventSchemas).map((type) => [
    `\`${type}\``,
    ...agents.map(({ id }) => (seen.get(id)?.has(type) ? "✓" : "")),
  ]);
}

function typesOf(agent: AgentDefinition): Set<string> {
  return new Set(
    translated(agent).flatMap((lines) => lines.flatMap(({ events }) => events.map(({ type }) => type))),
  );
}

function recordedRow(agent: AgentDefinition): string[] {
  const runs = translated(agent);
  const lines = runs.flat().filter(({ record }) => record?.stream === "stdout").length;
  const unknown = runs.flat().flatMap(({ events }) => events.filter(({ type }) => type === "unknown")).length;
  return [
    `\`${agent.id}\``,
    agent.version.recorded.join(", ") || "none: written samples",
    String(runs.length),
    lines === 0 ? "" : ((100 * unknown) / lines).toFixed(1),
  ];
}

function translated(agent: AgentDefinition) {
  if (!existsSync(`${capturesDirectory}${agent.id}`)) return [];
  return captureNames(agent.id).map((scenario) => translateCapture(agent, readCapture(agent.id, scenario)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
