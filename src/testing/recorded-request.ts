import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ModelApi } from "./apis/dialect.js";
import { parseJson } from "./json.js";
import type { ToolResult } from "./model-request.js";
import type { TurnUsage } from "./scenario.js";

/** One request and its answer. It is filled in while the answer is being sent. */
export interface RecordedRequest {
  /** 0, 1, 2 … in the order of arrival. */
  readonly number: number;
  /** ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** With its query, without credentials. */
  readonly path: string;
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or the text if it is not JSON. */
  readonly body: unknown;
  /** Undefined if the request was not for a model. */
  api?: ModelApi;
  model?: string;
  /** The agent whose tools it advertises. */
  agent?: string;
  /** The conversation it belongs to. */
  conversation?: string;
  /** The prompt of the scripted subagent that it belongs to. */
  subagent?: string;
  /** The turn of the script that was due, counted from 0. */
  step?: number;
  /** The results of the calls of the turn before. */
  toolResults: readonly ToolResult[];
  readonly answer: RecordedAnswer;
}

/** What the scripted model answered to one request. */
export interface RecordedAnswer {
  /** `other`: not a request for a model, or one that the server could not answer. */
  kind: "turn" | "fault" | "side" | "followUp" | "over" | "other";
  /** Unset until something was sent. It stays unset if the answer hangs or is cut before its first byte. */
  status?: number;
  text: string;
  thinking: string;
  calls: readonly SentCall[];
  /** The token counts that were sent, in the script's classes. */
  usage?: Required<TurnUsage>;
  /** True once the whole response was written: not cut, not hanging, and the client did not disconnect early. */
  isComplete: boolean;
  /** Why the server could not answer. */
  problem?: string;
}

/** A call of a tool, as it was sent. */
export interface SentCall {
  readonly id: string;
  readonly tool: string;
  /** Parsed, or the text if it is freeform or malformed. */
  readonly input: unknown;
}

export function recordRequest(number: number, request: IncomingMessage, text: string): RecordedRequest {
  return {
    number,
    time: new Date().toISOString(),
    method: request.method ?? "",
    path: withoutKey(request.url ?? ""),
    headers: withoutCredentials(request.headers),
    body: parseJson(text) ?? text,
    toolResults: [],
    answer: { kind: "other", text: "", thinking: "", calls: [], isComplete: false },
  };
}

/** The tokens of all complete answers, without side requests such as those for a title. */
export function totalUsage(requests: readonly RecordedRequest[]): Required<TurnUsage> {
  const total = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  for (const { answer } of requests) {
    if (answer.usage === undefined || !answer.isComplete || answer.kind === "side") continue;
    for (const name of ["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const)
      total[name] += answer.usage[name];
  }
  return total;
}

const credential = /authorization|api-?key|token|cookie|secret/i;

function withoutCredentials(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !credential.test(name))
      kept[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return kept;
}

function withoutKey(path: string): string {
  return path.replace(/([?&]key=)[^&]*/g, "$1…");
}
