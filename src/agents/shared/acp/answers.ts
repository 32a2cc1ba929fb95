import type { CreateElicitationResponse, RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Answer } from "../../live-contract.js";
import { contentOf } from "./questions.js";

/** The answer to an open request when its turn is interrupted, by the request's method. Most agents wait for it for ever. */
export const withdrawals: Readonly<Record<string, object>> = {
  "session/request_permission": { outcome: { outcome: "cancelled" } } satisfies RequestPermissionResponse,
  "elicitation/create": { action: "cancel" } satisfies CreateElicitationResponse,
};

/**
 * The answer to a question for permission. Options are chosen by their kind, since their ids differ from agent to agent. An answer
 * never allows more than it says: without an option for this one time, it is a refusal.
 */
export function answerToPermission(params: JsonObject, answer: Answer, isFullAccess: boolean): object {
  const kinds = wantedKinds(answer, isFullAccess);
  const options = (asArray(params["options"]) ?? []).map(asObject);
  for (const kind of kinds) {
    const optionId = asText(options.find((option) => option?.["kind"] === kind)?.["optionId"]);
    if (optionId !== undefined)
      return { outcome: { outcome: "selected", optionId } } satisfies RequestPermissionResponse;
  }
  return { outcome: { outcome: "cancelled" } } satisfies RequestPermissionResponse;
}

function wantedKinds(answer: Answer, isFullAccess: boolean): readonly string[] {
  if (!("allow" in answer) || !answer.allow) return ["reject_once", "reject_always"];
  if (answer.always) return ["allow_always", "allow_once"];
  return isFullAccess ? ["allow_once", "allow_always"] : ["allow_once", "reject_once"];
}

/** The answer to `elicitation/create`. */
export function answerToForm(params: JsonObject, answer: Answer): object {
  if ("answers" in answer)
    return { action: "accept", content: contentOf(params["requestedSchema"], answer.answers) };
  if ("content" in answer) return { action: "accept", content: toContent(answer.content) };
  return { action: "decline" } satisfies CreateElicitationResponse;
}

function toContent(content: JsonValue): JsonObject {
  return asObject(content) ?? {};
}
