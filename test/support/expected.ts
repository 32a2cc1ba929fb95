import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { formats } from "../../src/outputs/formats.js";
import { streamSchemas } from "../../src/outputs/schemas.js";
import { captureNames, readCapture, translateCapture } from "./captures.js";
import { describeDigests } from "./digests.js";

/**
 * The expected output of every capture, as the canonical stream (`full`) and in three formats that were checked line by line
 * against the capture. `npm run fixtures:accept -- <agent>` rewrites them. A changed file is a changed claim, so check it
 * again.
 */
export function describeExpectedOutputs(agent: AgentDefinition): void {
  describe(`${agent.id}: expected outputs`, () => {
    for (const scenario of captureNames(agent.id)) {
      it.each(["events", "ndjson", "run-events", "full"] as const)(`${scenario} as %s`, (format) => {
        const capture = readCapture(agent.id, scenario);
        const view = formats[format].create({ narrates: agent.traits.narrates ?? false });
        const items = translateCapture(agent, capture).flatMap((line): unknown[] => view.push(line.events));
        for (const item of items) expect(v.safeParse(streamSchemas[format], item).issues).toBeUndefined();
        expectFile(
          `${capture.directory}expected/${format}.jsonl`,
          items.map((item) => `${JSON.stringify(item, shorten)}\n`).join(""),
        );
      });
    }
  });
  describe(`${agent.id}: a failed run as ndjson`, () => {
    it.each(captureNames(agent.id))(
      "%s has one error that carries the kind of the failure, if it failed",
      (scenario) => {
        const events = translateCapture(agent, readCapture(agent.id, scenario)).flatMap(
          (line) => line.events,
        );
        const kind = events.flatMap((event) =>
          event.type === "result" ? (event.failure?.kind ?? []) : [],
        )[0];
        const errors = formatEvents("ndjson", events).flatMap((item) =>
          item.type === "Error" ? item.code : [],
        );
        expect(errors.filter((code) => code === kind)).toHaveLength(kind === undefined ? 0 : 1);
      },
    );
  });
  describeDigests(agent);
}

const longest = 2000;

/** Very long strings are stored as their beginning, length and hash: exact, and still readable. */
function shorten(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= longest) return value;
  const hash = createHash("sha256").update(value).digest("hex").slice(0, 16);
  return `${value.slice(0, 80)}… (${value.length} characters, sha256 ${hash})`;
}

function expectFile(file: string, text: string): void {
  if (process.env["HARNESS_ACCEPT"]) {
    mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  expect(existsSync(file), `${file} is missing; run npm run fixtures:accept, then check it`).toBe(true);
  expect(text).toBe(readFileSync(file, "utf8"));
}
