import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Dialect } from "./apis/dialect.js";
import { type ComposeContext, composeFollowUp, composeReply, composeText } from "./compose.js";
import type { Conversations } from "./conversation.js";
import { parseJson } from "./json.js";
import {
  allToolResults,
  countTurns,
  type HistoryItem,
  type ModelRequest,
  newToolResults,
  openingText,
  systemText,
} from "./model-request.js";
import type { RecordedAnswer, RecordedRequest } from "./recorded-request.js";
import type { Reply } from "./reply.js";
import { respond, respondJson } from "./respond.js";
import type { HttpFault, Scenario } from "./scenario.js";
import type { Played } from "./script.js";
import { toolTables } from "./tools/index.js";
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

/** Answers one request for a model with what the script has for it, and notes down what it did. */
export async function answerModelRequest(exchange: ModelExchange): Promise<void> {
  const { dialect, record, response } = exchange;
  const asked = dialect.read(record.body, exchange.path);
  const table = tableFor(exchange.agent, asked);
  const request = { ...asked, history: asked.history.filter((item) => !isInvented(item, table)) };
  record.api = dialect.api;
  record.model = request.model;
  if (table !== undefined) record.agent = table.agent;
  record.toolResults = newToolResults(request.history);
  const next = decide(exchange, request, table);
  record.answer.kind = next.kind;
  if ("fault" in next) {
    sendError(exchange, next.fault);
    return;
  }
  noteReply(record.answer, next.reply);
  record.answer.status = 200;
  record.answer.isComplete = await respond(response, dialect, next.reply, {
    isStreaming: request.isStreaming,
    body: record.body,
  });
}

type Next =
  | { readonly kind: "fault" | "other"; readonly fault: HttpFault }
  | { readonly kind: RecordedAnswer["kind"]; readonly reply: Reply };

function decide(exchange: ModelExchange, request: ModelRequest, table: ToolTable | undefined): Next {
  const { record, scenario, conversations, headers } = exchange;
  const context: ComposeContext = {
    table,
    advertised: request.tools,
    workspace: exchange.workspace ?? workspaceOf(request, table),
    model: request.model,
    id: `side_${record.number}`,
    usage: scenario.usage,
  };
  if (isSideRequest(request))
    return { kind: "side", reply: composeText(scenario.sideAnswer ?? "Scripted title", context) };

  const conversation = conversations.of(request, headers, record.body);
  const step = countTurns(request.history);
  record.conversation = conversation.id;
  record.step = step;
  if (conversation.subagent !== undefined) record.subagent = conversation.subagent.prompt;
  const within = { ...context, id: `${conversation.id}_${step}` };
  const followUp = table?.followUp?.(allToolResults(request.history));
  if (followUp !== undefined)
    return {
      kind: "followUp",
      reply: composeFollowUp(followUp, { ...within, id: `${within.id}_${record.number}` }),
    };
  try {
    return toNext(conversation.player.play(step), within);
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

/** The table that knows most of the advertised tools. */
function tableFor(agent: ToolTable | undefined, { tools }: ModelRequest): ToolTable | undefined {
  if (agent !== undefined) return agent;
  const names = new Set(tools.map(({ name }) => name));
  let best: { table: ToolTable | undefined; known: number } = { table: undefined, known: 0 };
  for (const table of toolTables) {
    const known = table.tools.filter((name) => names.has(name)).length;
    if (known > best.known) best = { table, known };
  }
  return best.table;
}

function workspaceOf({ history }: ModelRequest, table: ToolTable | undefined): string | undefined {
  return table?.needsAbsolutePaths?.exec(`${systemText(history)}\n${openingText(history)}`)?.[1];
}

function isInvented(item: HistoryItem, table: ToolTable | undefined): boolean {
  return item.from === "assistant" && table?.inventedAnswers?.test(item.text) === true;
}

function isSideRequest({ history }: ModelRequest): boolean {
  const instructions = systemText(history).trimStart();
  return toolTables.some(({ sideRequests }) => sideRequests?.test(instructions));
}

function sendError({ dialect, record, response }: ModelExchange, fault: HttpFault): void {
  const { status, retryAfterSeconds, body = `Scripted error ${status}` } = fault;
  const content = typeof body === "string" ? dialect.error(status, body, retryAfterSeconds) : body;
  record.answer.status = status;
  record.answer.isComplete = true;
  respondJson(
    response,
    status,
    content,
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
  );
}

function noteReply(answer: RecordedAnswer, reply: Reply): void {
  answer.text = reply.pieces.flatMap((piece) => (piece.kind === "say" ? piece.deltas : [])).join("");
  answer.thinking = reply.pieces.flatMap((piece) => (piece.kind === "think" ? piece.deltas : [])).join("");
  answer.calls = reply.pieces.flatMap((piece) =>
    piece.kind === "call"
      ? [{ id: piece.id, tool: piece.tool, input: parseJson(piece.text) ?? piece.text }]
      : [],
  );
  answer.usage = reply.usage;
}
