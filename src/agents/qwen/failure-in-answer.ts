import type { FailureKind } from "../../events/failure.js";
import { asArray, asCount, asObject, numberIn } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";

/** A failure that Qwen Code prints as the text of an answer. */
export interface AnswerFailure extends FailureWords {
  /** What the model had said before it failed. */
  before: string;
}

interface FailureWords {
  message: string;
  status?: number | undefined;
  kind?: FailureKind | undefined;
}

/** `[API Error: …]`. Advice follows if a limit was the reason. */
const apiError =
  /^\[(API Error: [\s\S]*)\](\n(?:Possible quota limitations|Please wait and try again)[\s\S]*)?$/;

/** Sentences whose words alone do not say the kind. */
const ownKinds: readonly (readonly [opening: string, kind: FailureKind])[] = [
  // Node's word for a connection that ended in the middle of an answer.
  ["API Error: terminated", "network"],
  // The model was asked several times and returned nothing (0.24.4).
  ["API Error: Model stream ended with empty response", "provider"],
];

/** Qwen Code's other sentences about failures (0.22.0). A model may begin an answer with the same words. */
const openings = [
  "Quota exhausted: ",
  "Qwen OAuth quota exceeded:",
  "Qwen OAuth free tier has been discontinued",
];

/**
 * The failure that an `assistant` record reports as text. Versions up to 0.15 still exit with 0 and report a success. Newer
 * ones repeat the failure in the `result`. If the answer was cut, the failure follows the text that had arrived. Only failed
 * answers have no tokens, so only without tokens may a failure be part of the text.
 */
export function failureInAnswer(record: JsonObject): AnswerFailure | undefined {
  const message = asObject(record["message"]);
  const blocks = asArray(message?.["content"]);
  const [block] = blocks?.length === 1 ? blocks : [];
  const text = asObject(block)?.["type"] === "text" ? asObject(block)?.["text"] : undefined;
  if (typeof text !== "string") return undefined;
  const hasTokens = (asCount(asObject(message?.["usage"])?.["output_tokens"]) ?? 0) > 0;
  const whole = parseFailure(text);
  if (whole !== undefined) return { before: "", ...whole };
  if (hasTokens) return undefined;
  if (openings.some((opening) => text.startsWith(opening))) return { before: "", message: text };
  const at = text.lastIndexOf("[API Error: ");
  const last = at > 0 ? parseFailure(text.slice(at)) : undefined;
  return last && { before: text.slice(0, at), ...last };
}

/** True for a piece of text that the whole message repeats as a failure. */
export function isFailurePiece(text: string): boolean {
  return apiError.test(text) || openings.some((opening) => text.startsWith(opening));
}

/** `[API Error: 401 Incorrect API key]` without its brackets, and what it says about the kind of the failure. */
export function parseFailure(text: string): FailureWords | undefined {
  const [, words, advice = ""] = apiError.exec(text) ?? [];
  if (words === undefined) return undefined;
  return {
    message: words + advice,
    status: numberIn(words, /^API Error: ([45]\d\d) /),
    kind: ownKinds.find(([opening]) => words.startsWith(opening))?.[1],
  };
}
