import type {
  CreateElicitationRequest,
  PermissionOption,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { Answer, SessionRequest } from "../../agents/live-contract.js";
import type { Question } from "../../events/live-event.js";
import { describeToolCall, textContent } from "../../outputs/acp/tool-calls.js";
import { asArray, asObject, asText, isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Rpc } from "./rpc.js";

/** The client of one session, as far as it answers requests. */
export interface AskedClient {
  rpc: Pick<Rpc, "ask">;
  sessionId: string;
  cwd: string;
  /** It shows forms (`elicitation/create`). */
  hasForms: boolean;
  /** An answer may hold for the rest of the session. */
  canAlways: boolean;
  callIdOf(callId: string): string;
}

/** Brings a request of the agent to the client, and returns its answer. What the client cannot be asked is declined. */
export async function askClient(
  request: SessionRequest,
  client: AskedClient,
  withdrawn: AbortSignal,
): Promise<Answer> {
  switch (request.kind) {
    case "permission":
    case "plan":
      return askPermission(request, client, withdrawn);
    case "question":
      return askQuestions(request, client, withdrawn);
    case "form":
      return askForm(request, client, withdrawn);
  }
}

/** The choices of a request as options, in the order in which people expect them. */
const options: readonly (PermissionOption & { choice: SessionRequest["choices"][number] })[] = [
  { choice: "allow", optionId: "allow", name: "Allow", kind: "allow_once" },
  { choice: "allow_always", optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { choice: "deny", optionId: "deny", name: "Reject", kind: "reject_once" },
];

async function askPermission(
  request: SessionRequest,
  client: AskedClient,
  withdrawn: AbortSignal,
): Promise<Answer> {
  const offered = options.filter(
    ({ choice }) => request.choices.includes(choice) && (choice !== "allow_always" || client.canAlways),
  );
  const chosen = await choose(
    request,
    client,
    offered.map(({ choice: _, ...option }) => option),
    withdrawn,
  );
  if (chosen === "allow") return { allow: true };
  if (chosen === "allow_always") return { allow: true, always: true };
  return { allow: false };
}

/** Undefined: the client chose nothing. */
async function choose(
  request: SessionRequest,
  { rpc, sessionId, cwd, callIdOf }: AskedClient,
  offered: PermissionOption[],
  withdrawn: AbortSignal,
): Promise<string | undefined> {
  const { callId, requestId, message, kind, questions = [] } = request;
  const described = describeToolCall(request, cwd);
  const question = questions[0]?.question;
  const params = {
    sessionId,
    toolCall: {
      toolCallId: callId === undefined ? requestId : callIdOf(callId),
      ...described,
      status: "pending",
      ...(kind === "plan" && { kind: "switch_mode", title: "Carry out the plan" }),
      ...(question !== undefined && { kind: "other", title: question }),
      content: [...described.content, ...(message === undefined ? [] : [textContent(message)])],
    },
    options: offered,
  } satisfies RequestPermissionRequest;
  const { outcome } = await rpc.ask("session/request_permission", params, withdrawn);
  return asText(asObject(outcome)?.["optionId"]);
}

const unanswered: Answer = { decline: true, message: "the editor cannot answer this" };

async function askQuestions(
  request: SessionRequest,
  client: AskedClient,
  withdrawn: AbortSignal,
): Promise<Answer> {
  const { questions = [], message } = request;
  const [first] = questions;
  if (first === undefined) return unanswered;
  if (!client.hasForms)
    return questions.length === 1 ? askByOptions(request, first, client, withdrawn) : unanswered;
  const content = await askElicitation(
    {
      type: "object",
      properties: Object.fromEntries(questions.map((question) => [question.id, propertyOf(question)])),
      required: questions.map(({ id }) => id),
    },
    message ?? questions.map(({ question }) => question).join("\n"),
    client,
    withdrawn,
  );
  if (content === undefined) return { decline: true };
  return {
    answers: Object.fromEntries(
      questions.map(({ id }) => [id, (asArray(content[id]) ?? [content[id] ?? ""]).map(String)]),
    ),
  };
}

/** A client without forms still shows the choices of one question. */
async function askByOptions(
  request: SessionRequest,
  { id, options: labels = [] }: Question,
  client: AskedClient,
  withdrawn: AbortSignal,
): Promise<Answer> {
  if (labels.length === 0) return unanswered;
  const offered = labels.map(({ label }, index): PermissionOption => {
    return { optionId: String(index), name: label, kind: "allow_once" };
  });
  const none: PermissionOption = { optionId: "none", name: "No answer", kind: "reject_once" };
  const chosen = await choose(request, client, [...offered, none], withdrawn);
  const label = labels[Number(chosen ?? "none")]?.label;
  return label === undefined ? { decline: true } : { answers: { [id]: [label] } };
}

function propertyOf({ question, header, options: labels = [], isMultiple }: Question): JsonObject {
  const words = { title: question, ...(header !== undefined && { description: header }) };
  const names = labels.map(({ label }) => label);
  if (names.length === 0) return { type: "string", ...words };
  if (isMultiple) return { type: "array", ...words, items: { type: "string", enum: names } };
  return { type: "string", ...words, enum: names };
}

async function askForm(
  request: SessionRequest,
  client: AskedClient,
  withdrawn: AbortSignal,
): Promise<Answer> {
  const { schema, message, name } = request;
  if (!client.hasForms || !isObject(schema)) return unanswered;
  const content = await askElicitation(schema, message ?? name, client, withdrawn);
  return content === undefined ? { decline: true } : { content };
}

/** Undefined: the client declined. */
async function askElicitation(
  requestedSchema: JsonObject,
  message: string,
  { rpc, sessionId }: AskedClient,
  withdrawn: AbortSignal,
): Promise<JsonObject | undefined> {
  const params = { mode: "form", sessionId, message, requestedSchema } satisfies CreateElicitationRequest;
  const answer = await rpc.ask("elicitation/create", params, withdrawn);
  return answer["action"] === "accept" ? (asObject(answer["content"]) ?? {}) : undefined;
}
