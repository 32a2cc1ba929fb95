import type { Question, RequestChoice } from "../../../events/event.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { RequestOutcome, Sink } from "../../contract.js";
import type { AcpAgent } from "./agent.js";
import type { AcpCalls } from "./calls.js";
import { requestedOperations } from "./operations.js";
import { questionsOf } from "./questions.js";
import { keyOf, type WireId } from "./wire.js";

/** What the agent asks for: permissions, and data for forms. */
export interface AcpRequests {
  /** `session/request_permission` */
  permission(id: WireId, params: JsonObject, out: Sink): void;
  /** `elicitation/create` */
  elicitation(id: WireId, params: JsonObject, out: Sink): void;
  /** Our answer. False if the id is not that of an open request. */
  answered(id: WireId, answer: JsonObject | undefined, out: Sink): boolean;
}

interface Asked {
  callId?: string | undefined;
  /** The kinds of the options, by their ids. Only a question for permission has options. */
  options?: ReadonlyMap<string, string>;
}

/** How requests are named in events and in answers to them. */
export function requestIdOf(id: WireId): string {
  return String(id);
}

export function createAcpRequests(agent: AcpAgent, calls: AcpCalls): AcpRequests {
  const open = new Map<string, Asked>();

  return {
    permission(id, params, out) {
      const asked = calls.asked(asObject(params["toolCall"]) ?? {}, out);
      if (asked === undefined) return;
      const { call, fields, operations } = asked;
      const options = optionsIn(params["options"]);
      open.set(keyOf(id), { callId: call.callId, options });
      const plan = fields.kind === "switch_mode" ? asText(asObject(fields.input)?.["plan"]) : undefined;
      out.live.request({
        requestId: requestIdOf(id),
        kind: plan === undefined ? "permission" : "plan",
        callId: call.callId,
        parentCallId: call.parentCallId,
        name: call.name,
        operations: requestedOperations(call.name, fields, operations),
        input: fields.input ?? call.input,
        message: plan ?? fields.title,
        choices: choicesOf(new Set(options.values()), agent),
      });
    },
    elicitation(id, params, out) {
      const callId = asText(params["toolCallId"]);
      const schema = params["requestedSchema"];
      if (params["mode"] !== undefined && params["mode"] !== "form") return;
      open.set(keyOf(id), { callId });
      const questions: Question[] | undefined =
        callId === undefined ? undefined : questionsOf(schema, asText(params["message"]));
      out.live.request({
        requestId: requestIdOf(id),
        kind: questions === undefined ? "form" : "question",
        callId,
        name: (callId === undefined ? undefined : out.call(callId)?.name) ?? "elicitation",
        message: asText(params["message"]),
        questions,
        schema,
        choices: ["answer", "deny"],
      });
    },
    answered(id, answer, out) {
      const asked = open.get(keyOf(id));
      if (asked === undefined) return false;
      open.delete(keyOf(id));
      const outcome = asked.options === undefined ? outcomeOfForm(answer) : outcomeOf(answer, asked.options);
      if (outcome === "denied" && asked.callId !== undefined) calls.refused(asked.callId);
      out.live.endRequest(requestIdOf(id), outcome);
      out.consume("answer to a request");
      return true;
    },
  };
}

function optionsIn(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const part of asArray(value) ?? []) {
    const option = asObject(part);
    const id = asText(option?.["optionId"]);
    const kind = asText(option?.["kind"]);
    if (id !== undefined && kind !== undefined) options.set(id, kind);
  }
  return options;
}

/** A request can always be denied: an agent without an option for that takes `cancelled`. */
function choicesOf(kinds: ReadonlySet<string>, { facts }: AcpAgent): RequestChoice[] {
  const hasAlways = kinds.has("allow_always") && facts.hasBroadAlways !== true;
  return [
    ...(kinds.has("allow_once") ? (["allow"] as const) : []),
    ...(hasAlways ? (["allow_always"] as const) : []),
    "deny",
  ];
}

function outcomeOf(answer: JsonObject | undefined, options: ReadonlyMap<string, string>): RequestOutcome {
  const outcome = asObject(answer?.["outcome"]);
  if (outcome?.["outcome"] !== "selected") return "withdrawn";
  const kind = options.get(asText(outcome["optionId"]) ?? "");
  return kind?.startsWith("allow_") ? "allowed" : "denied";
}

function outcomeOfForm(answer: JsonObject | undefined): RequestOutcome {
  if (answer?.["action"] === "accept") return "answered";
  return answer?.["action"] === "decline" ? "denied" : "withdrawn";
}
