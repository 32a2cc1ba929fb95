import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsPlugin from "ajv-formats";
import * as v from "valibot";
import type { OutputDefinition } from "../../../src/outputs/contract.js";
import { outputNamed } from "../../../src/server/export-run.js";
import type { ServerOptions } from "../../../src/server/server.js";
import type { createOpenApi } from "../../../src/server/v1/openapi.js";
import { commonRefusals, statusOfCode } from "../../../src/server/v1/refusals.js";
import { routes } from "../../../src/server/v1/routes.js";
import { ask, type Message, messages, startTestServer, type TestServer } from "../support.js";

export const liveClaude = fileURLToPath(new URL("../live-claude.mjs", import.meta.url));
const addFormats = addFormatsPlugin as unknown as typeof addFormatsPlugin.default;

/** The published file, so that what is checked is what others read. */
const published = JSON.parse(
  readFileSync(new URL("../../../docs/reference/openapi.json", import.meta.url), "utf8"),
) as ReturnType<typeof createOpenApi>;

export interface Asked {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body, if it is JSON. */
  json: Record<string, unknown>;
}

export interface Client {
  server: TestServer;
  get(path: string, headers?: Record<string, string>): Promise<Asked>;
  post(path: string, body?: unknown): Promise<Asked>;
  delete(path: string): Promise<Asked>;
  /** The messages of an event stream, until `isLast` holds or it ends. */
  follow(
    path: string,
    isLast?: (message: Message) => boolean,
    headers?: Record<string, string>,
  ): Promise<Message[]>;
  /** The code of a refused request, with its status. */
  refused(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<[number, unknown]>;
}

/** A server, and a client that holds every answer to the published description and to the schema of its route. */
export async function connect(options: ServerOptions = {}, config = ""): Promise<Client> {
  const server = await startTestServer({ trust: true, ...options });
  const lines = config || `[agents.claude]\nbinary = ${JSON.stringify(liveClaude)}\n`;
  writeFileSync(join(server.directory, "..", "harness.toml"), lines);

  async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const answer = await ask(server, `/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const json = String(answer.headers["content-type"]).startsWith("application/json")
      ? JSON.parse(answer.text)
      : {};
    check(method, path, { ...answer, json });
    return { ...answer, json };
  }

  return {
    server,
    get: (path, headers = {}) => send("GET", path, headers),
    post: (path, body) => send("POST", path, { "content-type": "application/json" }, body),
    delete: (path) => send("DELETE", path, {}),
    async follow(path, isLast, headers) {
      const found = await messages(server, `/api/v1${path}`, isLast, headers);
      await checkMessages(path, found);
      return found;
    },
    async refused(method, path, body) {
      const { status, json } = await send(method, path, { "content-type": "application/json" }, body);
      return [status, json["code"]];
    },
  };
}

/** Throws if an answer is not as its route and the description say. */
const check = createCheck();

function createCheck(): (method: string, path: string, answer: Asked) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: "api", ...published });
  const compiled = new Map<string, ValidateFunction>();
  const components = Object(published["components"]);
  return (method, path, { status, headers, json }) => {
    const [pathname = ""] = path.split("?");
    const route = routes.find(
      (each) => each.method === method.toLowerCase() && patternOf(each.path).test(pathname),
    );
    if (route === undefined) return;
    const name = `${method} ${path} ${status}`;
    const operation = Reflect.get(Object(published["paths"]), route.path)[route.method];
    const found = operation.responses[String(status)];
    const declared =
      Reflect.get(Object(components.responses), String(found?.$ref).split("/").at(-1) ?? "") ?? found;
    if (declared === undefined)
      throw new Error(`${name}: the status is not declared: ${JSON.stringify(json)}`);
    if (status >= 400) checkRefusal(name, status, json, [...commonRefusals, ...route.refusals]);
    const type = String(headers["content-type"]).split(";")[0] ?? "";
    if (declared.content[type] === undefined && declared.content["*/*"] === undefined)
      throw new Error(`${name}: ${type} is not declared`);
    if (type !== "application/json" || declared.content[type] === undefined) return;
    const refs = JSON.stringify(declared.content[type].schema).replaceAll('"#/', '"api#/');
    const validate = compiled.get(refs) ?? ajv.compile(JSON.parse(refs));
    compiled.set(refs, validate);
    if (!validate(json)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}`);
    const { schema } = route.answer.contents["application/json"] ?? {};
    if (status >= 400 || schema === undefined) return;
    // Stricter than what is published: no field is there that the description does not have.
    const parsed = v.safeParse(schema, json);
    if (!parsed.success) throw new Error(`${name}: ${JSON.stringify(v.flatten(parsed.issues))}`);
  };
}

/** Throws if a message has no schema, or does not fit it. That of an item depends on the format. */
async function checkMessages(path: string, found: readonly Message[]): Promise<void> {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const route = routes.find((each) => each.method === "get" && patternOf(each.path).test(pathname));
  const declared = route?.answer.contents["text/event-stream"]?.messages ?? {};
  const definition: OutputDefinition = outputNamed(searchParams.get("format") ?? "full");
  const schemas = { ...declared, ...("message" in declared && { message: await definition.schema?.() }) };
  for (const { event, data } of found) {
    const schema: v.GenericSchema | undefined = Reflect.get(schemas, event);
    if (schema === undefined) throw new Error(`${path}: a message ${event} is not declared`);
    const parsed = v.safeParse(schema, data);
    if (!parsed.success) throw new Error(`${path}: ${event}: ${JSON.stringify(v.flatten(parsed.issues))}`);
  }
}

function checkRefusal(
  name: string,
  status: number,
  json: Record<string, unknown>,
  codes: readonly string[],
): void {
  const code = String(json["code"]);
  if (!codes.includes(code)) throw new Error(`${name}: ${code} is not declared`);
  if (statusOfCode(code) !== status) throw new Error(`${name}: ${code} has another status`);
  if (String(json["message"]).length < 10) throw new Error(`${name}: it does not say what to do`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
