import type { Question, RequestChoice, RequestedOperation } from "../../../events/event.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { RequestDraft, Sink } from "../../contract.js";
import { toRequested } from "../../frame/operation-drafts.js";
import { codexTools } from "../tools.js";

/** The requests of Codex, as events. */
export interface Requests {
  /** Items in the spelling of `exec`. A request for an MCP tool does not name its call, so open calls are remembered. */
  itemStarted(item: JsonObject): void;
  itemCompleted(item: JsonObject): void;
  /** Undefined for a request that is not one to the user. */
  toRequest(method: string, params: JsonObject, out: Sink): Asked | undefined;
}

type Asked = Omit<RequestDraft, "requestId" | "parentCallId">;

const yesOrNo: RequestChoice[] = ["allow", "allow_always", "deny"];

export function createRequests(): Requests {
  /** The MCP calls that run, by id. */
  const mcpCalls = new Map<string, JsonObject>();

  const handlers: Readonly<Record<string, (params: JsonObject, out: Sink) => Asked>> = {
    "item/commandExecution/requestApproval": commandRequest,
    "item/fileChange/requestApproval": fileRequest,
    "item/permissions/requestApproval": (params) => ({
      kind: "permission",
      callId: asText(params["itemId"]),
      name: "request_permissions",
      input: params["permissions"] ?? undefined,
      message: asText(params["reason"]),
      choices: yesOrNo,
    }),
    "item/tool/requestUserInput": (params) => ({
      kind: "question",
      callId: asText(params["itemId"]),
      name: "request_user_input",
      questions: (asArray(params["questions"]) ?? []).flatMap(toQuestion),
      choices: ["answer", "deny"],
    }),
    "mcpServer/elicitation/request": (params) =>
      asObject(params["_meta"])?.["codex_approval_kind"] === "mcp_tool_call"
        ? mcpRequest(params, [...mcpCalls.values()])
        : formRequest(params),
  };

  return {
    itemStarted(item) {
      const callId = asText(item["id"]);
      if (item["type"] === "mcp_tool_call" && callId !== undefined) mcpCalls.set(callId, item);
    },
    itemCompleted(item) {
      mcpCalls.delete(asText(item["id"]) ?? "");
    },
    toRequest: (method, params, out) =>
      Object.hasOwn(handlers, method) ? handlers[method]?.(params, out) : undefined,
  };
}

function commandRequest(params: JsonObject, out: Sink): Asked {
  return {
    kind: "permission",
    callId: asText(params["itemId"]),
    name: "command_execution",
    input: inputOf(params, ["command", "cwd", "networkApprovalContext", "additionalPermissions"]),
    operations: operationsOfCommand(params, out),
    message: asText(params["reason"]),
    choices: yesOrNo,
  };
}

/** Undefined if the request is about more than a command and the host that it wants to reach. */
function operationsOfCommand(params: JsonObject, out: Sink): RequestedOperation[] | undefined {
  if ((asText(params["kind"]) ?? "command") !== "command") return undefined;
  const network = asObject(params["networkApprovalContext"]);
  const host = asText(network?.["host"]);
  if (network !== undefined && host === undefined) return undefined;
  const operations = toRequested(codexTools["command_execution"]?.operations?.(params, out) ?? []);
  if (host !== undefined)
    operations.push({ type: "fetch", url: `${asText(network?.["protocol"]) ?? "https"}://${host}` });
  return operations.length === 0 ? undefined : operations;
}

/** The changes are in the item that started before. `grantRoot` asks for the whole directory. */
function fileRequest(params: JsonObject, out: Sink): Asked {
  const callId = asText(params["itemId"]);
  const call = callId === undefined ? undefined : out.call(callId);
  const root = asText(params["grantRoot"]);
  const operations = toRequested(call?.operations ?? []);
  if (root !== undefined && operations.length > 0) operations.push({ type: "write", path: root });
  return {
    kind: "permission",
    callId,
    name: "file_change",
    input: call?.input,
    operations: operations.length === 0 ? undefined : operations,
    message: asText(params["reason"]),
    choices: yesOrNo,
  };
}

/** `persist` says how long an answer can hold. It is missing if Codex is to ask every time. */
function mcpRequest(params: JsonObject, calls: readonly JsonObject[]): Asked {
  const server = asText(params["serverName"]);
  const message = asText(params["message"]);
  const meta = asObject(params["_meta"]) ?? {};
  const call = calls.find(
    (item) =>
      item["server"] === server &&
      message?.includes(`"${asText(item["tool"])}"`) !== false &&
      isSameJson(item["arguments"], meta["tool_params"]),
  );
  const tool = asText(call?.["tool"]) ?? /\btool "([^"]+)"/.exec(message ?? "")?.[1];
  const named = { server: server ?? null, tool: tool ?? null };
  const persist = asArray(meta["persist"]) ?? [meta["persist"]];
  return {
    kind: "permission",
    callId: asText(call?.["id"]),
    name: codexTools["mcp_tool_call"]?.name(named) ?? "mcp",
    input: meta["tool_params"] ?? undefined,
    operations: tool === undefined ? undefined : [{ type: "mcp", ...(server && { server }), tool }],
    message,
    choices: persist.includes("session") ? yesOrNo : ["allow", "deny"],
  };
}

function formRequest(params: JsonObject): Asked {
  const url = asText(params["url"]);
  return {
    kind: "form",
    name: asText(params["serverName"]) ?? "mcp",
    input: url === undefined ? undefined : { url },
    message: asText(params["message"]) ?? asText(params["title"]),
    schema: params["requestedSchema"] ?? undefined,
    choices: ["answer", "deny"],
  };
}

function toQuestion(value: JsonValue): Question[] {
  const fields = asObject(value);
  const id = asText(fields?.["id"]);
  if (fields === undefined || id === undefined) return [];
  const header = asText(fields["header"]);
  const options = (asArray(fields["options"]) ?? []).flatMap((option) => {
    const label = asText(asObject(option)?.["label"]);
    const description = asText(asObject(option)?.["description"]);
    return label === undefined ? [] : [{ label, ...(description !== undefined && { description }) }];
  });
  return [
    {
      id,
      question: asText(fields["question"]) ?? header ?? id,
      ...(header !== undefined && { header }),
      ...(options.length > 0 && { options }),
    },
  ];
}

/** The named fields that have a value. */
function inputOf(params: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = params[key];
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
}

function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return b === undefined || JSON.stringify(a) === JSON.stringify(b);
}
