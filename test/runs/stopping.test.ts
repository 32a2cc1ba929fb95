import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../src/events/event.js";
import { readMeta } from "../../src/runs/recording/meta.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import type { Task } from "../../src/runs/task.js";
import { isAlive, markedPids, until } from "../process/alive.js";
import { finish, ofType, start, temporaryDirectory } from "./test-agent.js";

interface Stopped {
  events: HarnessEvent[];
  result: Awaited<ReturnType<typeof finish>>["result"];
  tookMs: number;
}

/** Runs a program, does something when it has said `afterMessages` things, and waits for the end. */
async function stopWhenUp(
  name: string,
  stop: (run: ReturnType<typeof start>["run"]) => void,
  task: Partial<Task> = {},
  afterMessages = 1,
): Promise<Stopped> {
  const { run } = start(name, task);
  const events: HarnessEvent[] = [];
  let stoppedAt = 0;
  for await (const event of run) {
    events.push(event);
    if (event.type !== "agent" || ofType(events, "agent").length !== afterMessages) continue;
    stop(run);
    stoppedAt = performance.now();
  }
  const result = await run.result;
  expect(markedPids(run.runId)).toEqual([]);
  return { events, result, tookMs: performance.now() - stoppedAt };
}

function pidsSaid(events: readonly HarnessEvent[]): number[] {
  return ofType(events, "agent").map((event) => Number(event.message));
}

describe("cancel", () => {
  it("stops the agent", async () => {
    const { result, events, tookMs } = await stopWhenUp("hang", (run) => run.cancel());
    expect(result).toMatchObject({
      isSuccess: false,
      reason: "cancelled",
      signal: "SIGTERM",
      failure: { kind: "cancelled" },
    });
    expect(events.slice(-3).map((event) => event.type)).toEqual(["error", "result", "exited"]);
    expect(tookMs).toBeLessThan(1500);
  });

  it("works by AbortSignal", async () => {
    const controller = new AbortController();
    const { result } = await stopWhenUp("hang", () => controller.abort(), { signal: controller.signal });
    expect(result).toMatchObject({ reason: "cancelled" });
  });

  it("kills an agent that takes no notice after 2 s", async () => {
    const { result, tookMs } = await stopWhenUp("ignore-term", (run) => run.cancel());
    expect(result).toMatchObject({ reason: "cancelled", signal: "SIGKILL" });
    expect(tookMs).toBeGreaterThan(1900);
    expect(tookMs).toBeLessThan(4000);
  });

  it("kills at once when it is called again", async () => {
    const { result, tookMs } = await stopWhenUp("ignore-term", (run) => {
      run.cancel();
      run.cancel();
    });
    expect(result).toMatchObject({ reason: "cancelled", signal: "SIGKILL" });
    expect(tookMs).toBeLessThan(1500);
  });

  it("gives the agent and a child that left its group the chance to end cleanly", async () => {
    const directory = temporaryDirectory();
    const { result } = await stopWhenUp("end-cleanly", (run) => run.cancel(), { extraArgs: [directory] });
    expect(result).toMatchObject({ reason: "cancelled", exitCode: 0 });
    expect(existsSync(join(directory, "parent"))).toBe(true);
    expect(existsSync(join(directory, "child"))).toBe(true);
  });

  it("finds what forked away, although it ignores SIGTERM", async () => {
    const { events, result } = await stopWhenUp(
      "fork-away",
      (run) => run.cancel(),
      { extraArgs: ["hang"] },
      2,
    );
    expect(pidsSaid(events)).toHaveLength(2);
    expect(pidsSaid(events).filter(isAlive)).toEqual([]);
    expect(result.reason).toBe("cancelled");
  });

  it("finds a child without a marker by its descent", async () => {
    const { events } = await stopWhenUp("hide", (run) => run.cancel(), {}, 1);
    expect(pidsSaid(events)).toHaveLength(1);
    expect(pidsSaid(events).filter(isAlive)).toEqual([]);
  });

  it("kills at once when a limit is stopping the run already", async () => {
    const { run } = start("ignore-term", { timeoutMs: 300 });
    await until(() => run.stopping !== undefined, 5000);
    const stoppedAt = performance.now();
    run.cancel();
    expect(await run.result).toMatchObject({ reason: "timed_out", signal: "SIGKILL" });
    expect(performance.now() - stoppedAt).toBeLessThan(1500);
  });

  it("changes nothing after the end", async () => {
    const { run, result } = await finish("talk");
    run.cancel();
    run.cancel();
    expect(await run.result).toEqual(result);
  });
});

describe("while it is being stopped", () => {
  it.each([
    { reason: "cancelled", program: "ignore-term", task: {} },
    { reason: "timed_out", program: "ignore-term", task: { timeoutMs: 300 } },
    { reason: "stalled", program: "ignore-term", task: { idleTimeoutMs: 300 } },
    { reason: "not_exiting", program: "linger", task: { graceMs: 300 } },
  ] as const)("a run says why, and so does its recording ($reason)", async ({ reason, program, task }) => {
    const { run, sessions } = start(program, task);
    const { meta } = recordingPaths(sessions, run.runId);
    expect(run.stopping).toBeUndefined();
    if (reason === "cancelled") run.cancel();
    await until(() => run.stopping !== undefined, 5000);
    expect(run.stopping).toBe(reason);
    expect(readMeta(meta).stopping).toBe(reason);
    await run.result;
    expect(readMeta(meta)).not.toHaveProperty("stopping");
  });
});

