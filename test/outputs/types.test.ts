import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { EventOf, HarnessEvent, SuggestedEdit } from "../../src/events/event.js";
import type { PlanEntry, Question } from "../../src/events/live-event.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { type FormatItems, formatNames } from "../../src/outputs/formats.js";
import type { streamSchemas } from "../../src/outputs/schemas.js";

type ItemOfSchema<Name extends keyof FormatItems> = v.InferOutput<(typeof streamSchemas)[Name]>;

/** The types of the streams, written by hand from the documents that define them. */
type Normalized<T extends HarnessEvent["type"]> = Omit<
  EventOf<T>,
  "runId" | "seq" | "line" | "parentCallId" | "turnId" | "callId" | "messageId" | "role"
>;

type ExpectedNormalized =
  | Normalized<"agent">
  | Normalized<"command">
  | Normalized<"read">
  | Normalized<"write">
  | Normalized<"search">
  | Normalized<"list">
  | Normalized<"skill">
  | Normalized<"orchestration">
  | Normalized<"error">
  | Normalized<"warning">
  | Normalized<"unknown">;

type ExpectedUnified =
  | {
      type: "SessionStart";
      timestamp_ms: number;
      session_id: string;
      agent: string;
      model?: string;
      cwd?: string;
    }
  | { type: "TextDelta"; timestamp_ms: number; text: string }
  | { type: "Message"; timestamp_ms: number; role: "assistant" | "user" | "system"; text: string }
  | { type: "ToolStart"; timestamp_ms: number; call_id: string; tool_name: string; input?: string }
  | { type: "ToolEnd"; timestamp_ms: number; call_id: string; success: boolean; output?: string }
  | {
      type: "Result";
      timestamp_ms: number;
      success: boolean;
      text?: string;
      duration_ms?: number;
      total_cost_usd?: number;
    }
  | { type: "Error"; timestamp_ms: number; message: string; code: string };

type ExpectedRunEvent =
  | { kind: "started"; runId: string }
  | { kind: "session"; runId: string; sessionId?: string; model?: string }
  | { kind: "text"; runId: string; delta: string }
  | { kind: "thinking"; runId: string; delta: string }
  | { kind: "toolStart"; runId: string; toolCallId: string; name: string; input?: string }
  | { kind: "toolEnd"; runId: string; toolCallId: string; ok: boolean; output?: string }
  | { kind: "suggestedEdits"; runId: string; edits: SuggestedEdit[] }
  | { kind: "activity"; runId: string; message: string }
  | { kind: "usage"; runId: string; inputTokens?: number; outputTokens?: number; totalTokens?: number }
  | { kind: "turnStarted"; runId: string; turnId: string; origin: "user" | "agent"; prompt?: string }
  | {
      kind: "turnEnded";
      runId: string;
      turnId: string;
      ok: boolean;
      reason: "completed" | "failed" | "interrupted";
      message?: string;
      durationMs?: number;
    }
  | {
      kind: "askQuestion";
      runId: string;
      requestId: string;
      requestKind: "permission" | "question" | "plan" | "form";
      toolCallId?: string;
      name: string;
      title: string;
      message?: string;
      operations?: string[];
      input?: string;
      questions?: Question[];
      schema?: string;
      choices: ("allow" | "allow_always" | "deny" | "answer")[];
    }
  | {
      kind: "questionEnded";
      runId: string;
      requestId: string;
      outcome: "allowed" | "denied" | "answered" | "withdrawn";
      by: "caller" | "policy" | "agent";
      rule?: string;
      message?: string;
    }
  | { kind: "plan"; runId: string; entries: PlanEntry[] }
  | { kind: "error"; runId: string; message: string }
  | { kind: "exited"; runId: string; exitCode: number | null; cancelled: boolean };

/** Checked by the compiler. */
describe("the types of the items", () => {
  it("are those of the schemas", () => {
    expectTypeOf<FormatItems["events"]>().toEqualTypeOf<ItemOfSchema<"events">>();
    expectTypeOf<FormatItems["ndjson"]>().toEqualTypeOf<ItemOfSchema<"ndjson">>();
    expectTypeOf<FormatItems["run-events"]>().toEqualTypeOf<ItemOfSchema<"run-events">>();
    expectTypeOf<FormatItems["full"]>().toEqualTypeOf<ItemOfSchema<"full">>();
    expectTypeOf<FormatItems["json"]>().toEqualTypeOf<ItemOfSchema<"json">>();
  });

  it("are those of the documents", () => {
    expectTypeOf<FormatItems["events"]>().branded.toEqualTypeOf<ExpectedNormalized>();
    expectTypeOf<FormatItems["ndjson"]>().branded.toEqualTypeOf<ExpectedUnified>();
    expectTypeOf<FormatItems["run-events"]>().branded.toEqualTypeOf<ExpectedRunEvent>();
  });

  it("follow the name of the format", () => {
    expectTypeOf(formatEvents("ndjson", [])).toEqualTypeOf<FormatItems["ndjson"][]>();
    expectTypeOf(formatEvents("run-events", [])).toEqualTypeOf<FormatItems["run-events"][]>();
  });
});

describe("the modules of the formats", () => {
  const root = fileURLToPath(new URL("../../src/outputs/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      // What documents of Markdown share is not part of the formats.
      !file.startsWith("markdown-") &&
      (formatNames.some((name) => file.startsWith(`${name}/`)) || !file.includes("/")),
  );
  const schemaModules = /(^|\/)(schemas?|json-schema|registry)\.ts$/;
  const allowed = /^(\.{1,2}\/)+(events|text|story)\/|^\.{1,2}\/[^.]*\.js$/;

  it.each(files.filter((file) => !schemaModules.test(file)))(
    "%s loads neither schemas nor anything from outside",
    (file) => {
      const code = readFileSync(root + file, "utf8");
      const loaded = [...code.matchAll(/^(?:import|export) (?!type\b)[^;]*? from "([^"]+)"/gms)].map(
        (match) => match[1] ?? "",
      );
      for (const module of loaded) {
        expect(module).toMatch(allowed);
        expect(module).not.toMatch(/schemas?\.js$|events\/(event|failure|raw-record|usage)\.js$/);
      }
    },
  );
});
