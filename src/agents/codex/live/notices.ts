import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { Sink } from "../../contract.js";
import { readTodos } from "../../shared/todos.js";
import { errorIn } from "./failure.js";
import { announce, endTurn, type Notice, type Session } from "./session.js";
import { createTokenCount } from "./token-count.js";

export type Notices = Readonly<Record<string, (notice: Notice, out: Sink) => void>>;

/** What Codex reports of its turns, its model, its tokens and its problems. */
export function createNotices(session: Session): Notices {
  const { errors, items, speech, threads, turns } = session;

  function startTurn({ params, speaker }: Notice, out: Sink): void {
    if (speaker.parentCallId === undefined) turns.started(asText(asObject(params["turn"])?.["id"]));
    out.consume("turn/started");
  }

  function completeTurn(notice: Notice, out: Sink): void {
    const turn = asObject(notice.params["turn"]) ?? {};
    const { threadId, parentCallId } = notice.speaker;
    if (parentCallId !== undefined) {
      speech.cut(notice.speaker, out);
      items.subagentOver(threadId, turn["status"] === "completed", parentCallId, out);
      return out.consume("turn/completed: a subagent's");
    }
    if (turns.enter(asText(turn["id"]), out)) return endTurn(session, turn, notice.speaker, out);
    out.consume("turn/completed: not the running turn");
  }

  function reportError({ params, speaker }: Notice, out: Sink): void {
    const error = errorIn(params["error"]);
    if (error === undefined) return;
    const { parentCallId } = speaker;
    const isOver = parentCallId !== undefined || !turns.enter(asText(params["turnId"]), out);
    if (isOver || asFlag(params["willRetry"]) === true)
      return out.emit({ type: "warning", message: error.words, code: error.code, parentCallId });
    errors.hold({ message: error.message, code: error.code, line: out.lineNumber });
    out.consume("error: held until the turn ends, as the likely cause if it fails");
  }

  function reportPlan({ params, speaker }: Notice, out: Sink): void {
    const { parentCallId } = speaker;
    if (parentCallId === undefined && !turns.enter(asText(params["turnId"]), out))
      return out.consume("turn/plan/updated: not the running turn");
    out.plan(readTodos(params["plan"]) ?? [], { parentCallId });
    out.consume("turn/plan/updated: unchanged");
  }

  function changeModel(model: string | undefined, { speaker }: Notice, out: Sink): void {
    if (model !== undefined && speaker.parentCallId === undefined) out.session({ model });
    out.consume("the model of a thread");
  }

  return {
    "thread/started"({ params, speaker }, out) {
      if (speaker.threadId === threads.current) announce(params, session, out);
      out.consume("thread/started");
    },
    "thread/settings/updated": (notice, out) =>
      changeModel(asText(asObject(notice.params["threadSettings"])?.["model"]), notice, out),
    "model/rerouted": (notice, out) => changeModel(asText(notice.params["toModel"]), notice, out),
    "turn/started": startTurn,
    "turn/completed": completeTurn,
    "turn/plan/updated": reportPlan,
    "thread/tokenUsage/updated": createTokenCount(session),
    error: reportError,
    warning: warn,
    guardianWarning: warn,
    configWarning: warn,
    deprecationNotice: warn,
    "mcpServer/startupStatus/updated": reportServer,
    "serverRequest/resolved"({ params }, out) {
      out.live.endRequest(String(params["requestId"]), "withdrawn");
      out.consume("serverRequest/resolved");
    },
  };
}

function warn({ params, speaker }: Notice, out: Sink): void {
  const summary = asText(params["message"]) ?? asText(params["summary"]);
  if (summary === undefined) return;
  const details = asText(params["details"]);
  const message = details === undefined ? summary : `${summary}\n${details}`;
  out.emit({ type: "warning", message, parentCallId: speaker.parentCallId });
}

function reportServer({ params }: Notice, out: Sink): void {
  if (params["status"] !== "failed") return out.consume("mcpServer/startupStatus/updated");
  const reason = asText(params["error"]);
  const message = `the MCP server ${asText(params["name"]) ?? ""} did not start`;
  out.emit({ type: "warning", message: reason === undefined ? message : `${message}: ${reason}` });
}
