import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import type { FailureKind } from "../../src/events/failure.js";
import { captureNames, readCapture, translateCapture } from "../support/captures.js";

/** How a captured run ended, read from its records by hand. Codex reports neither cost nor time. */
interface Expected {
  /** Left out: it succeeded. */
  kind?: FailureKind;
  text?: string;
  /** Input without what was cached, read from the cache, written to it, output, reasoning. Left out: not reported. */
  tokens?: readonly [number, number, number, number, number];
  /** A resumed or forked thread is counted as a whole. */
  scope?: "session";
}

const expected: Readonly<Record<string, Expected>> = {
  "0.166.0-api401": { kind: "auth" },
  "0.166.0-binary": {
    text: "sep\u2028para \u0000 nul \u001b[31mred\u001b[0m \ud83d\udc4b",
    tokens: [7000, 2100, 280, 175, 49],
  },
  "0.166.0-cutoff": { text: "The whole answer.", tokens: [1000, 300, 40, 25, 7] },
  "0.166.0-emptyanswer": { tokens: [1000, 300, 40, 25, 7] },
  "0.166.0-emptyinput": { text: "Nothing came of it.", tokens: [5000, 1500, 200, 125, 35] },
  "0.166.0-files": { text: "All files done.", tokens: [9000, 2700, 360, 225, 63] },
  "0.166.0-heredoc": { text: "Here.", tokens: [4000, 1200, 160, 100, 28] },
  "0.166.0-image": { text: "A pixel.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-length": { kind: "output_limit", text: "This answer is cut by the limi" },
  "0.166.0-mcp": { text: "Five.", tokens: [3000, 900, 120, 75, 21] },
  "0.166.0-nested": { text: "All nested done.", tokens: [3000, 900, 120, 75, 21] },
  "0.166.0-notebook": { text: "Edited.", tokens: [3000, 900, 120, 75, 21] },
  "0.166.0-nousage": { text: "Done without numbers.", tokens: [200, 40, 0, 60, 0] },
  "0.166.0-parallel": { text: "Three at once.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-patchmove": { text: "Patched.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-paths": { text: "Paths done.", tokens: [12000, 3600, 480, 300, 84] },
  "0.166.0-reads30": { text: "Thirty.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-refused": { kind: "network" },
  "0.166.0-shell": { text: "Done.", tokens: [11000, 3300, 440, 275, 77] },
  "0.166.0-skill": { text: "Greetings.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-slowkill": { kind: "killed" },
  "0.166.0-spoof": {
    text: "API Error: 500 is what I was asked to say. Exit code 3.",
    tokens: [18000, 5400, 720, 450, 126],
  },
  "0.166.0-text": { text: "Hello\n\tworld 👋🏽 你好 שלום مرحبا.", tokens: [1000, 300, 40, 25, 7] },
  "0.166.0-todo": { text: "Listed.", tokens: [2000, 600, 80, 50, 14] },
  "0.166.0-toolerror": { text: "None worked.", tokens: [6000, 1800, 240, 150, 42] },
  "0.166.0-twotexts": { text: "Final.", tokens: [3000, 900, 120, 75, 21] },
  "0.166.0-workdir": { text: "There.", tokens: [4000, 1200, 160, 100, 28] },
  api400: { kind: "unknown" },
  api401: { kind: "auth" },
  api403: { kind: "auth" },
  api404: { kind: "model_not_found" },
  api429: { kind: "rate_limit" },
  api500: { kind: "provider" },
  "api500-default-retries": { kind: "provider" },
  api503: { kind: "provider" },
  "bad-config": { kind: "config" },
  background: { text: "It runs.", tokens: [2000, 600, 80, 50, 14] },
  "codemode-files": { text: "All done ✅.", tokens: [4963, 2100, 91, 504, 140] },
  "codemode-mcp": { text: "All done ✅.", tokens: [1469, 600, 26, 195, 40] },
  "codemode-todo": { text: "All done ✅.", tokens: [1465, 600, 26, 191, 40] },
  "content-filter": { kind: "refusal", text: "I cannot" },
  "context-exceeded": { kind: "context_overflow" },
  cutoff: { kind: "network" },
  "cutoff-mid": { text: "Recovered after the cut.", tokens: [695, 300, 13, 58, 20] },
  "cutoff-once": { text: "Recovered after the cut.", tokens: [716, 300, 13, 79, 20] },
  files: { text: "All done ✅.", tokens: [5532, 2400, 104, 436, 160] },
  flagged: { kind: "refusal" },
  fork: { text: "The word was kiwi.", tokens: [1377, 600, 26, 103, 40], scope: "session" },
  goal: { text: "All done ✅.", tokens: [2890, 1200, 52, 342, 80] },
  image: { text: "All done ✅.", tokens: [1439, 600, 26, 165, 40] },
  incomplete: { kind: "output_limit", text: "This was cut by max tok" },
  killed: { kind: "killed", text: "Long command now." },
  "killed-int": { kind: "crash", text: "Long command now." },
  "killed-native": { kind: "killed", text: "Long command now." },
  "killed-native-int": { kind: "crash", text: "Long command now." },
  "killed-orphan": { kind: "killed" },
  longline: { text: "y".repeat(1000000), tokens: [1431, 600, 26, 157, 40] },
  mcp: { text: "All done ✅.", tokens: [2124, 900, 39, 213, 60] },
  "mcp-gpt55": { text: "All done ✅.", tokens: [2142, 900, 39, 231, 60] },
  "no-apikey": { kind: "auth" },
  parallel: { text: "All done ✅.", tokens: [1425, 600, 26, 151, 40] },
  "parallel-slow": { text: "All done ✅.", tokens: [1397, 600, 26, 123, 40] },
  patch: { text: "All done ✅.", tokens: [2922, 1200, 52, 374, 80] },
  "patch-failed": { text: "Done.", tokens: [2758, 1200, 52, 210, 80] },
  quota: { kind: "quota" },
  ratelimit: { text: "Fine after waiting.", tokens: [704, 300, 13, 67, 20] },
  "ratelimit-stream": { text: "Fine after waiting.", tokens: [706, 300, 13, 69, 20] },
  readonly: { text: "All done ✅.", tokens: [2782, 1200, 52, 234, 80] },
  "readonly-slow": { text: "All done ✅.", tokens: [2112, 900, 39, 201, 60] },
  refused: { kind: "network" },
  "refused-default": { kind: "killed" },
  "response-failed": { kind: "network", text: "Partial text." },
  resume: { text: "The word was kiwi.", tokens: [1377, 600, 26, 103, 40], scope: "session" },
  "resume-last": { text: "The word was kiwi.", tokens: [1381, 600, 26, 107, 40], scope: "session" },
  "resume-model": { text: "The word was kiwi.", tokens: [1415, 600, 26, 141, 40], scope: "session" },
  "resume-unknown": { kind: "config" },
  schema: { text: '{"name":"kiwi","count":3}', tokens: [713, 300, 13, 76, 20] },
  "schema-violated": { text: "I answer in prose.", tokens: [714, 300, 13, 77, 20] },
  shell: { text: "All done ✅.", tokens: [11256, 4800, 208, 1064, 320] },
  "shell-longrunning": { text: "All done ✅.", tokens: [2112, 900, 39, 201, 60] },
  skill: { text: "Ahoy world.", tokens: [1455, 600, 26, 181, 40] },
  "skill-mention": { text: "Ahoy world.", tokens: [705, 300, 13, 68, 20] },
  "stdin-both": { text: "Got both.", tokens: [718, 300, 13, 81, 20] },
  "stdin-prompt": { text: "Got stdin.", tokens: [717, 300, 13, 80, 20] },
  subagent: { text: "All done ✅.", tokens: [2786, 1200, 52, 238, 80] },
  "subagent-abandoned": { text: "Delegated.", tokens: [2000, 600, 80, 50, 14] },
  "subagent-closed": { text: "All done ✅.", tokens: [2774, 1200, 52, 226, 80] },
  "subagent-failed": { text: "All done ✅.", tokens: [2758, 1200, 52, 210, 80] },
  "subagent-v2": { text: "All done ✅.", tokens: [2093, 900, 39, 182, 60] },
  "subagent-waitunknown": { text: "All done ✅.", tokens: [1393, 600, 26, 119, 40] },
  sysprompt: { text: "ok", tokens: [688, 300, 13, 51, 20] },
  text: { text: "Hello 🙂 你好 שלום\n\ttabbed end.", tokens: [688, 300, 13, 51, 20] },
  "text-codemode": { text: "Hello 🙂 你好 שלום\n\ttabbed end.", tokens: [690, 300, 13, 53, 20] },
  "text-unknownmodel": { text: "Hello 🙂 你好 שלום\n\ttabbed end.", tokens: [689, 300, 13, 52, 20] },
  thinking: { text: "Final answer.", tokens: [1451, 600, 26, 177, 40] },
  "thinking-default": { text: "Final answer.", tokens: [1383, 600, 26, 109, 40] },
  todo: { text: "Searched the web.", tokens: [3450, 1500, 65, 265, 100] },
  "todo-unadvertised": { text: "All done ✅.", tokens: [1439, 600, 26, 165, 40] },
  toolerror: { text: "All done ✅.", tokens: [7185, 3000, 130, 815, 200] },
  "two-messages": { text: "Final text.", tokens: [1403, 600, 26, 129, 40] },
  "usage-limit": { kind: "quota" },
  "user-input": { text: "All done ✅.", tokens: [1443, 600, 26, 169, 40] },
  websearch: { text: "Found kiwi.", tokens: [10, 0, 0, 5, 0] },
};

describe("how the captured runs of Codex ended", () => {
  it("is written down for every capture", () => {
    expect(Object.keys(expected).sort()).toEqual(captureNames("codex"));
  });

  it.each(Object.entries(expected))("%s", (scenario, { kind, text, tokens, scope = "run" }) => {
    const capture = readCapture("codex", scenario);
    const events = translateCapture(codex, capture).flatMap((line) => line.events);
    const [result, exited] = events.slice(-2);
    if (result?.type !== "result" || exited?.type !== "exited") throw new Error("a run has no end");

    expect(result.isSuccess).toBe(kind === undefined);
    expect(result.failure?.kind).toBe(kind);
    expect(exited.reason).toBe(kind === undefined ? "completed" : "failed");
    expect(exited.exitCode).toBe(capture.exit.exitCode);
    expect(exited.signal).toBe(capture.exit.signal ?? undefined);
    expect(result.text).toBe(text);
    expect(result.costUsd).toBeUndefined();

    const usages = events.flatMap((event) => (event.type === "usage" ? [event] : []));
    expect(
      usages.map((usage) => [
        usage.inputTokens,
        usage.cacheReadTokens,
        usage.cacheWriteTokens,
        usage.outputTokens,
        usage.reasoningTokens,
      ]),
    ).toEqual(tokens === undefined ? [] : [tokens]);
    if (tokens === undefined) return;
    const [input, read, written, output] = tokens;
    expect(usages[0]).toMatchObject({ totalTokens: input + read + written + output, scope });
  });
});
