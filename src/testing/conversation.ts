import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { field, stringOf } from "./json.js";
import { type ModelRequest, openingText, systemText } from "./model-request.js";
import type { Scenario, SubagentScript } from "./scenario.js";
import { createScriptPlayer, type ScriptPlayer } from "./script.js";

/** One conversation with the model: the main one of a run, or that of a subagent. */
export interface Conversation {
  /** Short, stable, and different for every conversation. */
  readonly id: string;
  readonly subagent?: SubagentScript;
  readonly player: ScriptPlayer;
}

export interface Conversations {
  of(request: ModelRequest, headers: IncomingHttpHeaders, body: unknown): Conversation;
}

/**
 * Distinguishes conversations by their opening, which names the workspace in most agents, and by the session id that many
 * agents send. Only faults need this: the next turn can be derived from the request alone.
 */
export function createConversations(scenario: Scenario): Conversations {
  const known = new Map<string, Conversation>();

  return {
    of(request, headers, body) {
      const opening = `${openingText(request.history)}\n${systemText(request.history)}`;
      const id = createHash("sha256")
        .update(`${sessionId(headers, body)}\n${opening}`)
        .digest("hex")
        .slice(0, 8);
      const subagent = scenario.subagents?.find(({ prompt }) => opening.includes(prompt));
      const conversation = known.get(id) ?? {
        id,
        ...(subagent === undefined ? {} : { subagent }),
        player: createScriptPlayer((subagent ?? scenario).turns),
      };
      known.set(id, conversation);
      return conversation;
    },
  };
}

const sessionHeaders = [
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-session-id",
  "x-session-affinity",
  "agent-session-id",
];

function sessionId(headers: IncomingHttpHeaders, body: unknown): string {
  const values = [...sessionHeaders.map((name) => headers[name]), field(body, "prompt_cache_key")];
  return values.map(stringOf).find((value) => value !== "") ?? "";
}
