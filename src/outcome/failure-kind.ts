import type { FailureKind } from "../vocabulary/failure.js";

/** What is known of a failure: the agent's own code, an HTTP status, and its words. */
export interface FailureEvidence {
  code?: string | undefined;
  status?: number | undefined;
  text?: string | undefined;
}

/**
 * The kind of a failure, by meaning. The agent's code is the most specific witness, then what the
 * text says beyond doubt, then the HTTP status, then weaker words.
 */
export function classifyFailure(evidence: FailureEvidence): FailureKind {
  const text = evidence.text ?? "";
  return (
    kindOfCode(evidence.code) ??
    kindOfText(text, certainWords) ??
    kindOfStatus(evidence.status ?? statusInText(text)) ??
    kindOfText(text, likelyWords) ??
    "unknown"
  );
}

function kindOfCode(code: string | undefined): FailureKind | undefined {
  if (code === undefined) return undefined;
  return codes[code.toLowerCase()];
}

function kindOfStatus(status: number | undefined): FailureKind | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 429) return "rate_limit";
  if (status === 413) return "context_overflow";
  if (status >= 500 && status <= 599) return "provider";
  return undefined;
}

function kindOfText(
  text: string,
  words: readonly (readonly [RegExp, FailureKind])[],
): FailureKind | undefined {
  for (const [pattern, kind] of words) if (pattern.test(text)) return kind;
  return undefined;
}

/** An HTTP status that the text names as one: "API Error: 500 …", "unexpected status 401 …", "HTTP 503". */
function statusInText(text: string): number | undefined {
  const match = /\b(?:status(?:\s*code)?|http(?:\/\d(?:\.\d)?)?|(?:api )?error)[:=\s]+\(?([45]\d\d)\b/i.exec(
    text,
  );
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Codes that agents and providers use, in lower case. */
const codes: Record<string, FailureKind> = {
  authentication_failed: "auth",
  authentication_error: "auth",
  permission_error: "auth",
  invalid_api_key: "auth",
  unauthorized: "auth",
  oauth_org_not_allowed: "auth",
  rate_limit: "rate_limit",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  too_many_requests: "rate_limit",
  billing_error: "quota",
  insufficient_quota: "quota",
  credits_exhausted: "quota",
  overloaded: "provider",
  overloaded_error: "provider",
  model_not_found: "model_not_found",
  max_output_tokens: "output_limit",
  prompt_too_long: "context_overflow",
  context_length_exceeded: "context_overflow",
  contextoverflowerror: "context_overflow",
  error_max_turns: "max_turns",
  max_turns: "max_turns",
  error_max_budget_usd: "budget",
  refusal: "refusal",
  aborted: "cancelled",
  aborted_tools: "cancelled",
  aborted_streaming: "cancelled",
  providerautherror: "auth",
  messageabortederror: "cancelled",
  messageoutputlengtherror: "output_limit",
  contentfiltererror: "refusal",
  resource_exhausted: "quota",
  unauthenticated: "auth",
  fatalturnlimitederror: "max_turns",
  fatalauthenticationerror: "auth",
  fatalcancellationerror: "cancelled",
  auth: "auth",
  context_window_exceeded: "context_overflow",
};

/** Words that leave no doubt, whatever the status: providers send 400 or 429 for many of these. */
const certainWords: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /prompt (?:is )?too long|context (?:window|length)|maximum context|input (?:is )?too (?:long|large)|too many tokens|context_length_exceeded/i,
    "context_overflow",
  ],
  [
    /quota exceeded|exhausted your (?:\w+ )?quota|insufficient (?:quota|credit|balance|funds)|out of credits?|credit balance|credits? (?:are )?exhausted|check your plan and billing|billing|usage limit|payment required|upgrade (?:your plan|to)/i,
    "quota",
  ],
  [/session limit|rate.?limit|too many requests/i, "rate_limit"],
  [
    /usage policy|content policy|violates? (?:our|the) |refused to (?:answer|respond)|unable to respond to this request/i,
    "refusal",
  ],
  [
    /output token maximum|max_output_tokens|maximum output tokens|output (?:length|token) limit/i,
    "output_limit",
  ],
  [/max(?:imum)?(?: number of)? (?:turns|iterations)|max_iterations|turn limit/i, "max_turns"],
  [/maximum budget|max(?:imum)? cost|budget (?:exceeded|limit)/i, "budget"],
  [
    /issue with the selected model|model .{0,80}(?:does not exist|not found|not exist|is not supported|not available|is unknown)|(?:unknown|invalid|no such|unsupported) model|model_not_found|ProviderModelNotFound/i,
    "model_not_found",
  ],
  [
    /invalid api key|incorrect api key|api key (?:is )?(?:missing|invalid|required|not)|no api key|missing (?:an )?api key|missing environment variable: `?\w*(?:key|token)|must specify the \w*(?:key|token)\w* environment variable|invalid auth method|not (?:logged|signed) in|authentication (?:required|failed|error)|please (?:run \S+ )?log ?in|unauthorized|invalid x-api-key|could not resolve authentication|no auth/i,
    "auth",
  ],
  [
    /(?:no (?:conversation|session|rollout|thread|task)|session|conversation|thread) (?:was )?(?:not )?found|no rollout found|session .{0,60}not found|unknown session|no such session|invalid session identifier|workspace trust required|licen[cs]e agreement is required|not (?:running )?in a trusted (?:directory|folder|workspace)/i,
    "config",
  ],
];

const likelyWords: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /overloaded|at capacity|high demand|internal server error|service unavailable|bad gateway|server_error|server error|temporarily unavailable|empty response/i,
    "provider",
  ],
  [
    /econn\w*|enotfound|eai_again|epipe|etimedout|socket hang up|connection (?:was )?(?:refused|failed|closed|reset|error|lost)|unable to connect|cannot connect|can't connect|could not connect|stream disconnected|network error|fetch failed|dns|error sending request|transport error|connect error|terminated/i,
    "network",
  ],
  [/\brun timed out after \d/i, "timed_out"],
  [
    /permission (?:was )?denied by|rejected permission|permission (?:request )?(?:was )?rejected|not approved/i,
    "permission",
  ],
  [
    /unknown (?:or disabled )?(?:option|argument|flag|command|provider)|requires a prompt|bad option|unexpected argument|unrecognized (?:option|argument|subcommand)|invalid (?:value|option|argument|configuration|config)|error loading config|config(?:uration)? error|cannot be used with|must be provided|no provider|required option|missing required/i,
    "config",
  ],
  [
    /request interrupted by user|run interrupted|interrupted by (?:the )?user|aborted by user|operation (?:was )?(?:aborted|cancelled|canceled)|\baborted\b/i,
    "cancelled",
  ],
];
