import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { RequestDraft, RequestOutcome } from "../../contract.js";
import type { Answer } from "../../live-contract.js";
import { endsTurn, isAllowed, isAlways } from "../../shared/answers.js";

type ToResult = (answer: Answer, params: JsonObject) => JsonValue;

/** The methods of Codex's requests to the user, with the result that stands for an answer. */
const results: Readonly<Record<string, ToResult>> = {
  "item/commandExecution/requestApproval": toDecision,
  "item/fileChange/requestApproval": toDecision,
  /** What is granted is what was asked for, or nothing. */
  "item/permissions/requestApproval": (answer, params) => ({
    permissions: isAllowed(answer) ? (params["permissions"] ?? {}) : {},
    scope: isAlways(answer) ? "session" : "turn",
  }),
  /** No answers: the model sees that the user gave none. */
  "item/tool/requestUserInput": (answer) => ({
    answers:
      "answers" in answer
        ? Object.fromEntries(
            Object.entries(answer.answers).map(([id, given]) => [id, { answers: [...given] }]),
          )
        : {},
  }),
  /** An MCP server's form, and also the permission to use an MCP tool, whose form is empty. */
  "mcpServer/elicitation/request": (answer) => {
    if ("content" in answer) return { action: "accept", content: answer.content, _meta: null };
    if (isAllowed(answer))
      return { action: "accept", content: {}, _meta: isAlways(answer) ? { persist: "session" } : null };
    return {
      action: endsTurn(answer) ? "cancel" : "decline",
      content: null,
      _meta: null,
    };
  },
};

/** The result that answers a request. Undefined: the request is not one to the user. */
export function toResult(method: string, params: JsonObject, answer: Answer): JsonValue | undefined {
  return isUserRequest(method) ? results[method]?.(answer, params) : undefined;
}

export function isUserRequest(method: string): boolean {
  return Object.hasOwn(results, method);
}

/** `cancel` also ends the turn. Neither can carry a reason. */
function toDecision(answer: Answer): JsonValue {
  if (isAllowed(answer)) return { decision: isAlways(answer) ? "acceptForSession" : "accept" };
  return { decision: endsTurn(answer) ? "cancel" : "decline" };
}

/** What a result that was sent means. `result` is undefined if an error was sent: the call then fails. */
export function outcomeOf(request: RequestDraft, result: JsonValue | undefined): RequestOutcome {
  const fields = asObject(result);
  if (fields === undefined) return "denied";
  const yes = request.kind === "permission" ? "allowed" : "answered";
  const { decision, action, answers, permissions } = fields;
  if (decision !== undefined) return isAcceptance(decision) ? yes : "denied";
  if (action !== undefined) return action === "accept" ? yes : "denied";
  return hasEntries(answers) || hasEntries(permissions) ? yes : "denied";
}

/** `accept`, `acceptForSession`, or an object that names the amendment to a policy which it accepts. */
function isAcceptance(decision: JsonValue): boolean {
  const [name, details] = Object.entries(asObject(decision) ?? {})[0] ?? [asText(decision) ?? "", undefined];
  const network = asObject(asObject(details)?.["network_policy_amendment"]);
  return name.startsWith("accept") || network?.["action"] === "allow";
}

function hasEntries(value: JsonValue | undefined): boolean {
  return Object.keys(asObject(value) ?? {}).length > 0;
}
