import type { FailureKind } from "../../events/failure.js";
import { asArray, asCount, asObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";

/** A failure that Qwen Code tells as the text of an answer. */
export interface ToldFailure extends FailureWords {
  /** What the model had said before. */
  before: string;
}

interface FailureWords {
  message: string;
  status?: number | undefined;
  kind?: FailureKind | undefined;
}

/** `[API Error: …]`; advice follows if a limit was the reason. */
const apiError =
  /^\[(API Error: [\s\S]*)\](\n(?:Possible quota limitations|Please wait and try again)[\s\S]*)?$/;

/** Sentences whose words alone do not tell the kind. */
const ownKinds: readonly (readonly [opening: string, kind: FailureKind])[] = [
  // What Node says of a connection that ended in the middle of an answer.
  ["API Error: terminated", "network"],
  // The model was asked several times and never said anything (0.24.4).
  ["API Error: Model stream ended with empty response", "provider"],
];

/** Other sentences of its own about failures (0.22.0). A model may begin like that, too. */
const openings = [
  "Quota exhausted: ",
  "Qwen OAuth quota exceeded:",
  "Qwen OAuth free tier has been discontinued",
];

/**
 * The failure that an `assistant` record tells. Versions up to 0.15 exit with 0 and report a success all the same; newer ones
 * repeat it in the `result`. After a cut it follows the text that had arrived. Only a failed answer has no tokens, so
 * without tokens the text need not be a failure as a whole.
 */
export function failureToldBy(record: JsonObject): ToldFailure | undefined {
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
  const status = /^API Error: ([45]\d\d) /.exec(words)?.[1];
  return {
    message: words + advice,
    status: status === undefined ? undefined : Number(status),
    kind: ownKinds.find(([opening]) => words.startsWith(opening))?.[1],
  };
}
