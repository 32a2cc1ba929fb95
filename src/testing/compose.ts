import { followUpPrefix } from "./model-request.js";
import type { Reply, ReplyCall, ReplyPiece, StopReason } from "./reply.js";
import { type Malformed, type Piece, say, type Turn, type TurnUsage } from "./scenario.js";
import { type ToolContext, toToolUses } from "./tools/to-tool-uses.js";
import type { ToolUse } from "./tools/tool-table.js";

export interface ComposeContext extends ToolContext {
  readonly model: string;
  /** Makes the ids of the answer and of its calls unique. */
  readonly id: string;
  /** For turns without their own usage. */
  readonly usage?: TurnUsage | undefined;
}

/** Turns a turn of the script into the answer to one request. Every action becomes calls of the agent's own tools. */
export function composeReply(turn: Turn, context: ComposeContext): Reply {
  const spoken = turn.pieces.flatMap((piece) => toReplyPieces(piece, context));
  const pieces = withIds(withAnswerTool(spoken, context), context);
  return {
    id: context.id,
    model: context.model,
    pieces,
    stop: turn.stop ?? stopOf(pieces),
    usage: { ...defaultUsage(pieces), ...context.usage, ...turn.usage },
  };
}

/** One call that is not in the script. Its id distinguishes it from the script's calls. */
export function composeFollowUp(use: ToolUse, context: ComposeContext): Reply {
  const reply = composeReply({ kind: "turn", pieces: [] }, context);
  const call: ReplyCall = { ...toReplyCall(use, undefined, context), id: `${followUpPrefix}${context.id}` };
  return { ...reply, pieces: [call], stop: "calls" };
}

/** Plain text, for requests outside the conversation. */
export function composeText(text: string, context: ComposeContext): Reply {
  return composeReply({ kind: "turn", pieces: [say(text)] }, context);
}

function toReplyPieces(piece: Piece, context: ToolContext): ReplyPiece[] {
  if (piece.kind !== "call") return [piece];
  return toToolUses(piece.action, context).map((use) => toReplyCall(use, piece.malformed, context));
}

function toReplyCall(use: ToolUse, malformed: Malformed | undefined, { advertised }: ToolContext): ReplyCall {
  const tool = advertised.find(({ name }) => name === use.tool);
  const form = tool?.form ?? (typeof use.input === "string" ? "freeform" : "json");
  const input = form === "json" && typeof use.input === "string" ? { input: use.input } : use.input;
  const namespace = use.namespace ?? tool?.namespace;
  return {
    kind: "call",
    id: "",
    tool: use.tool,
    ...(namespace === undefined ? {} : { namespace }),
    form,
    text: toText(typeof input === "string" ? input : JSON.stringify(input), malformed),
  };
}

function toText(input: string, malformed: Malformed | undefined): string {
  if (malformed === undefined) return input;
  return "text" in malformed ? malformed.text : input.slice(0, Math.ceil(input.length / 2));
}

/** Gemini's subagents end only when they submit their answer through a tool. */
function withAnswerTool(pieces: readonly ReplyPiece[], context: ToolContext): readonly ReplyPiece[] {
  const answer = context.table?.answer;
  const isAdvertised = context.advertised.some(({ name }) => name === answer?.tool);
  if (answer === undefined || !isAdvertised || pieces.some(({ kind }) => kind === "call")) return pieces;
  const text = pieces.flatMap((piece) => (piece.kind === "say" ? piece.deltas : [])).join("");
  return [...pieces, toReplyCall({ tool: answer.tool, input: answer.input(text) }, undefined, context)];
}

function withIds(pieces: readonly ReplyPiece[], { id }: ComposeContext): readonly ReplyPiece[] {
  let calls = 0;
  return pieces.map((piece) => (piece.kind === "call" ? { ...piece, id: `call_${id}_${calls++}` } : piece));
}

function stopOf(pieces: readonly ReplyPiece[]): StopReason {
  return pieces.some(({ kind }) => kind === "call") ? "calls" : "end";
}

function defaultUsage(pieces: readonly ReplyPiece[]): Required<TurnUsage> {
  const reasoning = pieces.some(({ kind }) => kind === "think") ? 10 : 0;
  return { input: 100, cacheRead: 20, cacheWrite: 0, output: 30, reasoning };
}
