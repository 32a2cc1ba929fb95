import { asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";
import type { LiveTask, SentNote } from "../../live-contract.js";
import type { ServeDialect } from "./dialect.js";
import { errorWords, isGood, type ServerLine } from "./lines.js";
import { askingRules, type PermissionRule, readOnlyRules } from "./permission-rules.js";

export type HttpAnswer = ServerLine & { kind: "answer" };

/** Sends a request. `done` gets its answer. */
export type Ask = (
  request: { method: string; path: readonly string[]; body?: JsonValue; note?: SentNote },
  done?: (answer: HttpAnswer) => void,
) => void;

interface Handshake {
  ask: Ask;
  task: LiveTask;
  dialect: ServeDialect;
}

type Opened = { sessionId: string } | { failure: string };

/**
 * Creates the session, or finds the one to go on with, and gives it its rules for permissions. A session that asks first reads
 * what the rules of the server's agents allow, and which MCP servers there are: the mapping names their tools by it.
 */
export function openServeSession(parts: Handshake, done: (opened: Opened) => void): void {
  const { ask, task, dialect } = parts;
  if (task.permissions === "full-access") return openWith(parts, undefined, done);
  if (task.permissions === "read-only") return openWith(parts, readOnlyRules(dialect.readOnly), done);
  ask({ method: "GET", path: ["mcp"] });
  ask({ method: "GET", path: ["agent"] }, ({ status, body }) => {
    openWith(parts, askingRules(isGood(status) ? body : undefined), done);
  });
}

function openWith(
  { ask, task }: Handshake,
  rules: readonly PermissionRule[] | undefined,
  done: (opened: Opened) => void,
): void {
  const permission: JsonValue | undefined = rules?.map((rule) => ({ ...rule }));
  const body = permission === undefined ? {} : { permission };
  const finish = (answer: HttpAnswer): void => {
    const sessionId = asText(asObject(answer.body)?.["id"]);
    if (isGood(answer.status) && sessionId !== undefined) return done({ sessionId });
    const what =
      task.resume === undefined ? "the session was not created" : `cannot go on with ${task.resume}`;
    done({ failure: `${what}: ${errorWords(answer) || `the server answered ${answer.status}`}` });
  };
  if (task.resume === undefined) return ask({ method: "POST", path: ["session"], body }, finish);
  const path = ["session", task.resume];
  if (permission === undefined) ask({ method: "GET", path }, finish);
  else ask({ method: "PATCH", path, body }, finish);
}
