import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { formats } from "../../src/outputs/formats.js";
import { toHtml } from "../../src/outputs/html/page.js";
import { toMarkdown } from "../../src/outputs/markdown/transcript.js";
import { createPlainWriter } from "../../src/outputs/text/plain-writer.js";
import { createTextView } from "../../src/outputs/text/text-view.js";
import { toNdjson } from "../../src/text/to-json.js";
import {
  captureNames,
  capturesDirectory,
  readCapture,
  type TranslatedLine,
  timeOf,
  translateCapture,
} from "./captures.js";

const Digests = v.record(v.string(), v.record(v.string(), v.string()));

/**
 * The outputs for people of every capture, as hashes: `<agent>/digests.json` among the captures. They show that a change
 * of the code changed an output, not how. `HARNESS_OUTPUTS=DIR` writes the outputs themselves, to be compared with those
 * of a checkout without the change. `npm run fixtures:accept` writes the hashes anew.
 */
export function describeDigests(agent: AgentDefinition): void {
  const file = `${capturesDirectory}${agent.id}/digests.json`;
  const isAccepted = Boolean(process.env["HARNESS_ACCEPT"]);
  const scenarios = captureNames(agent.id);
  const expected = existsSync(file) ? v.parse(Digests, JSON.parse(readFileSync(file, "utf8"))) : {};
  const found: v.InferOutput<typeof Digests> = {};

  describe(`${agent.id}: outputs for people`, () => {
    it.each(scenarios)("%s", (scenario) => {
      const lines = translateCapture(agent, readCapture(agent.id, scenario));
      const outputs = outputsOf(agent, scenario, lines);
      keepOutputs(agent.id, scenario, outputs);
      const digests = Object.fromEntries(
        Object.entries(outputs).map(([name, text]): [string, string] => [name, digestOf(text)]),
      );
      found[scenario] = digests;
      if (!isAccepted) expect(digests, adviceFor(agent.id, scenario)).toEqual(expected[scenario]);
    });

    it.skipIf(isAccepted)("has no digests of captures that are gone", () => {
      expect(Object.keys(expected)).toEqual(scenarios);
    });

    afterAll(() => {
      // A run of some tests (`-t`) accepts these and leaves the others as they are.
      const accepted = scenarios.map((scenario) => [scenario, found[scenario] ?? expected[scenario]]);
      if (isAccepted) writeFileSync(file, `${JSON.stringify(Object.fromEntries(accepted), null, 2)}\n`);
    });
  });
}

function outputsOf(
  agent: AgentDefinition,
  scenario: string,
  lines: readonly TranslatedLine[],
): Record<string, string> {
  const events = lines.flatMap((line) => line.events);
  const started = events.find((event) => event.type === "started");
  const outcome = events.find((event) => event.type === "exited")?.reason ?? "interrupted";
  const meta = {
    runId: `${agent.id}-${scenario}`,
    agent: agent.id,
    cwd: started?.cwd ?? "",
    prompt: `Do ${scenario}`,
    startedAt: timeOf(0),
  };
  const text = (columns: number) => {
    const view = createTextView({ columns, agentName: agent.name, home: "/home/u", showsThinking: true });
    const write = createPlainWriter(view, true);
    return lines.map((line) => write(line.events)).join("");
  };
  const report = formats.json.create();
  return {
    txt: text(Number.POSITIVE_INFINITY),
    "60-columns.txt": text(60),
    md: toMarkdown({ meta, outcome, events }),
    html: withoutConstants(toHtml({ meta, outcome, events })),
    json: lines.map((line) => toNdjson(report.push(line.events))).join(""),
  };
}

/** Without the page's own style and script, and the policy with their hashes: they are the same for every run. */
function withoutConstants(page: string): string {
  return page
    .replace(/<style>[\s\S]*?<\/style>/g, "<style></style>")
    .replace(/<script>[\s\S]*?<\/script>/g, "<script></script>")
    .replace(/'sha256-[^']*'/g, "'sha256-'");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function keepOutputs(agent: string, scenario: string, outputs: Record<string, string>): void {
  const directory = process.env["HARNESS_OUTPUTS"];
  if (directory === undefined) return;
  mkdirSync(join(directory, agent), { recursive: true });
  for (const [name, text] of Object.entries(outputs))
    writeFileSync(join(directory, agent, `${scenario}.${name}`), text);
}

function adviceFor(agent: string, scenario: string): string {
  const command = (directory: string) =>
    `HARNESS_OUTPUTS=${directory} npx vitest run test/agents/${agent}.test.ts`;
  return [
    `an output of ${agent}/${scenario} has changed. To see how, run`,
    `  ${command("/tmp/new")}`,
    `here, and in a checkout without the change`,
    `  ${command("/tmp/old")}`,
    `then: diff -r /tmp/old /tmp/new. If the change is wanted: npm run fixtures:accept`,
  ].join("\n");
}
