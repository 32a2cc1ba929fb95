import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { anyJsonObject } from "../events/event-parts.js";
import { type StreamName, streamSchemas } from "./schemas.js";

/**
 * JSON Schemas (draft 2020-12) of every stream, made from the schemas that the code itself uses. The formats do not import
 * this module, because it is large.
 */
export function createJsonSchema(name: StreamName): JsonSchema {
  return toTitledJsonSchema(streamSchemas[name], titles[name]);
}

/** The JSON Schema of one schema, under a title. */
export function toTitledJsonSchema(schema: GenericSchema, title: string): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    overrideSchema: ({ valibotSchema }) => {
      if (valibotSchema === anyJsonObject) return { type: "object" };
      return valibotSchema.type === "custom" ? anyJson : undefined;
    },
  });
  return { ...($schema !== undefined && { $schema }), title, ...rest };
}

/** `v.custom` stands for any JSON value in the vocabulary. */
const anyJson: JsonSchema = {};

const titles: { readonly [Name in StreamName]: string } = {
  full: "harness: an event of the full vocabulary",
  events: "harness: a normalized harness event",
  ndjson: "harness: an event of the unified NDJSON stream",
  "run-events": "harness: a run event for user interfaces",
  json: "harness: a whole run, after its end",
  raw: "harness: a record of raw.jsonl",
  atif: "harness: a whole run as an ATIF trajectory",
  "ui-message": "harness: a chunk of the AI SDK's UI message stream",
  "ag-ui": "harness: an event of AG-UI",
  otlp: "harness: spans of a run, as OTLP/JSON",
  acp: "harness: a message of the Agent Client Protocol, as an agent sends it",
  claude: "harness: a record in the words of Claude Code's stream-json",
};
