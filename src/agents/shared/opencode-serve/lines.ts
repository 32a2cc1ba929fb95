import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";

/** A line that the server sent: an event, or the answer to a request. */
export type ServerLine =
  | { kind: "event"; event: JsonObject | undefined; text: string }
  /** Status 0: there was no answer. */
  | { kind: "answer"; status: number; body: JsonValue | undefined; text: string };

const answerLine = /^HTTP (\d{1,3})(?: (.*))?$/s;

/** Undefined: the line is not one of the connection, for example one of standard output. */
export function readServerLine(line: string): ServerLine | undefined {
  if (line.startsWith("SSE ")) {
    const text = line.slice(4);
    return { kind: "event", event: asObject(parseJson(text)), text };
  }
  const [, status, text = ""] = answerLine.exec(line) ?? [];
  if (status === undefined) return undefined;
  return { kind: "answer", status: Number(status), body: text === "" ? undefined : parseJson(text), text };
}

/** A request that harness sent. */
export interface SentRequest {
  /** `POST session *`: the method and the path, where `*` stands for an id. */
  route: string;
  /** The ids in the path, in order. */
  ids: readonly string[];
  body: JsonObject;
}

const requestLine = /^([A-Z]+) (\/[^\s?]*)(?:\?\S*)?(?: (.*))?$/s;
const idSegment = /^(?:ses|per|que)_/;

export function readSentRequest(line: string): SentRequest | undefined {
  const [, method, path, json] = requestLine.exec(line) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const segments = path.split("/").filter((segment) => segment !== "");
  const ids = segments.filter((segment) => idSegment.test(segment));
  const route = segments.map((segment) => (idSegment.test(segment) ? "*" : segment));
  return {
    route: [method, ...route].join(" "),
    ids,
    body: asObject(json === undefined ? undefined : parseJson(json)) ?? {},
  };
}

/** The words of an error in a body, or the body itself. */
export function errorWords({ body, text }: ServerLine & { kind: "answer" }): string {
  const fields = asObject(body);
  return asText(asObject(fields?.["data"])?.["message"]) ?? asText(fields?.["message"]) ?? text;
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The line of a request. */
export function toRequestLine(method: string, path: readonly string[], body?: JsonValue): string {
  const line = `${method} /${path.map(encodeURIComponent).join("/")}`;
  return body === undefined ? line : `${line} ${JSON.stringify(body)}`;
}
