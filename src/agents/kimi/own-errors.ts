import type { FailureKind } from "../../events/failure.js";
import { classifyFailure } from "../../events/failure-kind.js";
import { numberIn } from "../../text/fields.js";
import type { Sink } from "../contract.js";

/** Sentences of Kimi's own (2.1.0). */
const sentences: readonly (readonly [words: RegExp, kind: FailureKind])[] = [
  [/^(?:Model "[^"\n]*" is not configured|No model configured)\b/, "config"],
  [/^Session "[^"\n]*" (?:not found|was created under a different directory)\.$/, "config"],
  [/^(?:Prompt cannot be empty\.$|Cannot (?:combine|use) --)/, "config"],
  [/^Provider safety policy blocked the response\.$/, "refusal"],
];

/** Kimi's error codes and titles. They count if the message itself does not name a cause. */
const kinds: Readonly<Record<string, FailureKind>> = {
  "provider.auth_error": "auth",
  "provider.rate_limit": "rate_limit",
  "provider.overloaded": "provider",
  "provider.connection_error": "network",
  "auth.login_required": "auth",
  "auth.token_missing": "auth",
  "auth.token_unauthorized": "auth",
  "auth.provisioning_required": "auth",
  "auth.model_not_resolved": "config",
  "model.not_configured": "config",
  "model.config_invalid": "config",
  "model.not_found": "model_not_found",
  "context.overflow": "context_overflow",
  "loop.max_steps_exceeded": "max_turns",
  "Login required": "auth",
  "No model configured": "config",
  "Invalid model configuration": "config",
  "Invalid configuration": "config",
  "Session not found": "config",
  "Context window overflow": "context_overflow",
  "Turn exceeded max steps": "max_turns",
};

/**
 * Reads the error that ends a run from standard error, the only place where Kimi reports it: `error: failed to run prompt: …`,
 * or a title, and the message after a line `message:`. Commands may print the same, so a success that follows is believed.
 */
export function createOwnErrors(): (line: string, out: Sink) => void {
  let title: string | undefined;
  let isMessage = false;

  return (line, out) => {
    if (out.run.terminal === "success") return;
    if (isMessage) {
      isMessage = false;
      return fail(line, title, out);
    }
    const [, failure, other] = /^error: (?:failed to run prompt: (.+)|(.+))$/.exec(line) ?? [];
    if (failure !== undefined) return fail(failure, undefined, out);
    if (other !== undefined) {
      title = other;
      fail(other, other, out);
    }
    isMessage = line === "message:" && title !== undefined;
  };
}

function fail(text: string, title: string | undefined, out: Sink): void {
  const [, code, words] = /^([a-z]+\.[a-z_]+): (.+)$/.exec(text) ?? [];
  const message = words ?? text;
  const status = numberIn(message, /^(?:\w+Error: )?([45]\d\d) /);
  const kind = kindOf(message, status, code ?? title ?? "");
  out.run.failure = { message, code, kind, isReported: false };
}

/** The most specific: what the message says, else what its code or its title says. */
function kindOf(message: string, status: number | undefined, name: string): FailureKind {
  const own = sentences.find(([words]) => words.test(message))?.[1];
  if (own !== undefined) return own;
  const kind = classifyFailure({ text: message, status });
  const named = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind === "unknown" ? (named ?? kind) : kind;
}
