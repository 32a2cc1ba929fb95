import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import type { FailureKind } from "../../src/events/failure.js";
import { captureNames, readCapture, translateCapture } from "../support/captures.js";

/** How a captured run ended, read from its records by hand. */
interface Expected {
  /** Left out: it succeeded. */
  kind?: FailureKind;
  text?: string;
  /** Input, read from the cache, written to the cache, output, over all models. Left out: not reported. */
  tokens?: readonly [number, number, number, number];
  /** Left out: not reported for this run. */
  cost?: number;
  /** As reported; left out where it is not, or where it covers only the last part of the run. */
  ms?: number;
}

const expected: Readonly<Record<string, Expected>> = {
  "2.1.325-background": {
    text: "The script is over.",
    tokens: [4000, 1200, 160, 100],
    cost: 0.014459999999999999,
  },
  "2.1.325-bigoutput": { text: "Big.", tokens: [3000, 900, 120, 75], cost: 0.010844999999999999, ms: 3731 },
  "2.1.325-binary": {
    text: "sep para \u0000 nul \u001b[31mred\u001b[0m 👋",
    tokens: [7000, 2100, 280, 175],
    cost: 0.025304999999999998,
    ms: 1557,
  },
  "2.1.325-cdpersist": {
    text: "Moved.",
    tokens: [9000, 2700, 360, 225],
    cost: 0.032534999999999994,
    ms: 6718,
  },
  "2.1.325-cutoff": {
    text: "The whole answer.",
    tokens: [2000, 600, 80, 26],
    cost: 0.006869999999999999,
    ms: 995,
  },
  "2.1.325-emptyanswer": { tokens: [2000, 600, 80, 50], cost: 0.0072299999999999994, ms: 680 },
  "2.1.325-emptyinput": {
    text: "Nothing came of it.",
    tokens: [5000, 1500, 200, 125],
    cost: 0.018074999999999997,
    ms: 3109,
  },
  "2.1.325-files": {
    text: "All files done.",
    tokens: [9000, 2700, 360, 225],
    cost: 0.032534999999999994,
    ms: 1649,
  },
  "2.1.325-image": { text: "A pixel.", tokens: [2000, 600, 80, 50], cost: 0.0072299999999999994, ms: 909 },
  "2.1.325-killed": { kind: "killed" },
  "2.1.325-latebg": {
    kind: "killed",
    text: "It runs.",
    tokens: [2000, 600, 80, 50],
    cost: 0.0072299999999999994,
    ms: 1175,
  },
  "2.1.325-latebg-direct": { text: "It has ended.", tokens: [300, 60, 0, 90], cost: 0.002268 },
  "2.1.325-latesub": {
    text: "The helper has told me.",
    tokens: [5000, 1500, 200, 125],
    cost: 0.018074999999999997,
  },
  "2.1.325-mcp": { text: "Five.", tokens: [3000, 900, 120, 75], cost: 0.010844999999999999, ms: 225 },
  "2.1.325-multiedit": { text: "Ok.", tokens: [7000, 2100, 280, 175], cost: 0.025304999999999998, ms: 2802 },
  "2.1.325-nasty": {
    text: "Nasty done.",
    tokens: [47000, 14100, 1880, 1175],
    cost: 0.16990499999999997,
    ms: 25597,
  },
  "2.1.325-newtools": {
    kind: "killed",
    text: "New.",
    tokens: [15000, 4500, 600, 375],
    cost: 0.054224999999999995,
    ms: 9046,
  },
  "2.1.325-notebook": { text: "Edited.", tokens: [3000, 900, 120, 75], cost: 0.010844999999999999, ms: 1542 },
  "2.1.325-nousage": { text: "Done without numbers.", tokens: [200, 40, 0, 60], cost: 0.001512, ms: 466 },
  "2.1.325-parallel": {
    text: "Three at once.",
    tokens: [2000, 600, 80, 50],
    cost: 0.0072299999999999994,
    ms: 570,
  },
  "2.1.325-patchmove": {
    text: "Patched by shell.",
    tokens: [2000, 600, 80, 50],
    cost: 0.0072299999999999994,
    ms: 984,
  },
  "2.1.325-refused": { kind: "network", tokens: [0, 0, 0, 0], cost: 0, ms: 2537 },
  /** `modelUsage` and the cost are those of the session: two runs. */
  "2.1.325-resume": {
    text: "It was tangerine.",
    tokens: [1000, 300, 40, 25],
    cost: 0.0036149999999999997,
    ms: 1113,
  },
  "2.1.325-shell": { text: "Done.", tokens: [11000, 3300, 440, 275], cost: 0.039764999999999995, ms: 1673 },
  "2.1.325-skill": { text: "Greetings.", tokens: [2000, 600, 80, 50], cost: 0.0072299999999999994, ms: 1238 },
  "2.1.325-spoof": {
    text: "API Error: 500 is what I was asked to say. Exit code 3.",
    tokens: [18000, 5400, 720, 450],
    cost: 0.06506999999999999,
    ms: 3173,
  },
  "2.1.325-subagent": {
    text: "The script is over.",
    tokens: [5000, 1500, 200, 125],
    cost: 0.018074999999999997,
  },
  "2.1.325-subfail": { text: "So it did.", tokens: [4000, 1200, 160, 100], cost: 0.014459999999999999 },
  "2.1.325-text": {
    text: "Hello\n\tworld 👋🏽 你好 שלום مرحبا.",
    tokens: [1000, 300, 40, 25],
    cost: 0.0036149999999999997,
    ms: 1127,
  },
  "2.1.325-thinking": {
    text: "I have thought.",
    tokens: [2000, 600, 80, 50],
    cost: 0.0072299999999999994,
    ms: 708,
  },
  "2.1.325-toolerror": {
    text: "None worked.",
    tokens: [6000, 1800, 240, 150],
    cost: 0.021689999999999997,
    ms: 1105,
  },
  "2.1.325-toolsmix": {
    text: "Mixed.",
    tokens: [8000, 2400, 320, 200],
    cost: 0.028919999999999998,
    ms: 5916,
  },
  "2.1.325-twosubs": {
    text: "The script is over.",
    tokens: [8000, 2400, 320, 200],
    cost: 0.028919999999999998,
  },
  api400: { kind: "unknown", tokens: [0, 0, 0, 0], cost: 0, ms: 164 },
  api401: { kind: "auth", tokens: [0, 0, 0, 0], cost: 0, ms: 1994 },
  "api401-default-retries": { kind: "killed" },
  "api404-model": { kind: "model_not_found", tokens: [0, 0, 0, 0], cost: 0, ms: 230 },
  "api413-toolong": { kind: "context_overflow", tokens: [0, 0, 0, 0], cost: 0, ms: 109 },
  api500: { kind: "provider", tokens: [0, 0, 0, 0], cost: 0, ms: 3793 },
  "api500-default-retries": { kind: "killed" },
  api529: { kind: "provider", tokens: [0, 0, 0, 0], cost: 0, ms: 1885 },
  "compact-auto": { text: "All done ✅.", tokens: [630, 55, 35, 340], cost: 0.007137749999999999, ms: 677 },
  cutoff: { kind: "network", tokens: [0, 0, 0, 0], cost: 0, ms: 637 },
  "cutoff-once": { text: "Recovered after the cut.", tokens: [10, 0, 0, 5], cost: 0.000105, ms: 401 },
  "cutoff-partial": {
    kind: "network",
    text: "This is cut in the mid",
    tokens: [0, 0, 0, 0],
    cost: 0,
    ms: 694,
  },
  "cutoff-partial-once": { text: "Recovered after the cut.", tokens: [10, 0, 0, 5], cost: 0.000105, ms: 441 },
  "cutoff-tool": {
    kind: "network",
    text: "Whole text block.",
    tokens: [125, 11, 7, 1],
    cost: 0.00041955000000000003,
    ms: 546,
  },
  files: { text: "All done ✅.", tokens: [836, 88, 56, 372], cost: 0.0083244, ms: 500 },
  "files-greptool": {
    text: "All done ✅.",
    tokens: [1278, 132, 84, 582],
    cost: 0.012918599999999999,
    ms: 650,
  },
  hooks: { text: "All done ✅.", tokens: [227, 22, 14, 111], cost: 0.0024051000000000003, ms: 327 },
  kill9: { kind: "killed", text: "Long command now." },
  killed: { kind: "killed", text: "Long command now." },
  "killed-int": {
    kind: "cancelled",
    text: "Long command now.",
    tokens: [120, 11, 7, 62],
    cost: 0.00131955,
    ms: 3526,
  },
  "killed-int-stream": { kind: "unknown", text: "This takes " },
  "killed-orphan": { text: "Done.", tokens: [203, 22, 14, 87], cost: 0.0019731, ms: 4539 },
  "killed-term-stream": { kind: "killed", text: "This takes " },
  longline: { text: "y".repeat(1000000), tokens: [369, 22, 14, 253], cost: 0.0049610999999999995, ms: 267 },
  "max-budget": { kind: "budget", tokens: [108, 11, 7, 50], cost: 0.0011035499999999998, ms: 204 },
  "max-tokens": {
    kind: "output_limit",
    text: "This was cut by max tok",
    tokens: [490, 44, 28, 258],
    cost: 0.0054582,
    ms: 488,
  },
  "max-turns": { kind: "max_turns", tokens: [221, 22, 14, 105], cost: 0.0022971, ms: 494 },
  mcp: { text: "All done ✅.", tokens: [534, 33, 21, 360], cost: 0.0070906499999999996, ms: 243 },
  parallel: { text: "All done ✅.", tokens: [247, 22, 14, 131], cost: 0.0027650999999999995, ms: 1329 },
  partial: { text: "All done ✅.", tokens: [267, 22, 14, 151], cost: 0.0031250999999999996, ms: 342 },
  "partial-subagent": { text: "All done ✅.", tokens: [430, 44, 28, 198], cost: 0.0043782, ms: 1015 },
  ratelimit: {
    text: "Fine after waiting.",
    tokens: [175, 11, 7, 117],
    cost: 0.0023095499999999996,
    ms: 4188,
  },
  "ratelimit-oauth": { text: "With unified headers.", tokens: [103, 11, 7, 45], cost: 0.00101355, ms: 380 },
  "ratelimit-oauth-rejected": { kind: "rate_limit", tokens: [0, 0, 0, 0], cost: 0, ms: 269 },
  "ratelimit-unified": {
    text: "With unified headers.",
    tokens: [176, 11, 7, 118],
    cost: 0.0023275499999999994,
    ms: 174,
  },
  readonly: { text: "All done ✅.", tokens: [785, 55, 35, 495], cost: 0.009927749999999999, ms: 382 },
  "readonly-default": {
    text: "All done ✅.",
    tokens: [810, 55, 35, 520],
    cost: 0.010377749999999998,
    ms: 332,
  },
  "readonly-disallowed": {
    text: "All done ✅.",
    tokens: [860, 55, 35, 570],
    cost: 0.011277749999999998,
    ms: 373,
  },
  refusal: {
    kind: "refusal",
    text: "I cannot",
    tokens: [112, 11, 7, 54],
    cost: 0.0011755499999999998,
    ms: 312,
  },
  refused: { kind: "network", tokens: [0, 0, 0, 0], cost: 0, ms: 4130 },
  resume: { text: "The word was kiwi.", tokens: [152, 11, 7, 94], cost: 0.00189555, ms: 102 },
  "resume-fork": {
    text: "The word was kiwi.",
    tokens: [128, 11, 7, 70],
    cost: 0.0014635499999999999,
    ms: 142,
  },
  "resume-unknown": { kind: "config", tokens: [0, 0, 0, 0], cost: 0, ms: 0 },
  "root-refused": { kind: "config" },
  shell: { text: "All done ✅.", tokens: [1617, 154, 98, 805], cost: 0.0173397, ms: 3900 },
  "shell-background-late": {
    text: "The command is done now.",
    tokens: [348, 33, 21, 174],
    cost: 0.0037426499999999997,
  },
  skill: { text: "Ahoy world.", tokens: [249, 22, 14, 133], cost: 0.0028011, ms: 222 },
  "skill-slash": { text: "Ahoy world.", tokens: [126, 11, 7, 68], cost: 0.0014275499999999999, ms: 182 },
  "stdin-prompt": { text: "Got stdin.", tokens: [114, 11, 7, 56], cost: 0.00121155, ms: 125 },
  "stream-input": {
    text: "Got stream input.",
    tokens: [126, 11, 7, 68],
    cost: 0.0014275499999999999,
    ms: 134,
  },
  structured: {
    text: '{"name":"kiwi","count":3}',
    tokens: [361, 22, 14, 245],
    cost: 0.0048170999999999995,
    ms: 174,
  },
  "structured-never": { text: "Still prose.", tokens: [231, 22, 14, 115], cost: 0.0024771, ms: 474 },
  subagent: { text: "All done ✅.", tokens: [558, 44, 28, 326], cost: 0.0066822, ms: 342 },
  "subagent-background": { text: "All done ✅.", tokens: [515, 55, 35, 225], cost: 0.00506775, ms: 4633 },
  "subagent-background-failed": {
    text: "All done ✅.",
    tokens: [430, 44, 28, 198],
    cost: 0.0043782,
    ms: 3385,
  },
  "subagent-background-late": {
    text: "The agent is done now.",
    tokens: [560, 55, 35, 270],
    cost: 0.005877749999999999,
  },
  "subagent-failed": {
    text: "All done ✅.",
    tokens: [306, 33, 21, 132],
    cost: 0.0029866500000000004,
    ms: 495,
  },
  "subagent-unknown": { text: "All done ✅.", tokens: [209, 22, 14, 93], cost: 0.0020811, ms: 273 },
  "subagents-parallel": { text: "All done ✅.", tokens: [723, 66, 42, 375], cost: 0.0061879, ms: 719 },
  sysprompt: { text: "ok", tokens: [101, 11, 7, 43], cost: 0.00097755, ms: 290 },
  text: { text: "Hello 🙂 你好 שלום\n\ttabbed end.", tokens: [101, 11, 7, 43], cost: 0.00097755, ms: 384 },
  thinking: { text: "Final answer.", tokens: [273, 22, 14, 157], cost: 0.0032330999999999996, ms: 317 },
  todo: { text: "All done ✅.", tokens: [954, 99, 63, 443], cost: 0.019772949999999997, ms: 778 },
  "todo-legacy": { text: "All done ✅.", tokens: [354, 33, 21, 180], cost: 0.0038506499999999997, ms: 614 },
  "todo-preflight": { text: "All done ✅.", tokens: [1296, 99, 63, 785], cost: 0.02592895, ms: 435 },
  toolerror: { text: "All done ✅.", tokens: [1295, 110, 70, 715], cost: 0.0149055, ms: 407 },
  "v2.1.325-background": {
    text: "The tests FAILED.",
    tokens: [3000, 900, 120, 75],
    cost: 0.010844999999999999,
  },
  "v2.1.325-background-stopped": {
    text: "The server was stopped.",
    tokens: [3000, 900, 120, 75],
    cost: 0.010844999999999999,
  },
  "v2.1.325-cutoff": {
    text: "The whole answer.",
    tokens: [2000, 600, 80, 26],
    cost: 0.006869999999999999,
    ms: 1137,
  },
  "v2.1.325-readonly": {
    text: "I may not.",
    tokens: [3000, 900, 120, 75],
    cost: 0.010844999999999999,
    ms: 516,
  },
  "v2.1.325-resume": {
    text: "It was tangerine.",
    tokens: [1000, 300, 40, 25],
    cost: 0.0036149999999999997,
    ms: 262,
  },
  "v2.1.325-subagent": {
    text: "The script is over.",
    tokens: [5000, 1500, 200, 125],
    cost: 0.018074999999999997,
  },
  "v2.1.325-subagent-late": {
    text: "The helper has told me.",
    tokens: [5000, 1500, 200, 125],
    cost: 0.018074999999999997,
  },
  "v2.1.325-terminated": { kind: "killed" },
  "v2.1.325-wakeup": { text: "CI is green.", tokens: [3000, 900, 120, 75], cost: 0.010844999999999999 },
};

