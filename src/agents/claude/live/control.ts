import { asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import { toJson } from "../../../text/to-json.js";

/*
 * The envelope of requests and answers. Both sides use the same records, on standard input and on standard output.
 */

export interface ControlRequest {
  requestId: string;
  subtype: string;
  request: JsonObject;
}

export interface ControlAnswer {
  requestId: string;
  /** Undefined: the answer is an error. */
  response?: JsonObject | undefined;
  error?: string | undefined;
}

/** A record of the protocol, from its line. Undefined if the line is not a JSON object. */
export function readRecord(line: string): JsonObject | undefined {
  const value = parseJson(line);
  return isObject(value) ? value : undefined;
}

/** Undefined if the record is not a request that can be answered. */
export function readRequest(record: JsonObject): ControlRequest | undefined {
  if (record["type"] !== "control_request") return undefined;
  const requestId = asText(record["request_id"]);
  const request = asObject(record["request"]);
  const subtype = asText(request?.["subtype"]);
  return requestId === undefined || request === undefined || subtype === undefined
    ? undefined
    : { requestId, subtype, request };
}

/** Undefined if the record does not answer a request. */
export function readAnswer(record: JsonObject): ControlAnswer | undefined {
  if (record["type"] !== "control_response") return undefined;
  const answer = asObject(record["response"]) ?? {};
  const requestId = asText(answer["request_id"]);
  if (requestId === undefined) return undefined;
  if (answer["subtype"] === "success") return { requestId, response: asObject(answer["response"]) ?? {} };
  return { requestId, error: asText(answer["error"]) ?? "no reason given" };
}

export function requestLine(requestId: string, request: JsonObject): string {
  return toJson({ type: "control_request", request_id: requestId, request });
}

export function answerLine(requestId: string, response: JsonObject): string {
  return toJson({
    type: "control_response",
    response: { subtype: "success", request_id: requestId, response },
  });
}

export function refusalLine(requestId: string, error: string): string {
  return toJson({ type: "control_response", response: { subtype: "error", request_id: requestId, error } });
}

/** The calls whose results are in a `user` record of the main agent or of a subagent. */
export function returnedCalls(record: JsonObject): string[] {
  const content = asObject(record["message"])?.["content"];
  if (!Array.isArray(content)) return [];
  return content.flatMap((value) => {
    const block = asObject(value);
    const callId = block?.["type"] === "tool_result" ? asText(block["tool_use_id"]) : undefined;
    return callId === undefined ? [] : [callId];
  });
}