describe("limits", () => {
  it("ends a run that takes too long", async () => {
    const { result } = await finish("half-line", { timeoutMs: 300 });
    expect(result).toMatchObject({
      isSuccess: false,
      reason: "timed_out",
      failure: { kind: "timed_out", message: "the run took longer than its time limit of 300 ms" },
    });
  });

  it("ends a run that is silent for too long, and keeps the half line it had", async () => {
    const { result, events } = await finish("half-line", { idleTimeoutMs: 300 });
    expect(result).toMatchObject({ reason: "stalled", failure: { kind: "stalled" } });
    expect(ofType(events, "unknown")).toEqual([
      expect.objectContaining({ raw: '{"type":"say","text":"half' }),
    ]);
  });

  it("takes no offence at an agent that goes on printing", async () => {
    const { result } = await finish("speak-again", { idleTimeoutMs: 600, graceMs: 600 });
    expect(result).toMatchObject({ isSuccess: true, text: "made it" });
  });

  it("warns of silence, once per silence", async () => {
    const { events } = await finish("half-line", { silenceMs: 100, timeoutMs: 600 });
    expect(ofType(events, "warning")).toEqual([expect.objectContaining({ code: "silent" })]);
  });
});

describe("after the final message", () => {
  it("stops an agent that does not exit, and lets the outcome stand", async () => {
    const { events, result } = await finish("linger", { graceMs: 300 });
    expect(result).toMatchObject({ isSuccess: true, reason: "completed", text: "said", signal: "SIGTERM" });
    expect(ofType(events, "warning")).toEqual([expect.objectContaining({ code: "not_exiting" })]);
    expect(ofType(events, "error")).toEqual([]);
  });

  it("does so after a fatal error too", async () => {
    const { result } = await finish("linger-after-fatal", { graceMs: 300 });
    expect(result).toMatchObject({ isSuccess: false, reason: "failed", failure: { kind: "auth" } });
  });

  it("lets the outcome stand when a limit ends the wait", async () => {
    const { result } = await finish("linger", { timeoutMs: 400 });
    expect(result).toMatchObject({ isSuccess: true, reason: "completed" });
  });
});

describe("while work that the agent has started is open", () => {
  it("waits for its last answer, longer than for an exit", async () => {
    const { events, result } = await finish("work-on", { graceMs: 100 });
    expect(result).toMatchObject({ isSuccess: true, reason: "completed", text: "late", exitCode: 0 });
    expect(ofType(events, "result")).toHaveLength(1);
    expect(ofType(events, "warning")).toEqual([]);
  });

  it("stops an agent that does not exit when the work is over", async () => {
    const { events, result } = await finish("work-on", { graceMs: 100, extraArgs: ["linger"] });
    expect(result).toMatchObject({ isSuccess: true, text: "late", signal: "SIGTERM" });
    expect(ofType(events, "warning")).toMatchObject([{ code: "not_exiting" }]);
  });

  it("was cut short by a limit, whatever it had answered", async () => {
    const { result } = await finish("work-on", { timeoutMs: 500, extraArgs: ["for-ever"] });
    expect(result).toMatchObject({ isSuccess: false, reason: "timed_out", text: "early" });
  });

  it("was cancelled, whatever it had answered", async () => {
    const { result } = await stopWhenUp("work-on", (run) => run.cancel(), { extraArgs: ["for-ever"] });
    expect(result).toMatchObject({ isSuccess: false, reason: "cancelled" });
  });

  it("says in a silence what is waited for", async () => {
    const { events } = await finish("work-on", { silenceMs: 100, timeoutMs: 800, extraArgs: ["for-ever"] });
    const [warning] = ofType(events, "warning");
    expect(warning).toMatchObject({ code: "silent", message: expect.stringContaining("npm test") });
  });
});

describe("after the exit", () => {
  it("stops what the agent left behind, and says so", async () => {
    const { events, result, run } = await finish("fork-away", { extraArgs: ["exit"] });
    expect(pidsSaid(events)).toHaveLength(2);
    expect(pidsSaid(events).filter(isAlive)).toEqual([]);
    expect(markedPids(run.runId)).toEqual([]);
    expect(result).toMatchObject({ isSuccess: true, text: "forked" });
    expect(ofType(events, "warning")).toEqual([
      expect.objectContaining({ code: "left_running", message: expect.stringContaining("sleep") }),
    ]);
  });

  it("tells how the agent ended, although the run is cancelled while the rest is stopped", async () => {
    const { run } = start("fork-away", { extraArgs: ["fail"] });
    await until(() => !existsSync(`/proc/${run.pid}`), 3000);
    run.cancel();
    run.cancel();
    expect(await run.result).toMatchObject({ isSuccess: false, reason: "failed", exitCode: 3 });
    expect(markedPids(run.runId)).toEqual([]);
  });

  it("does not wait for what holds its output open and cannot be found", async () => {
    const startedAt = performance.now();
    const { events, result } = await finish("hold-pipes");
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(result).toMatchObject({ isSuccess: true, text: "held" });
    for (const pid of pidsSaid(events)) process.kill(pid);
  });
});
