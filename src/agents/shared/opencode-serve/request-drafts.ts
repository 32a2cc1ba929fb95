import type { Question, RequestedOperation } from "../../../events/event.js";
import { asArray, asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { RequestDraft } from "../../contract.js";
import { toRequested } from "../../frame/operation-drafts.js";
import type { ReadCall } from "../opencode-stream/calls.js";
import { operationsOf } from "../opencode-stream/operations.js";
import type { ToolTable } from "../tool-table.js";

/** What is known besides the request itself. */
export interface Surroundings {
  /** The call that needs the permission. */
  call: ReadCall | undefined;
  tools: ToolTable;
  /** The names of the MCP servers. */
  servers: readonly string[];
  cwd: string | undefined;
}

/** The call that a request belongs to. */
export function callIdOf(asked: JsonObject): string | undefined {
  return asText(asObject(asked["tool"])?.["callID"]);
}

/** If the call is not known, the request says in `metadata` what it would do, as far as it does. */
export function permissionDraft(
  requestId: string,
  asked: JsonObject,
  surroundings: Surroundings,
): RequestDraft {
  const { call } = surroundings;
  const permission = asText(asked["permission"]) ?? "permission";
  const name = call?.name ?? permission;
  const metadata = asObject(asked["metadata"]) ?? {};
  const operations = requestedOperations({ name, input: call?.input ?? metadata, metadata }, surroundings);
  const patterns = (asArray(asked["patterns"]) ?? []).flatMap((pattern) => asText(pattern) ?? []);
  return {
    requestId,
    kind: "permission",
    callId: callIdOf(asked),
    name,
    input: call?.given ?? metadata,
    operations: operations.length > 0 ? operations : undefined,
    message: asides.has(permission) ? `${permission}: ${patterns.join(", ")}` : undefined,
    choices: asArray(asked["always"])?.length ? ["allow", "allow_always", "deny"] : ["allow", "deny"],
  };
}

/** Permissions that are needed besides that of the tool itself: a path outside the project, the same call again and again. */
const asides: ReadonlySet<string> = new Set(["external_directory", "doom_loop"]);

/** Tools that reach the network. Their input may say where. */
const networkTools: ReadonlySet<string> = new Set(["webfetch", "websearch"]);

type Requested = Pick<ReadCall, "name" | "input" | "metadata">;

/** What the call would do, by the table of tools that also describes finished calls. */
function requestedOperations(
  requested: Requested,
  { tools, servers, cwd }: Surroundings,
): RequestedOperation[] {
  const { name, input } = requested;
  if (networkTools.has(name)) {
    const url = asText(input["url"]);
    return [{ type: "fetch", ...(url !== undefined && { url }) }];
  }
  const server = servers.find((one) => name.startsWith(`${toolPrefix(one)}_`));
  if (server !== undefined) return [{ type: "mcp", server, tool: name.slice(toolPrefix(server).length + 1) }];
  const notYet = {
    callId: "",
    isSuccess: undefined,
    exitCode: undefined,
    isInBackground: false,
    error: undefined,
  };
  return toRequested(operationsOf({ ...notYet, ...requested }, tools, cwd));
}

/** How the tools of an MCP server are named: the server's name without special characters comes first. */
function toolPrefix(server: string): string {
  return server.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** Questions have no ids of their own: answers are given in their order. */
export function questionDraft(asked: JsonObject): RequestDraft | undefined {
  const requestId = asText(asked["id"]);
  const questions = (asArray(asked["questions"]) ?? []).flatMap((question, index) =>
    toQuestion(asObject(question) ?? {}, String(index)),
  );
  if (requestId === undefined || questions.length === 0) return undefined;
  const callId = callIdOf(asked);
  return { requestId, kind: "question", callId, name: "question", questions, choices: ["answer", "deny"] };
}

function toQuestion(fields: JsonObject, id: string): Question {
  const header = asText(fields["header"]);
  const isMultiple = asFlag(fields["multiple"]);
  const options = asArray(fields["options"])?.flatMap(toOption);
  return {
    id,
    question: asText(fields["question"]) ?? "",
    ...(header !== undefined && { header }),
    ...(options !== undefined && { options }),
    ...(isMultiple !== undefined && { isMultiple }),
  };
}

function toOption(value: JsonValue): NonNullable<Question["options"]> {
  const fields = asObject(value) ?? {};
  const label = asText(fields["label"]) ?? asText(value);
  const description = asText(fields["description"]);
  if (label === undefined) return [];
  return [{ label, ...(description !== undefined && { description }) }];
}
