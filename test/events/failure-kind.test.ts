import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FailureKind, failureKinds } from "../../src/events/failure.js";
import { classifyFailure, type FailureEvidence } from "../../src/events/failure-kind.js";

type Case = readonly [kind: FailureKind, text: string, rest?: Omit<FailureEvidence, "text">];

/** What real programs said when they failed, with the code and status that came with it. */
const said: readonly Case[] = [
  // Claude Code
  ["auth", "Invalid API key · Fix external API key", { code: "authentication_failed", status: 401 }],
  ["auth", "Invalid API key · Please run /login"],
  ["auth", "OAuth token has expired. Please run /login"],
  [
    "provider",
    "API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:33781).",
    { code: "server_error", status: 500 },
  ],
  [
    "provider",
    "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
    { code: "server_error" },
  ],
  ["provider", "API Error: the answer made no sense", { code: "server_error" }],
  [
    "network",
    "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.",
    { code: "server_error" },
  ],
  ["network", "API Error: Unable to connect to API (ConnectionRefused)", { code: "server_error" }],
  [
    "network",
    "API Error: Connection closed mid-response. The response above may be incomplete.",
    { code: "server_error" },
  ],
  [
    "model_not_found",
    "There's an issue with the selected model (claude-sonnet-4-5). It may not exist or you may not have access to it. Run --model to pick a different model.",
    { code: "model_not_found", status: 404 },
  ],
  ["context_overflow", "Request exceeds the model's prompt budget (81234 tokens, limit 64000)", {}],
  [
    "context_overflow",
    "Prompt is too long · the request is ~250000 tokens (limit 200000) but this conversation is only ~1592 tokens",
    { code: "invalid_request", status: 400 },
  ],
  [
    "context_overflow",
    "Autocompact is thrashing: the context refilled to the limit within 3 turns of the previous compact, 3 times in a row. A file being read or a tool output is likely too large for the context window.",
    { code: "invalid_request" },
  ],
  [
    "output_limit",
    "API Error: Claude's response exceeded the 32000 output token maximum. To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.",
    { code: "max_output_tokens" },
  ],
  [
    "refusal",
    "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup).",
    { code: "invalid_request" },
  ],
  ["rate_limit", "You've hit your session limit · resets 9:42pm (UTC)", { code: "rate_limit", status: 429 }],
  ["rate_limit", "You've hit your weekly limit · resets Oct 9, 5pm"],
  ["rate_limit", "Weekly limit reached ∙ resets Oct 9, 5pm"],
  ["rate_limit", "5-hour limit reached ∙ resets 9pm"],
  ["rate_limit", "Opus weekly limit reached ∙ resets Oct 9, 5pm"],
  ["rate_limit", "Fable limit reached · continuing on Opus uses usage credits"],
  ["rate_limit", "You've hit your Opus limit · resets 5pm (UTC)"],
  ["rate_limit", "You've reached your weekly usage limit"],
  ["rate_limit", "Claude AI usage limit reached|1794916800"],
  ["rate_limit", "Claude usage limit reached. Your limit will reset at 12am."],
  ["rate_limit", "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited"],
  ["quota", "You've hit your monthly spend limit."],
  ["quota", "You've hit your channel's monthly spend limit."],
  ["quota", "You've hit your org's monthly usage limit"],
  ["quota", "You've hit your team's shared budget. /model to switch models."],
  ["quota", "You're out of usage credits. See Usage in Settings"],
  [
    "quota",
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
  ],
  ["provider", "API Error: Repeated 529 Overloaded errors"],
  ["provider", "Repeated 529 Overloaded errors"],
  ["rate_limit", "Number of requests has exceeded your rate limit"],
  ["rate_limit", "This request would exceed your account rate limit."],
  ["quota", "Your credit balance is too low to access the Anthropic API."],
  ["max_turns", "Reached maximum number of turns (2)", { code: "error_max_turns" }],
  ["budget", "Reached maximum budget ($0.0001)", { code: "error_max_budget_usd" }],
  ["config", "No conversation found with session ID: 00000000-0000-4000-8000-000000000000"],
  [
    "config",
    "Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>.",
  ],
  ["config", "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons"],
  ["config", "Error: Input must be provided either through stdin or as a prompt argument when using --print"],
  ["unknown", "API Error: 400 messages: something is wrong", { code: "unknown", status: 400 }],
  // Codex
  [
    "auth",
    "unexpected status 401 Unauthorized: Incorrect API key provided: sk-test., url: http://127.0.0.1:36939/v1/responses, request id: req_mockerr",
  ],
  ["auth", "unexpected status 403 Forbidden: You are not allowed, url: http://127.0.0.1:41427/v1/responses"],
  ["auth", "Missing environment variable: `MOCK_API_KEY`."],
  [
    "quota",
    "unexpected status 402 Payment Required: Payment required, url: http://127.0.0.1:41437/v1/responses",
  ],
  ["quota", "Quota exceeded. Check your plan and billing details."],
  ["quota", "You exceeded your current quota, please check your plan and billing details."],
  [
    "quota",
    "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 9:47 PM.",
  ],
  ["rate_limit", "exceeded retry limit, last status: 429 Too Many Requests, request id: req_mockerr"],
  ["rate_limit", "rate limit exceeded: Rate limit reached for gpt-5.5. Please try again in 2s."],
  ["provider", "We’re currently experiencing high demand, which may cause temporary errors."],
  ["provider", "Selected model is at capacity. Please try a different model."],
  [
    "network",
    "stream disconnected before completion: Transport error: network error: error decoding response body",
  ],
  ["network", "stream disconnected before completion: Something failed midway."],
  ["network", "Connection failed: error sending request"],
  ["refusal", "stream disconnected before completion: Incomplete response returned, reason: content_filter"],
  ["refusal", "This content was flagged for possible cybersecurity risk."],
  ["refusal", "Invalid prompt: your prompt was flagged as potentially violating our usage policy."],
  ["output_limit", "Incomplete response returned, reason: max_output_tokens"],
  ["model_not_found", "The model `gpt-5.5` does not exist"],
  ["model_not_found", "The 'gpt-5' model is not supported when using Codex with a ChatGPT account."],
  [
    "context_overflow",
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  ],
  ["context_overflow", "Your input exceeds the context window of this model."],
  ["config", "Error loading config.toml:\n/home/codex/.codex/config.toml:5:1: duplicate key"],
  [
    "config",
    "Error: thread/resume: thread/resume failed: no rollout found for thread id 00000000-0000-7000-8000-000000000000 (code -32600)",
  ],
  ["config", "Not inside a trusted directory and --skip-git-repo-check was not specified."],
  ["config", "error: unexpected argument '--nope' found"],
  ["config", "error: invalid value 'nope' for '--sandbox <SANDBOX_MODE>'"],
  ["config", "error: the following required arguments were not provided:\n  <SESSION_ID>"],
  ["unknown", "Unsupported parameter: 'reasoning.summary'", { code: "invalid_request_error" }],
  // OpenCode and Kilo Code
  ["auth", "Incorrect API key provided: sk-test", { code: "APIError", status: 401 }],
  ["model_not_found", "Model not found: mock/nonexistent.", { code: "UnknownError" }],
  ["refusal", "The response was blocked by the provider's content filter", { code: "ContentFilterError" }],
  ["refusal", "The response was blocked by the provider's content filter"],
  ["context_overflow", "context length exceeded mock", { code: "ContextOverflowError" }],
  ["context_overflow", "Compaction exhausted: context still exceeds model limits after 3 attempts"],
  ["permission", "The user rejected permission to use this specific tool call."],
  ["permission", "run ended with an auto-rejected permission; pass --auto for autonomous use"],
  ["config", "Error: Session not found"],
  ["unknown", "Unsupported value in mock request", { code: "APIError", status: 400 }],
  ["unknown", "run ended without an assistant message; the model returned no output"],
  ["model_not_found", "Model big-pickle not supported", { code: "APIError", status: 401 }],
  [
    "model_not_found",
    "Unauthorized: Model qwen3.7-max is not supported for format oa-compat",
    { code: "APIError", status: 401 },
  ],
  [
    "quota",
    "This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 0.",
    { status: 402 },
  ],
  [
    "unknown",
    'Stopped after 3 consecutive invalid-argument failures for the "write" tool. The model kept repeating itself, so the turn was aborted to avoid burning tokens.',
    { code: "APIError" },
  ],
  // Pi
  ["auth", "401 Incorrect API key provided: sk-test"],
  ["provider", "500 mock error 500"],
  ["network", "Connection error."],
  ["network", "terminated"],
  [
    "context_overflow",
    "400 This model's maximum context length is 200000 tokens. However, your messages resulted in 300000 tokens.",
  ],
  ["config", 'Error: Unknown provider "nosuch". Use --list-models to see available providers/models.'],
  ["config", "No session found matching '00000000-dead-beef-0000-000000000000'"],
  ["unknown", "400 Unsupported value in mock request"],
  // Cline
  ["provider", "Overloaded"],
  ["provider", "mock error 500"],
  ["provider", "Model returned empty response"],
  [
    "network",
    "The socket connection was closed unexpectedly. For more information, pass `verbose: true` in the second argument to fetch()",
  ],
  [
    "network",
    "Cannot connect to API: Unable to connect. Is the computer able to access the url? (ConnectionRefused)",
  ],
  [
    "context_overflow",
    "The request exceeds the model's context window and there is no conversation history to compact",
  ],
  [
    "quota",
    "Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys",
    { status: 403 },
  ],
  ["quota", "403 Key limit exceeded (monthly limit). Manage it using https://openrouter.ai/settings/keys"],
  ["config", 'Unknown or disabled provider "nosuch".'],
  ["config", "JSON output mode requires a prompt argument or piped stdin (interactive mode is unsupported)"],
  ["permission", "Tool approval requires an interactive session, but this session is non-interactive."],
  ["timed_out", "run timed out after 5s"],
  // Goose
  [
    "auth",
    "Ran into this error: Authentication error: Authentication failed for http://127.0.0.1:32861/v1/chat/completions. Status: 401 Unauthorized. Response: Incorrect API key provided: sk-test.",
    { code: "authentication" },
  ],
  [
    "quota",
    "Please check your account with your provider to add more credits, then resend your message to continue.",
    { code: "creditsExhausted" },
  ],
  ["rate_limit", "Ran into this error: Rate limit exceeded: Rate limit reached."],
  [
    "provider",
    "Ran into this error: Server error: Server error (500 Internal Server Error) at http://127.0.0.1:34389/v1/chat/completions: The server had an error.",
  ],
  [
    "provider",
    "Ran into this error: Server error: Server error (503 Service Unavailable) at http://127.0.0.1:34911",
  ],
  ["provider", "The model returned an empty response. Please resend your message to continue."],
  ["network", "Network error: Stream decode error: error decoding response body"],
  [
    "network",
    "Network error: Could not connect to 127.0.0.1:9 — check your network connection and try again.",
  ],
  [
    "max_turns",
    "I've reached the maximum number of actions I can do without user input. Would you like me to continue?",
  ],
  ["cancelled", "Headless run interrupted"],
  ["config", "Cannot resume session 20990101_99 - no such session exists"],
  ["config", "Error Unknown provider: ."],
  ["config", "Error: Must provide either --instructions (-i), --text (-t), or --recipe. Use -i - for stdin."],
  [
    "config",
    "Error: Tool approval required in non-interactive mode with GooseMode::approve. This is an invalid configuration",
  ],
  ["unknown", "Ran into this error: Request failed: Bad request (400): Invalid request: bad thing."],
  // Gemini
  ["auth", "API key not valid. Please pass a valid API key.", { code: "INVALID_ARGUMENT", status: 400 }],
  ["auth", "Permission denied", { code: "PERMISSION_DENIED", status: 403 }],
  ["auth", "When using Gemini API, you must specify the GEMINI_API_KEY environment variable."],
  ["auth", "Invalid auth method selected."],
  [
    "quota",
    "[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later.",
  ],
  ["network", "[API Error: terminated]"],
  [
    "network",
    "Attempt 1 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request",
  ],
  [
    "provider",
    'Attempt 1 failed with status 500. Retrying with backoff... _ApiError: {"error":{"code":500,"message":"Internal error encountered.","status":"INTERNAL"}}',
  ],
  [
    "provider",
    '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
  ],
  ["max_turns", "Reached max session turns for this session.", { code: "FatalTurnLimitedError" }],
  [
    "max_turns",
    "Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.",
  ],
  ["config", 'Error resuming session: Invalid session identifier "11111111-2222-3333-4444-555555555555".'],
  ["cancelled", "Operation cancelled."],
  // Antigravity, Bob, Cursor, Copilot, Qwen
  [
    "provider",
    "UNAVAILABLE (code 503): No capacity available for model gemini-3.8-flash-high",
    { code: "MODEL_ERROR" },
  ],
  ["quota", "Individual limit reached. Resets in 89h", { code: "RESOURCE_EXHAUSTED" }],
  ["quota", "Individual limit reached. Resets in 89h"],
  [
    "quota",
    "RESOURCE_EXHAUSTED (code 429): Individual quota reached. Please upgrade your subscription to increase your limits. Resets in 3h20m",
    { status: 429 },
  ],
  ["rate_limit", "402 You've reached your 5-hour standard usage limit (resets in 3h 21min)", { status: 402 }],
  ["cancelled", "interrupted"],
  ["cancelled", "error: interrupted"],
  ["permission", "[agy] 1 action was denied because it needs approval: RunCommand"],
  ["auth", "authentication required: not signed in"],
  ["model_not_found", 'invalid model selection (--model "nope" --effort ""): unknown model'],
  ["auth", "Your API key is invalid or expired"],
  ["auth", "Error: no API key: set BOB_API_KEY or run bob login"],
  ["network", "Connection lost: ECONNRESET"],
  ["budget", "Maximum cost of 3 exceeded"],
  ["max_turns", "Maximum number of turns (5) reached"],
  ["config", "Error: A license agreement is required. Run bob --show-license, then bob --accept-license."],
  [
    "auth",
    "Authentication required. Please run 'cursor-agent login' first, or set CURSOR_API_KEY environment variable.",
  ],
  ["quota", "Usage limit reached for this plan"],
  [
    "config",
    "⚠ Workspace Trust Required\n  Cursor Agent can execute code and access files in this directory.",
  ],
  ["auth", "Authentication failed with provider at http://127.0.0.1:4000/v1 (HTTP 401)."],
  ["network", "Could not connect to local model provider at http://127.0.0.1:4000/v1."],
  [
    "provider",
    "Failed to get response from the AI model; retried 5 times (total retry wait time: 14.81 seconds) Last error: 503 Service Unavailable",
  ],
  ["config", "No prompt provided. Pass it with -p."],
  ["auth", "[API Error: 401 Incorrect API key provided: sk-test]"],
];

