import type { FailureKind } from "../../events/failure.js";
import type { Sink } from "../contract.js";

/** A text from the assistant, before it is known whether Goose or the model wrote it. */
export interface Utterance {
  text: string;
  messageId: string | undefined;
  /** `metadata.inference` is set: a model wrote it. */
  hasInference: boolean;
}

/**
 * The messages of Goose itself when it gives up, from 1.19 to 1.52. They are recognised by their beginning. Where an answer
 * could begin the same way, the end must match too.
 */
const givingUp = [
  /^I've reached the maximum number of actions I can do without user input/,
  /^Retry logic encountered an error: /,
  /^Maximum retry attempts \(\d+\) exceeded\. Unable to complete the task successfully\.$/,
  /^A tool call could not be parsed — the response may have been truncated\. Try breaking the task into smaller steps/,
  /^(?:Ran into this error|Network error)\b[\s\S]*Please (?:retry if you think this is a transient or recoverable error\.|resend your message to (?:try again|continue)\.|try again or create a new session)$/,
  /^The model returned an empty response\. Please resend your message to (?:try again|continue)\.$/,
];

/** A notice with which Goose ends the run, although it exits 0 (1.52.0: the context is too long even after compaction). */
export function isLastNotice(message: string): boolean {
  return message.startsWith("Unable to continue: ");
}

/** Ids that Goose generates for messages that no model wrote. Ids of providers have no hyphens. */
const ownId = /^msg_[0-9a-f]{8}-[0-9a-f]{4}-/;

/** True for the messages with which Goose, or one of its subagents, reports that it gave up. */
export function isGivingUp(text: string): boolean {
  const words = text.trimEnd();
  return givingUp.some((pattern) => pattern.test(words));
}

/**
 * Returns a function that is true if Goose wrote a text, not the model: Goose reports failures as assistant text and still
 * exits 0. Since May 2026 the model's messages carry `metadata.inference`. In a stream without it, an id that Goose
 * generated or its own phrases decide.
 */
export function createVoices(): (utterance: Utterance) => boolean {
  let knowsInference = false;
  return ({ text, messageId, hasInference }) => {
    knowsInference ||= hasInference;
    if (hasInference) return false;
    return knowsInference || ownId.test(messageId ?? "") || isGivingUp(text);
  };
}

/** Reports a failure once: Goose prints it as text or block, as an `error` record, and on standard error. */
export function fail(
  message: string,
  about: { code?: string | undefined; kind?: FailureKind },
  out: Sink,
): void {
  if (out.run.failure?.message === message) return out.consume("error: already reported");
  const kind = /^I've reached the maximum number of actions/.test(message) ? "max_turns" : about.kind;
  out.run.failure = { message, code: about.code, kind, isReported: true };
  out.emit({ type: "error", message, code: about.code });
}
