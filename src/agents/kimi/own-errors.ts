import type { FailureKind } from "../../events/failure.js";
import type { Sink } from "../contract.js";

/** Kimi's own codes (2.1.0). The kind of any other follows from the message. */
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
};

/** Sentences without a code. */
const sentences: readonly (readonly [words: RegExp, kind: FailureKind])[] = [
  [/^Model "[^"\n]*" is not configured\b/, "config"],
  [/^Session "[^"\n]*" (?:not found|was created under a different directory)\.$/, "config"],
  [/^Provider safety policy blocked the response\.$/, "refusal"],
];

/**
 * Reads the error that ends a run from standard error, the only place where Kimi tells it: `error: failed to run prompt: …`,
 * or a title, and the message after a line `message:`. Commands may print the same, so a success that follows is believed.
 */
export function createOwnErrors(): (line: string, out: Sink) => void {
  let title: string | undefined;
  let isMessage = false;

  return (line, out) => {
    if (out.run.terminal === "success") return;
    if (isMessage) {
      isMessage = false;
      if (title !== undefined) fail(line, out);
      return;
    }
    const [, failure, other] = /^error: (?:failed to run prompt: (.+)|(.+))$/.exec(line) ?? [];
    if (failure !== undefined) return fail(failure, out);
    if (other !== undefined) {
      title = other;
      fail(other, out);
    }
    isMessage = line === "message:" && title !== undefined;
  };
}

function fail(text: string, out: Sink): void {
  const [, code, words] = /^([a-z]+\.[a-z_]+): (.+)$/.exec(text) ?? [];
  const message = words ?? text;
  const status = /^([45]\d\d) /.exec(message)?.[1];
  out.run.failure = {
    message,
    code,
    status: status === undefined ? undefined : Number(status),
    kind: kindOf(code, message),
    isReported: false,
  };
}

function kindOf(code: string | undefined, message: string): FailureKind | undefined {
  if (code !== undefined && Object.hasOwn(kinds, code)) return kinds[code];
  return sentences.find(([words]) => words.test(message))?.[1];
}
