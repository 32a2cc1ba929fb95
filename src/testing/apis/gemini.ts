import { field, isRecord, listOf, parseJson, stringOf, textOf } from "../json.js";
import type { AdvertisedTool, HistoryItem } from "../model-request.js";
import { type Frame, isInterruption, type Reply, type ReplyPiece, type StopReason } from "../reply.js";
import type { Dialect } from "./dialect.js";

/** Gemini: `POST /v1beta/models/<model>:generateContent`, or `:streamGenerateContent` for a stream. */
export const gemini: Dialect = {
  api: "gemini",
  accepts: (path) => /:(streamG|g)enerateContent$/.test(path),
  read: (body, path) => ({
    model: /\/models\/([^:/]+):/.exec(path)?.[1] ?? "",
    isStreaming: path.endsWith(":streamGenerateContent"),
    tools: listOf(field(body, "tools")).flatMap((tool) =>
      listOf(field(tool, "functionDeclarations")).map(toTool),
    ),
    history: [
      { from: "system", text: textOf(field(body, "systemInstruction")) },
      ...listOf(field(body, "contents")).flatMap(toItems),
    ],
  }),
  frames: toFrames,
  whole: (reply) => response(reply, reply.pieces.map(inOnePart).flatMap(toParts), true),
  error: (status, message, retryAfterSeconds) => ({
    error: {
      code: status,
      message,
      status: statuses[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL"),
      ...(retryAfterSeconds === undefined ? {} : { details: [retryInfo(retryAfterSeconds)] }),
    },
  }),
};

const finishReasons: Record<StopReason, string> = {
  end: "STOP",
  calls: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
};

const statuses: Record<number, string> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function retryInfo(seconds: number): object {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` };
}

function toTool(declaration: unknown): AdvertisedTool {
  return { name: stringOf(field(declaration, "name")), form: "json" };
}

function toItems(content: unknown): HistoryItem[] {
  const isModel = field(content, "role") === "model";
  return listOf(field(content, "parts")).map((part) => {
    const call = field(part, "functionCall");
    const result = field(part, "functionResponse");
    if (isRecord(call))
      return { from: "assistant", text: "", callId: idOf(call), tool: stringOf(call["name"]) };
    if (isRecord(result)) return { from: "tool", callId: idOf(result), text: resultText(result["response"]) };
    return { from: isModel ? "assistant" : "user", text: textOf(part) };
  });
}

/** Ids are optional in this API. Without one, the tool's name is used. */
function idOf(part: Record<string, unknown>): string {
  return stringOf(part["id"] ?? part["name"]);
}

function resultText(response: unknown): string {
  const text = field(response, "output") ?? field(response, "error");
  return typeof text === "string" ? text : (JSON.stringify(response) ?? "");
}

/** The last response has the finish reason and the token counts, so each response is held back until the next one. */
function* toFrames(reply: Reply): Generator<Frame> {
  let waiting: object | undefined;
  for (const piece of reply.pieces) {
    for (const next of isInterruption(piece) ? [undefined] : toParts(piece)) {
      if (waiting !== undefined) yield { kind: "data", data: response(reply, [waiting], false) };
      waiting = next;
    }
    if (isInterruption(piece)) yield piece;
  }
  yield { kind: "data", data: response(reply, [waiting ?? { text: "" }], true) };
}

function inOnePart(piece: ReplyPiece): ReplyPiece {
  return piece.kind === "say" || piece.kind === "think"
    ? { ...piece, deltas: [piece.deltas.join("")] }
    : piece;
}

function toParts(piece: ReplyPiece): object[] {
  if (isInterruption(piece)) return [];
  if (piece.kind === "say") return piece.deltas.map((text) => ({ text }));
  if (piece.kind === "think") return piece.deltas.map((text) => ({ text, thought: true }));
  const args = parseJson(piece.text);
  return isRecord(args) ? [{ functionCall: { id: piece.id, name: piece.tool, args } }] : [];
}

function response(reply: Reply, parts: readonly object[], isLast: boolean): object {
  const candidate = { content: { role: "model", parts }, index: 0 };
  const common = { modelVersion: reply.model, responseId: reply.id };
  if (!isLast) return { candidates: [candidate], ...common };
  return {
    candidates: [{ ...candidate, finishReason: finishReason(reply) }],
    usageMetadata: usageOf(reply),
    ...common,
  };
}

/** Arguments are an object in this API, so a malformed call cannot be sent. The API reports it as a finish reason. */
function finishReason(reply: Reply): string {
  const isMalformed = reply.pieces.some((piece) => piece.kind === "call" && !isRecord(parseJson(piece.text)));
  return isMalformed ? "MALFORMED_FUNCTION_CALL" : finishReasons[reply.stop];
}

/** `promptTokenCount` includes the cached tokens. Thoughts are counted separately from the candidates. */
function usageOf({ usage }: Reply): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: prompt + usage.output,
  };
}
