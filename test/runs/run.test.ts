import { expect, it } from "vitest";
import { collect, finish, ofType, start } from "./test-agent.js";

it("runs an agent from its prompt to its result", async () => {
  const { events, result, run } = await finish("talk");
  expect(events.map((event) => event.type).filter((type) => type !== "warning")).toEqual([
    "started",
    "session",
    "agent",
    "unknown",
    "unknown",
    "agent",
    "usage",
    "result",
    "exited",
  ]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index));
  expect(ofType(events, "agent").map((event) => event.message)).toEqual(["do it", "größer ✓ \u2028 "]);
  expect(ofType(events, "unknown").map((event) => event.raw)).toEqual(["not json", "bad \ufffd bytes"]);
  expect(ofType(events, "warning").map((event) => event.message)).toEqual(["a diagnostic"]);
  expect(result).toEqual({
    runId: run.runId,
    isSuccess: true,
    reason: "completed",
    text: "all good",
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, scope: "run" },
    durationMs: expect.any(Number),
    sessionId: "s-1",
    exitCode: 0,
    recording: run.recording,
  });
});

it("has a result although nobody iterates", async () => {
  const { run } = start("talk");
  expect(await run.result).toMatchObject({ isSuccess: true, text: "all good" });
});

it("keeps the beginning for a reader that comes after the end", async () => {
  const { run } = start("talk");
  await run.result;
  expect((await collect(run)).at(-1)).toMatchObject({ type: "exited" });
});

it("gives the native lines with their events", async () => {
  const { run } = start("talk");
  const steps = [];
  for await (const batch of run.batches()) steps.push(...batch);
  const stdout = steps.filter((step) => step.record?.stream === "stdout");
  expect(stdout).toHaveLength(7);
  expect(stdout[2]).toEqual({
    record: expect.objectContaining({ line: '{"type":"tick"}' }),
    events: [],
    rule: "tick",
  });
  expect(stdout[4]?.record).toMatchObject({
    bytes: Buffer.from("bad \xff bytes", "latin1").toString("base64"),
  });
  expect(stdout[6]?.record).toMatchObject({ newline: false });
  expect(steps[0]).toMatchObject({ events: [{ type: "started" }] });
  expect(steps.at(-1)).toMatchObject({ record: { stream: "exit", exitCode: 0, reason: "completed" } });
});

it("can be iterated once", async () => {
  const { run } = start("talk");
  await collect(run);
  expect(() => run.batches()).toThrow(expect.objectContaining({ code: "already_iterated" }));
});

it("goes on when the reader has seen enough", async () => {
  const { run } = start("talk");
  for await (const event of run) if (event.type === "session") break;
  expect(await run.result).toMatchObject({ isSuccess: true });
});

it.each([
  [0, { reason: "failed", failure: { kind: "unknown" } }],
  [3, { reason: "failed", failure: { kind: "crash", message: "the reason why" } }],
])("reports an exit with code %i without a final message as a failure", async (code, expected) => {
  const { events, result } = await finish("exit-with", { extraArgs: [String(code)] });
  expect(result).toMatchObject({ isSuccess: false, exitCode: code, ...expected });
  expect(ofType(events, "error").at(-1)?.message).toContain("the reason why");
});

it.each(["SIGKILL", "SIGSEGV", "SIGTERM", "SIGABRT", "SIGINT"])("tells a death by %s", async (signal) => {
  const { events, result } = await finish("die-by", { extraArgs: [signal.slice(3)] });
  const kind = signal === "SIGINT" ? "cancelled" : "killed";
  expect(result).toMatchObject({
    isSuccess: false,
    exitCode: null,
    signal,
    reason: "failed",
    failure: { kind },
  });
  expect(ofType(events, "unknown")).toEqual([expect.objectContaining({ raw: '{"type":"say","te' })]);
});

it("writes a large prompt to an agent that reads it", async () => {
  const { result } = await finish("echo-input", { prompt: "ä".repeat(1_500_000) });
  expect(result.text).toBe("3000000");
});

it("does not mind an agent that exits before it has read its prompt", async () => {
  const { result } = await finish("ignore-input", { prompt: "x".repeat(3_000_000) });
  expect(result).toMatchObject({ isSuccess: true, text: "did not listen" });
});

it("gives the agent its environment, without what breaks nesting", async () => {
  process.env["CLAUDECODE"] = "1";
  const names = ["CLAUDECODE", "HARNESS_RUN_ID", "MINE"];
  const { events, run } = await finish("show-environment", { extraArgs: names, env: { MINE: "yes" } });
  delete process.env["CLAUDECODE"];
  const shown = ofType(events, "agent").map((event) => event.message);
  expect(shown).toEqual(["CLAUDECODE=unset", `HARNESS_RUN_ID=${run.runId}`, "MINE=yes"]);
});

it("runs a hundred agents at once", async () => {
  const runs = Array.from({ length: 100 }, (_value, index) =>
    start("echo-input", { prompt: "x".repeat(index + 1), log: false }),
  );
  const results = await Promise.all(runs.map(({ run }) => run.result));
  expect(results.map((result) => result.text)).toEqual(runs.map((_run, index) => String(index + 1)));
});
