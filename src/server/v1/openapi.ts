import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import type * as v from "valibot";
import { batchComponents } from "./batch-schemas.js";
import { commonRefusals, type RefusalCode, statusOfCode } from "./refusals.js";
import type { ContentDeclaration, Route } from "./route.js";
import { routes } from "./routes.js";
import { components } from "./schemas.js";

const named = { ...components, ...batchComponents };
const refTo = (name: string): string => `#/components/schemas/${name}`;

const settings: Omit<ConversionConfig, "definitions"> = {
  target: "draft-2020-12",
  typeMode: "input",
  // They say nothing that JSON Schema has a word for.
  ignoreActions: ["readonly", "finite"],
  overrideRef: ({ referenceId }) => refTo(referenceId),
  // `v.custom` stands for any JSON value in the vocabulary.
  overrideSchema: ({ valibotSchema }) => (valibotSchema.type === "custom" ? {} : undefined),
};

/** The description of the API: OpenAPI 3.1, made from the table of routes that the server itself uses. */
export function createOpenApi(): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: {
      title: "harness: local HTTP API",
      version: "1",
      summary: "Lists, follows, starts, answers and stops runs of coding agents on this machine.",
      description:
        "`harness view` serves this API on the loopback interface. Every request needs the token that it prints. Answers may get more fields, and words more values, in later versions: ignore what you do not know.",
    },
    servers: [
      {
        url: "http://127.0.0.1:{port}/api/v1",
        variables: { port: { default: "4280", description: "`harness view --json` prints it." } },
      },
    ],
    security: [{ token: [] }],
    tags: [
      { name: "runs", description: "Runs, recorded and under way." },
      { name: "sessions", description: "Live sessions: runs that take messages and answers." },
      { name: "batches", description: "Many runs of one plan." },
      { name: "server", description: "The server, and what it offers." },
    ],
    paths: pathsOf(routes),
    components: {
      responses: Object.fromEntries(
        Object.entries(shared).map(([status, codes]) => [`Status${status}`, refusalOf(codes)]),
      ),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: mapValues(toJsonSchemaDefs(named, settings), (schema, name) =>
        name === "Answer" ? schema : withoutClosing(schema),
      ),
    },
  };
}

function pathsOf(all: readonly Route[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of all) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  return paths;
}

function operationOf(route: Route): Record<string, unknown> {
  const { operation, tag, summary, description, body, answer } = route;
  const parameters = [
    ...Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...parametersOf(route.query, "query"),
    ...parametersOf(route.headers, "header"),
  ];
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } },
    }),
    responses: {
      [answer.status]: { description: answer.about, content: mapValues(answer.contents, contentOf) },
      ...refusalsOf(route),
    },
  };
}

/** OpenAPI 3.1 has no word for the items of a stream, hence the extension. */
function contentOf({ schema, messages }: ContentDeclaration): Record<string, unknown> {
  if (schema !== undefined) return { schema: withoutClosing(schemaOf(schema)) };
  return {
    schema: { type: "string" },
    ...(messages !== undefined && {
      "x-messages": mapValues(messages, (each) => withoutClosing(schemaOf(each))),
    }),
  };
}

/** A schema with a name is only referred to. */
function schemaOf(schema: v.GenericSchema): JsonSchema {
  const [name] = Object.entries(named).find(([, each]) => each === schema) ?? [];
  if (name !== undefined) return { $ref: refTo(name) };
  const { $schema, $defs, ...rest } = toJsonSchema(schema, { ...settings, definitions: named });
  return rest;
}

function parametersOf(fields: Route["query"], place: "query" | "header"): Record<string, unknown>[] {
  return Object.entries(fields?.entries ?? {}).map(([name, entry]) => {
    const { $schema, description, ...schema } = toJsonSchema(entry as v.GenericSchema, settings);
    return {
      name,
      in: place,
      required: false,
      ...(description !== undefined && { description }),
      schema,
    };
  });
}

/** One answer for each status, with the codes that it may have. Those that every operation has are described once. */
function refusalsOf({ refusals }: Route): Record<string, unknown> {
  const own = byStatus([...commonRefusals, ...refusals]);
  return mapValues(own, (codes, status) => {
    const isShared = shared[status]?.length === codes.length;
    return isShared ? { $ref: `#/components/responses/Status${status}` } : refusalOf(codes);
  });
}

const shared = byStatus(commonRefusals);

function byStatus(codes: readonly RefusalCode[]): Record<string, RefusalCode[]> {
  const found: Record<string, RefusalCode[]> = {};
  for (const code of new Set(codes)) {
    found[statusOfCode(code)] ??= [];
    found[statusOfCode(code)]?.push(code);
  }
  return found;
}

function refusalOf(codes: readonly RefusalCode[]): Record<string, unknown> {
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    content: { "application/json": { schema: { $ref: refTo("Error") } } },
  };
}

/** What the server sends may have more fields in a later version. */
function withoutClosing<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutClosing) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => !(key === "additionalProperties" && value === false),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutClosing(value)])) as T;
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
