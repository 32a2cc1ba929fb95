import { afterEach } from "vitest";
import {
  type Scenario,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "../../src/testing/index.js";

const started: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((model) => model.close()));
});

/** Starts a model that is closed after the test. */
export async function startModel(
  turns: Scenario["turns"],
  options: Omit<ScriptedModelOptions, "scenario"> & Omit<Scenario, "turns"> = {},
): Promise<ScriptedModel> {
  const { agent, workspace, port, ...rest } = options;
  const model = await startScriptedModel({
    scenario: { turns, ...rest },
    ...(agent === undefined ? {} : { agent }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(port === undefined ? {} : { port }),
  });
  started.push(model);
  return model;
}

export function post(
  model: ScriptedModel,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(model.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read the JSON of four different APIs
export type Json = any;

export async function postJson(model: ScriptedModel, path: string, body: object): Promise<Json> {
  return (await post(model, path, body)).json();
}

export interface SseEvent {
  event?: string;
  data: Json;
}

/** The server-sent events of a response, parsed strictly by the specification. */
export async function readEvents(response: Response): Promise<SseEvent[]> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): SseEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const fields = new Map(
        block
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
      );
      const data = fields.get("data") ?? "";
      const event = fields.get("event");
      return { ...(event === undefined ? {} : { event }), data: data === "[DONE]" ? data : JSON.parse(data) };
    });
}

export function chatTools(...names: string[]): object[] {
  return names.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
}
