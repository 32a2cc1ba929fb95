import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Dialect } from "./apis/dialect.js";
import { type ComposeContext, composeFollowUp, composeReply, composeText } from "./compose.js";
import type { Conversations } from "./conversation.js";
import { parseJson } from "./json.js";
import { allToolResults, countTurns, newToolResults } from "./model-request.js";
import { type RecognisedRequest, recognise } from "./recognise.js";
import type { RecordedAnswer, RecordedRequest } from "./recorded-request.js";
import type { Reply } from "./reply.js";
import { respond, respondJson } from "./respond.js";
import type { HttpFault, Scenario } from "./scenario.js";
import type { Played } from "./script.js";
import type { ToolTable } from "./tools/tool-table.js";

export interface ModelExchange {
  readonly scenario: Scenario;
  readonly agent: ToolTable | undefined;
  readonly workspace: string | undefined;
  readonly conversations: Conversations;
  readonly dialect: Dialect;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly record: RecordedRequest;
  readonly response: ServerResponse;
}

/** Answers one model request with the next turn of the script, and records the answer. */
export async function answerModelRequest(exchange: ModelExchange): Promise<void> {
  const { dialect, record, response } = exchange;
  const request = recognise(dialect.read(record.body, exchange.path), exchange.agent);
  record.api = dialect.api;
  record.model = request.model;
  if (request.table !== undefined) record.agent = request.table.agent;
  record.toolResults = newToolResults(request.history);
  const next = decide(exchange, request);
  record.answer.kind = next.kind;
  if ("fault" in next) return sendError(exchange, next.fault);
  noteReply(record.answer, next.reply);
  await respond(response, dialect, next.reply, { isStreaming: request.isStreaming, record });
}

type Next =
  | { readonly kind: "fault" | "other"; readonly fault: HttpFault }
  | { readonly kind: RecordedAnswer["kind"]; readonly reply: Reply };

function decide(exchange: ModelExchange, request: RecognisedRequest): Next {
  const { record, scenario } = exchange;
  const context: ComposeContext = {
    table: request.table,
    advertised: request.tools,
    workspace: exchange.workspace ?? request.workspace,
    model: request.model,
    id: `side_${record.number}`,
    usage: scenario.usage,
  };
  if (!request.isSide) return decideTurn(exchange, request, context);
  return { kind: "side", reply: composeText(scenario.sideAnswer ?? "Scripted title", context) };
}

function decideTurn(exchange: ModelExchange, request: RecognisedRequest, side: ComposeContext): Next {
  const { record, conversations, headers } = exchange;
  const { id, subagent, player } = conversations.of(request, headers, record.body);
  const step = countTurns(request.history);
  record.conversation = id;
  record.step = step;
  if (subagent !== undefined) record.subagent = subagent.prompt;
  const context = { ...side, id: `${id}_${step}` };
  const use = request.table?.followUp?.(allToolResults(request.history));
  if (use !== undefined) {
    return {
      kind: "followUp",
      reply: composeFollowUp(use, { ...context, id: `${context.id}_${record.number}` }),
    };
  }
  try {
    return toNext(player.play(step), context);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    record.answer.problem = problem;
    return {
      kind: "other",
      fault: { kind: "httpError", status: 400, body: `Scripted model: ${problem}`, times: 1 },
    };
  }
}

function toNext(played: Played, context: ComposeContext): Next {
  switch (played.kind) {
    case "httpError":
      return { kind: "fault", fault: played };
    case "cutConnection":
      return {
        kind: "fault",
        reply: composeReply({ kind: "turn", pieces: [...played.pieces, { kind: "cut" }] }, context),
      };
    case "over":
      return { kind: "over", reply: composeText("The script is over.", context) };
    case "turn":
      return { kind: "turn", reply: composeReply(played.turn, context) };
  }
}

function sendError({ dialect, record, response }: ModelExchange, fault: HttpFault): void {
  const { status, retryAfterSeconds, body = `Scripted error ${status}` } = fault;
  const content = typeof body === "string" ? dialect.error(status, body, retryAfterSeconds) : body;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  respondJson(response, status, content, record.answer, headers);
}

function noteReply(answer: RecordedAnswer, { pieces, usage }: Reply): void {
  answer.text = pieces.flatMap((piece) => (piece.kind === "say" ? piece.deltas : [])).join("");
  answer.thinking = pieces.flatMap((piece) => (piece.kind === "think" ? piece.deltas : [])).join("");
  answer.calls = pieces.flatMap((piece) => {
    if (piece.kind !== "call") return [];
    return [{ id: piece.id, tool: piece.tool, input: parseJson(piece.text) ?? piece.text }];
  });
  answer.usage = usage;
}
