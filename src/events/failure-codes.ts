import type { FailureKind } from "./failure.js";

type Codes = readonly (readonly [kind: FailureKind, codes: readonly string[]])[];

const certain: Codes = [
  [
    "auth",
    [
      "auth",
      "authentication",
      "authentication_failed",
      "authentication_error",
      "permission_error",
      "invalid_api_key",
      "unauthorized",
      "unauthenticated",
      "oauth_org_not_allowed",
      "providerautherror",
      "fatalauthenticationerror",
    ],
  ],
  ["rate_limit", ["rate_limit", "rate_limit_error", "rate_limit_exceeded", "too_many_requests", "slow_down"]],
  [
    "quota",
    [
      "billing_error",
      "billing_hard_limit_reached",
      "insufficient_quota",
      "credits_exhausted",
      "creditsexhausted",
      "usage_limit_reached",
      "usage_not_included",
      "resource_exhausted",
    ],
  ],
  ["provider", ["overloaded", "overloaded_error", "server_is_overloaded"]],
  ["model_not_found", ["model_not_found"]],
  [
    "context_overflow",
    ["prompt_too_long", "context_length_exceeded", "context_window_exceeded", "contextoverflowerror"],
  ],
  ["output_limit", ["max_output_tokens", "messageoutputlengtherror"]],
  ["max_turns", ["max_turns", "error_max_turns", "fatalturnlimitederror"]],
  ["budget", ["error_max_budget_usd"]],
  [
    "refusal",
    [
      "refusal",
      "content_filter",
      "content_policy_violation",
      "contentfiltererror",
      "cyber_policy",
      "invalid_prompt",
    ],
  ],
  [
    "cancelled",
    ["aborted", "aborted_tools", "aborted_streaming", "messageabortederror", "fatalcancellationerror"],
  ],
];

/** Codes for any trouble with the provider, lost connections included: the message says more. */
const loose: Codes = [["provider", ["server_error", "api_error", "internal", "unavailable"]]];

/** Codes that agents and providers use, in lower case, with their kinds. */
export const certainCodes = toMap(certain);

/** Codes that decide only if nothing else does. */
export const looseCodes = toMap(loose);

export function kindOfStatus(status: number | undefined): FailureKind | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 429) return "rate_limit";
  if (status === 413) return "context_overflow";
  if (status >= 500 && status <= 599) return "provider";
  return undefined;
}

function toMap(table: Codes): ReadonlyMap<string, FailureKind> {
  return new Map(table.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)));
}
