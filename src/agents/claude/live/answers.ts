import { asObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Answer } from "../../live-contract.js";
import type { ControlRequest } from "./control.js";

/** The answer to a request of the agent, in its own form. */
export function responseTo({ subtype, request }: ControlRequest, answer: Answer): JsonObject {
  if (subtype === "elicitation") return formResponse(answer);
  const input = asObject(request["input"]) ?? {};
  if ("answers" in answer) return allow({ ...input, answers: joined(answer.answers) });
  if ("content" in answer) return allow({ ...input, ...asObject(answer.content) });
  if ("decline" in answer) return deny(answer.message ?? "The user does not want to answer.");
  // The input is required, also if it stays as it was.
  if (answer.allow) return allow(asObject(answer.input) ?? input);
  const { message = "The user does not allow this.", interrupt } = answer;
  return { ...deny(message), ...(interrupt && { interrupt: true }) };
}

function formResponse(answer: Answer): JsonObject {
  return "content" in answer ? { action: "accept", content: answer.content } : { action: "decline" };
}

function allow(updatedInput: JsonObject): JsonObject {
  return { behavior: "allow", updatedInput };
}

function deny(message: string): JsonObject {
  return { behavior: "deny", message };
}

/** The question's text is the key. Several answers to one question are one text. */
function joined(answers: Readonly<Record<string, readonly string[]>>): JsonObject {
  return Object.fromEntries(Object.entries(answers).map(([question, given]) => [question, given.join(", ")]));
}
