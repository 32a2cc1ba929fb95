import type { Context } from "hono";
import * as v from "valibot";
import { HarnessError } from "../../errors.js";
import { checkOptions } from "../../text/check-options.js";
import { toJson } from "../../text/to-json.js";
import type { ApiOptions } from "../api.js";
import type { RefusalCode } from "./refusals.js";
import type { Reports } from "./reports.js";

/**
 * One operation of the API, as data. The server's routes and the OpenAPI file are both made from these, so they cannot
 * disagree.
 */
export interface Route {
  method: "get" | "post" | "delete";
  /** As OpenAPI spells it: `/runs/{id}`. */
  path: string;
  /** The name of the operation, for generated clients. */
  operation: string;
  tag: "runs" | "sessions" | "batches" | "server";
  summary: string;
  description?: string;
  query?: Fields;
  headers?: Fields;
  body?: Fields;
  answer: AnswerDeclaration;
  /** What can go wrong, besides what can always go wrong. */
  refusals: readonly RefusalCode[];
  handle(context: Context, services: Services): Promise<Response>;
}

/** What handlers work with. */
export interface Services extends ApiOptions {
  /** The OpenAPI file. */
  document(): Promise<Record<string, unknown>>;
  reports: Reports;
}

type Fields = v.StrictObjectSchema<v.ObjectEntries, undefined>;

export interface AnswerDeclaration {
  status: 200 | 201 | 202;
  about: string;
  /** Media types, and the schema of the whole body or of one item of a stream. */
  contents: Readonly<Record<string, ContentDeclaration>>;
}

export interface ContentDeclaration {
  /** Of the whole body, if it is JSON. */
  schema?: v.GenericSchema;
  /** Of the messages of an event stream, by their name, and of the lines of a stream of lines (`line`). */
  messages?: Readonly<Record<string, v.GenericSchema>>;
}

/** A request that has been checked. */
interface Call<Query extends Fields, Body extends Fields> {
  context: Context;
  query: v.InferOutput<Query>;
  body: v.InferOutput<Body>;
}

const noFields = v.strictObject({});
type NoFields = typeof noFields;

interface Declared<Query extends Fields, Body extends Fields>
  extends Omit<Route, "answer" | "handle" | "query" | "body"> {
  query?: Query;
  body?: Body;
}

interface JsonRoute<Query extends Fields, Body extends Fields, Schema extends v.GenericSchema>
  extends Declared<Query, Body> {
  status?: 200 | 201 | 202;
  about: string;
  schema: Schema;
  /** Headers of the answer. */
  answerHeaders?(answer: v.InferOutput<Schema>): Record<string, string>;
  handle(call: Call<Query, Body>, services: Services): v.InferOutput<Schema> | Promise<v.InferOutput<Schema>>;
}

/** An operation that answers with JSON. */
export function jsonRoute<
  Schema extends v.GenericSchema,
  Query extends Fields = NoFields,
  Body extends Fields = NoFields,
>(declared: JsonRoute<Query, Body, Schema>): Route {
  const { status = 200, about, schema, answerHeaders, handle, ...rest } = declared;
  return {
    ...rest,
    answer: { status, about, contents: { "application/json": { schema } } },
    async handle(context, services) {
      const answer = await handle(await checkCall(context, rest), services);
      const headers = { "content-type": "application/json", ...answerHeaders?.(answer) };
      return context.body(toJson(answer), status, headers);
    },
  };
}

interface ContentRoute<Query extends Fields> extends Declared<Query, NoFields> {
  about: string;
  contents: AnswerDeclaration["contents"];
  handle(call: Call<Query, NoFields>, services: Services): Response | Promise<Response>;
}

/** An operation that answers with something else, such as a stream or a file. */
export function contentRoute<Query extends Fields = NoFields>(declared: ContentRoute<Query>): Route {
  const { about, contents, handle, ...rest } = declared;
  return {
    ...rest,
    answer: { status: 200, about, contents },
    handle: async (context, services) => handle(await checkCall(context, rest), services),
  };
}

async function checkCall<Query extends Fields, Body extends Fields>(
  context: Context,
  { query, body }: { query?: Query; body?: Body },
): Promise<Call<Query, Body>> {
  return {
    context,
    query: checkOptions(query ?? noFields, readQuery(context, query), "query", "bad_request"),
    body: checkOptions(
      body ?? noFields,
      body === undefined ? {} : await readBody(context),
      "body",
      "bad_request",
    ),
  };
}

/** The parameters of an address, as the types that their schemas have. */
function readQuery(context: Context, schema: Fields | undefined): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null);
  for (const [name, [first = "", ...more]] of Object.entries(context.req.queries())) {
    if (more.length > 0) throw new HarnessError("bad_request", `query.${name} is given more than once`);
    const entry = schema?.entries[name];
    found[name] = entry === undefined ? first : toTyped(first, typeOf(entry));
  }
  return found;
}

/** Text that is not of the type stays text, and is refused by the schema. */
function toTyped(text: string, type: string): unknown {
  if (type === "number" && /^\d{1,12}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function typeOf(entry: v.GenericSchema | { type: string; wrapped?: { type: string } }): string {
  return "wrapped" in entry && entry.wrapped !== undefined ? entry.wrapped.type : entry.type;
}

async function readBody(context: Context): Promise<unknown> {
  const text = await context.req.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HarnessError("bad_request", "the body of the request is not valid JSON", { cause: error });
  }
}
