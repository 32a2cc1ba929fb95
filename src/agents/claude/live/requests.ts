import type { Question } from "../../../events/event.js";
import { asArray, asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { RequestDraft, RequestOutcome, Sink } from "../../contract.js";
import { type ControlAnswer, type ControlRequest, returnedCalls } from "./control.js";
import { requestedOperations } from "./operations.js";

/** The tools that ask the user something instead of doing something. */
export const questionTool = "AskUserQuestion";
export const planTool = "ExitPlanMode";

/** What the agent asks, and how it ends. */
export interface ClaudeRequests {
  /** False if it is not a request that somebody is asked. */
  asked(request: ControlRequest, out: Sink): boolean;
  /** An answer was sent. */
  answered(answer: ControlAnswer, out: Sink): void;
  withdrawn(requestId: string | undefined, out: Sink): void;
  /** The result of a call ends its request, if nobody has answered it: standard input was closed. */
  returned(record: JsonObject, out: Sink): void;
  /** `task_started` names the call of a subagent. */
  taskStarted(record: JsonObject): void;
}

interface Parts {
  workspace: string | undefined;
  directoryOf(parentCallId: string | undefined): string | undefined;
}

export function createClaudeRequests({ workspace, directoryOf }: Parts): ClaudeRequests {
  /** The call that has started a subagent, by the id of the subagent. */
  const callOfAgent = new Map<string, string>();
  /** The open request of a call. */
  const requestOfCall = new Map<string, string>();

  function toolRequest({ requestId, request }: ControlRequest, out: Sink): RequestDraft {
    const name = asText(request["tool_name"]) ?? "a tool";
    const input = asObject(request["input"]) ?? {};
    const callId = asText(request["tool_use_id"]);
    const call = callId === undefined ? undefined : out.call(callId);
    const parentCallId = callOfAgent.get(asText(request["agent_id"]) ?? "") ?? call?.parentCallId;
    const common = { requestId, callId, parentCallId, name, input };
    if (name === questionTool)
      return { ...common, kind: "question", questions: questionsIn(input), choices: ["answer", "deny"] };
    // 2.1.325 leaves the plan out of the request. The call itself has it.
    const plan = asText(input["plan"]) ?? asText(asObject(call?.input)?.["plan"]);
    if (name === planTool) return { ...common, kind: "plan", message: plan, choices: ["allow", "deny"] };
    const place = { directory: directoryOf(parentCallId), workspace: workspace ?? out.cwd };
    const operations = requestedOperations(name, input, place);
    return {
      ...common,
      kind: "permission",
      ...(operations.length > 0 && { operations }),
      message: reasonOf(request, input),
      choices: ["allow", "allow_always", "deny"],
    };
  }

  return {
    asked(asked, out) {
      const draft = isTool(asked) ? toolRequest(asked, out) : formOf(asked);
      if (draft === undefined) return false;
      if (draft.callId !== undefined) requestOfCall.set(draft.callId, draft.requestId);
      out.live.request(draft);
      return true;
    },
    answered(answer, out) {
      const open = out.live.openRequest(answer.requestId);
      if (open === undefined) return;
      out.live.endRequest(answer.requestId, outcomeOf(open, answer), { message: reasonGiven(answer) });
      if (asFlag(answer.response?.["interrupt"]) === true) out.live.interruptTurn();
    },
    withdrawn(requestId, out) {
      if (requestId !== undefined) out.live.endRequest(requestId, "withdrawn");
    },
    returned(record, out) {
      for (const callId of returnedCalls(record)) {
        const requestId = requestOfCall.get(callId);
        if (requestId !== undefined) out.live.endRequest(requestId, "withdrawn");
        requestOfCall.delete(callId);
      }
    },
    taskStarted(record) {
      const agent = asText(record["task_id"]);
      const callId = asText(record["tool_use_id"]);
      if (agent !== undefined && callId !== undefined) callOfAgent.set(agent, callId);
    },
  };
}

function isTool({ subtype }: ControlRequest): boolean {
  return subtype === "can_use_tool";
}

/** Data that an MCP server asks for. */
function formOf({ requestId, subtype, request }: ControlRequest): RequestDraft | undefined {
  if (subtype !== "elicitation") return undefined;
  const name = asText(request["mcp_server_name"]) ?? "an MCP server";
  const message = [asText(request["message"]), asText(request["url"])].filter(Boolean).join("\n");
  const schema = request["requested_schema"];
  return { requestId, kind: "form", name, message: asText(message), schema, choices: ["answer", "deny"] };
}

/** Answers are given by the text of the question: Claude Code has no other id for it. */
function questionsIn(input: JsonObject): Question[] {
  return (asArray(input["questions"]) ?? []).flatMap((value) => {
    const fields = asObject(value) ?? {};
    const question = asText(fields["question"]);
    if (question === undefined) return [];
    const header = asText(fields["header"]);
    const options = (asArray(fields["options"]) ?? []).flatMap(optionOf);
    return [
      {
        id: question,
        question,
        ...(header !== undefined && { header }),
        ...(options.length > 0 && { options }),
        isMultiple: asFlag(fields["multiSelect"]) === true,
      },
    ];
  });
}

function optionOf(value: JsonValue): NonNullable<Question["options"]> {
  const fields = asObject(value) ?? {};
  const label = asText(fields["label"]);
  const description = asText(fields["description"]);
  if (label === undefined) return [];
  return [description === undefined ? { label } : { label, description }];
}

/** Why Claude Code asks, or what the model says about its call. Other descriptions repeat the input. */
function reasonOf(request: JsonObject, input: JsonObject): string | undefined {
  return asText(request["decision_reason"]) ?? asText(input["description"]);
}

function outcomeOf({ kind }: RequestDraft, { response }: ControlAnswer): RequestOutcome {
  if (kind === "form") return response?.["action"] === "accept" ? "answered" : "denied";
  if (response?.["behavior"] !== "allow") return "denied";
  if (kind !== "question") return "allowed";
  const answers = asObject(asObject(response["updatedInput"])?.["answers"]) ?? {};
  return Object.keys(answers).length > 0 ? "answered" : "denied";
}

function reasonGiven({ response, error }: ControlAnswer): string | undefined {
  return error ?? (response?.["behavior"] === "deny" ? asText(response["message"]) : undefined);
}