/** Dollars for a million tokens of claude-sonnet-4-5, in the order of the tokens above. */
const prices = [3, 0.3, 3.75, 15] as const;

/** What else was paid for: a web search is a cent, and claude-haiku-4-5 costs a third. */
const otherCosts: Readonly<Record<string, number>> = {
  todo: 0.01,
  "todo-preflight": 0.01,
  "subagents-parallel": -((242 * 3 + 22 * 0.3 + 14 * 3.75 + 126 * 15) / 1e6) * (2 / 3),
};

describe("how the captured runs of Claude Code ended", () => {
  it("is written down for every capture", () => {
    expect(Object.keys(expected).sort()).toEqual(captureNames("claude"));
  });

  it.each(Object.entries(expected))("%s", (scenario, { kind, text, tokens, cost, ms }) => {
    const capture = readCapture("claude", scenario);
    const events = translateCapture(claude, capture).flatMap((line) => line.events);
    const [result, exited] = events.slice(-2);
    if (result?.type !== "result" || exited?.type !== "exited") throw new Error("a run has no end");

    expect(result.isSuccess).toBe(kind === undefined);
    expect(result.failure?.kind).toBe(kind);
    expect(exited.reason).toBe(kind === undefined ? "completed" : "failed");
    expect(exited.exitCode).toBe(capture.exit.exitCode);
    expect(result.text).toBe(text);
    expect(result.costUsd).toBe(cost);
    if (ms !== undefined) expect(result.durationMs).toBe(ms);

    const runs = events.flatMap((event) => (event.type === "usage" && event.scope === "run" ? [event] : []));
    expect(
      runs.map((run) => [run.inputTokens, run.cacheReadTokens, run.cacheWriteTokens, run.outputTokens]),
    ).toEqual(tokens === undefined ? [] : [tokens]);
    if (tokens === undefined) return;
    expect(runs[0]?.totalTokens).toBe(tokens.reduce((sum, count) => sum + count));
    expect(runs[0]?.costUsd).toBe(cost);
    if (cost === undefined) return;
    const sum = tokens.reduce((all, count, at) => all + count * (prices[at] ?? 0), 0) / 1e6;
    expect(cost).toBeCloseTo(sum + (otherCosts[scenario] ?? 0), 12);
  });
});
