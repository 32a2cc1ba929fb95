import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { RequestOutcome, Sink } from "../../contract.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { callIdOf, permissionDraft, questionDraft } from "./request-drafts.js";
import type { Thread } from "./threads.js";
import type { ToolCalls } from "./tool-calls.js";

/** What the agent asks its user: for permission, and questions. */
export interface Requests {
  permissionAsked(asked: JsonObject, thread: Thread, out: Sink): void;
  questionAsked(asked: JsonObject, thread: Thread, out: Sink): void;
  /** A call is known now: requests that waited for it are emitted. */
  callKnown(out: Sink): void;
  /** Emits what still waits. */
  release(out: Sink): void;
  /** Harness answered. */
  answered(requestId: string, outcome: RequestOutcome, message: string | undefined, out: Sink): void;
  /** The server reports that a request is settled. If harness did not answer it, it was withdrawn. */
  settled(requestId: string, out: Sink): void;
  /** The MCP servers by name, as the server lists them. */
  mcpServers(names: readonly string[]): void;
  turnEnded(): void;
}

interface Held {
  asked: JsonObject;
  thread: Thread;
  requestId: string;
}

/**
 * The request for permission may come a moment before the part that has the call's input (OpenCode 1.18.33, Kilo 7.7.9). It waits for
 * that part, since the request itself does not say everything: not the directory of a command, and not the path of a read.
 */
export function createRequests(dialect: Dialect, calls: ToolCalls): Requests {
  const held = new Map<string, Held>();
  let servers: readonly string[] = [];

  function emit({ asked, thread, requestId }: Held, out: Sink): void {
    held.delete(requestId);
    const call = calls.find(thread.id, callIdOf(asked));
    const draft = permissionDraft(requestId, asked, { call, tools: dialect.tools, servers, cwd: out.cwd });
    out.live.request({ ...draft, parentCallId: thread.parentCallId });
  }

  const isKnown = ({ asked, thread }: Held): boolean => {
    const callId = callIdOf(asked);
    return callId === undefined || calls.find(thread.id, callId) !== undefined;
  };

  return {
    permissionAsked(asked, thread, out) {
      const requestId = asText(asked["id"]);
      if (requestId === undefined) return out.emit({ type: "unknown", raw: asked });
      const one = { asked, thread, requestId };
      if (isKnown(one)) return emit(one, out);
      held.set(requestId, one);
      out.consume("permission.asked: waits for its call");
    },
    questionAsked(asked, thread, out) {
      const draft = questionDraft(asked);
      if (draft === undefined) return out.emit({ type: "unknown", raw: asked });
      out.live.request({ ...draft, parentCallId: thread.parentCallId });
    },
    callKnown(out) {
      for (const one of [...held.values()]) if (isKnown(one)) emit(one, out);
    },
    release(out) {
      for (const one of [...held.values()]) emit(one, out);
    },
    answered(requestId, outcome, message, out) {
      const one = held.get(requestId);
      if (one !== undefined) emit(one, out);
      out.live.endRequest(requestId, outcome, { message });
    },
    settled(requestId, out) {
      held.delete(requestId);
      if (out.live.openRequest(requestId) === undefined)
        return out.consume("request: its end was reported with the answer");
      out.live.endRequest(requestId, "withdrawn");
    },
    mcpServers(names) {
      servers = names;
    },
    turnEnded: () => held.clear(),
  };
}