/** What must not be mistaken for a cause: answers, paths, compilers, shells, other people's errors. */
const notSaid: readonly Case[] = [
  ["unknown", "I updated the billing module and its usage page."],
  ["unknown", "Done: users can now upgrade to the Pro tier from the settings page."],
  ["unknown", "npm warn: please upgrade to Node 22"],
  [
    "unknown",
    "TypeError: x is not a function\n    at limit (/repo/src/rate_limit.ts:12:5)\n    at next (/repo/src/rate-limit.ts:3:1)",
  ],
  ["unknown", "I added rate limit handling to the client."],
  ["unknown", "SyntaxError: Unterminated string literal (3:14)"],
  ["unknown", "bash: line 1: 4242 Terminated    sleep 100"],
  ["unknown", "Terminated"],
  ["unknown", "started dnsmasq and windnsd"],
  ["unknown", "The DNS section of the README is new."],
  ["unknown", "fatal: no author identity given"],
  ["unknown", "No authority for this zone"],
  ["unknown", "duplicate key value violates the unique constraint"],
  ["unknown", "error TS2769: No overload matches this call. The last overloaded signature is here."],
  ["unknown", "fork: Resource temporarily unavailable"],
  ["unknown", "write EPIPE"],
  ["unknown", "cp: error writing 'a': Disk quota exceeded"],
  ["unknown", "I was interrupted\ninterrupted"],
  ["unknown", "The migration was aborted to keep the data."],
  ["unknown", "Added a daily limit for uploads; it is reached after 5 files."],
  ["unknown", "Aborted (core dumped)"],
  ["unknown", "error: git rebase --abort was not run"],
  ["unknown", "NullInjectorError: No provider for HttpClient!"],
  ["unknown", "write: Invalid argument (os error 22)"],
  ["unknown", "TypeError: Invalid value used as weak map key"],
  ["unknown", "Missing required parameter: 'input'.", { status: 400 }],
  ["unknown", "Unsupported parameter: 'max_output_tokens'", { status: 400 }],
  ["unknown", "Session found, resuming"],
  ["unknown", "Error: model User not found"],
  ["unknown", "Error: the model wrote to a folder that does not exist"],
  [
    "unknown",
    "Model metadata for `gpt-5.1-codex` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
  ],
  [
    "unknown",
    "2026-11-15T18:11:00.698595Z ERROR codex_core::session: failed to record rollout items: thread 01a1e067-bc85-71c0-8201-09a21e6b5d7a not found",
  ],
  ["unknown", "500 tests passed, 3 failed"],
  ["unknown", "Found 401 matches in 12 files"],
  ["unknown", "I explained what a context window is."],
  ["unknown", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock."],
  ["unknown", "an unauthorized user now sees the login page"],
  ["unknown", "Tool 'no_such_tool' does not exist."],
  ["unknown", "could not open config.yml: No such file or directory"],
  ["unknown", "Command failed: Command timed out after 30000ms"],
  ["unknown", ""],
  ["unknown", "boom", { code: "constructor" }],
  ["unknown", "boom", { code: "__proto__" }],
  ["unknown", "boom", { code: "toString" }],
];

/** One test for each case, named by all that is known of the failure. */
function check(cases: readonly Case[]): void {
  for (const [kind, text, rest] of cases) {
    const known = rest === undefined ? "" : ` ${JSON.stringify(rest)}`;
    it(`${kind}: ${text.slice(0, 120)}${known}`, () => {
      expect(classifyFailure({ text, ...rest })).toBe(kind);
    });
  }
}

describe("the kind of a failure", () => {
  check(said);

  it("knows at least eighty sentences of real programs", () => {
    expect(said.length).toBeGreaterThanOrEqual(80);
  });
});

describe("what does not tell the kind of a failure", () => {
  check(notSaid);
});

describe("any evidence", () => {
  it("gives a kind of the vocabulary, whatever the words, code and status", () => {
    const evidence = fc.record(
      { text: fc.string({ unit: "binary" }), code: fc.string(), status: fc.integer() },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(evidence, (given) => failureKinds.includes(classifyFailure(given))));
  });

  check([
    ["auth", "", { status: 401 }],
    ["auth", "", { status: 403 }],
    ["quota", "", { status: 402 }],
    ["rate_limit", "", { status: 429 }],
    ["context_overflow", "", { status: 413 }],
    ["provider", "", { status: 500 }],
    ["provider", "", { status: 529 }],
    ["unknown", "", { status: 400 }],
    ["unknown", "", { status: 404 }],
    ["unknown", "", { status: 600 }],
  ]);

  it("lets the code win over the words, and certain words over the status", () => {
    expect(classifyFailure({ code: "rate_limit", text: "Invalid API key" })).toBe("rate_limit");
    expect(classifyFailure({ status: 429, text: "You exceeded your current quota" })).toBe("quota");
    expect(classifyFailure({ status: 503, text: "Connection error." })).toBe("provider");
  });
});
