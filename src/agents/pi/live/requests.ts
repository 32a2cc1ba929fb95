import type { RequestedOperation } from "../../../events/event.js";
import { asArray, asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { RequestDraft, RequestOutcome, Sink } from "../../contract.js";
import { toRequested } from "../../frame/operation-drafts.js";
import { operationsOf } from "../tools.js";
import { permissionMark } from "./permission-extension.js";

/** The id of the one question of a dialog, and the answers to a `confirm`. */
export const answerId = "answer";
export const yes = "Yes";
const no = "No";

/** What a dialog of an extension is, as the peer has to answer it. */
export type DialogKind = "permission" | "confirm" | "select" | "input" | "editor";

const dialogs: ReadonlySet<string> = new Set<DialogKind>(["confirm", "select", "input", "editor"]);

/** Undefined for what needs no answer: notifications, the status line, widgets, the title. */
export function dialogKindOf(record: JsonObject): DialogKind | undefined {
  const method = asText(record["method"]) ?? "";
  if (!dialogs.has(method)) return undefined;
  return permissionOf(record) === undefined ? (method as DialogKind) : "permission";
}

/** Requests of extensions that need no answer. */
export const announcements: ReadonlySet<string> = new Set([
  "notify",
  "setStatus",
  "setWidget",
  "setTitle",
  "set_editor_text",
]);

/** The question of our own extension, out of the title of its dialog. */
function permissionOf(record: JsonObject): JsonObject | undefined {
  const title = asText(record["title"]) ?? "";
  if (record["method"] !== "input" || !title.startsWith(`{"${permissionMark}":`)) return undefined;
  const question = asObject(parseJson(title));
  return question?.[permissionMark] === "permission" ? question : undefined;
}

/**
 * Opens the request of a dialog. `running`: the names of the calls that run, by id. If it is only one, that call asks.
 * Undefined if the record is not a dialog.
 */
export function openDialog(
  record: JsonObject,
  running: ReadonlyMap<string, string>,
  out: Sink,
): RequestDraft | undefined {
  const requestId = asText(record["id"]);
  const kind = dialogKindOf(record);
  if (requestId === undefined || kind === undefined) return undefined;
  const request =
    kind === "permission" ? permission(requestId, record, out) : question(requestId, record, running);
  out.live.request(request);
  return request;
}

function permission(requestId: string, record: JsonObject, out: Sink): RequestDraft {
  const asked = permissionOf(record) ?? {};
  const name = asText(asked["name"]) ?? "tool";
  const { input } = asked;
  const operations = [...toRequested(operationsOf(name, input, out.cwd)), ...operationOfMcp(name)];
  return {
    requestId,
    kind: "permission",
    callId: asText(asked["callId"]),
    name,
    input,
    operations: operations.length > 0 ? operations : undefined,
    choices: ["allow", "allow_always", "deny"],
  };
}

/** 1.4.0 names the tools of MCP servers `mcp__server__tool`. */
function operationOfMcp(name: string): RequestedOperation[] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? [] : [{ type: "mcp", server, tool }];
}

function question(requestId: string, record: JsonObject, running: ReadonlyMap<string, string>): RequestDraft {
  const [only] = running.size === 1 ? [...running] : [];
  const labels =
    record["method"] === "confirm" ? [yes, no] : asArray(record["options"])?.flatMap((o) => asText(o) ?? []);
  const options = labels?.map((label) => ({ label }));
  const prefill = asText(record["prefill"]) ?? asText(record["placeholder"]);
  return {
    requestId,
    kind: "question",
    callId: only?.[0],
    name: only?.[1] ?? "extension",
    message: asText(record["message"]),
    input: prefill,
    questions: [{ id: answerId, question: asText(record["title"]) ?? "", ...(options && { options }) }],
    choices: ["answer", "deny"],
  };
}

interface Outcome {
  outcome: RequestOutcome;
  /** The reason of a denial. */
  message?: string | undefined;
  /** The input that the call gets instead of its own. */
  input?: JsonObject | undefined;
}

/**
 * How an answer ends its request. A dialog that is dismissed because the turn is interrupted was not answered by
 * anybody.
 */
export function outcomeOf(response: JsonObject, request: RequestDraft, isInterrupted: boolean): Outcome {
  if (asFlag(response["cancelled"]) === true) return { outcome: isInterrupted ? "withdrawn" : "denied" };
  if (request.kind !== "permission") return { outcome: "answered" };
  const reply = asObject(parseJson(asText(response["value"]) ?? "")) ?? {};
  if (reply["allow"] === true) return { outcome: "allowed", input: asObject(reply["input"]) };
  return { outcome: "denied", message: asText(reply["message"]) };
}
