import { describe, expect, it } from "vitest";
import type { ExitReason, FailureKind } from "../../src/events/failure.js";
import { decideOutcome, describeExit, isAbnormalExit } from "../../src/events/outcome.js";
import type { Ended, ReportedFailure, RunState } from "../../src/events/run-state.js";

const badKey: ReportedFailure = { message: "Invalid API key", status: 401, isReported: true };
const exit0: Ended = { exitCode: 0 };
const exit1: Ended = { exitCode: 1 };
const byHand = (signal: string): Ended => ({ exitCode: null, signal });

interface Row {
  when: string;
  run?: Partial<RunState>;
  ended: Ended;
  words?: string;
  lastError?: string;
  gives: "success" | readonly [reason: ExitReason, kind: FailureKind, message: string];
}

/** The published rule, case by case. */
const rows: readonly Row[] = [
  { when: "it said so and exited with 0", run: { terminal: "success" }, ended: exit0, gives: "success" },
  {
    when: "it said so and had to be stopped afterwards",
    run: { terminal: "success" },
    ended: { exitCode: 143, stopped: true },
    gives: "success",
  },
  {
    when: "it said so and was killed by us afterwards",
    run: { terminal: "success" },
    ended: { exitCode: null, signal: "SIGKILL", stopped: true },
    gives: "success",
  },
  {
    when: "it has no final record and exited with 0",
    run: { needsTerminal: false },
    ended: exit0,
    gives: "success",
  },

  {
    when: "it could not start",
    ended: { exitCode: null, startFailure: { kind: "not_installed", message: "claude is not installed" } },
    gives: ["failed", "not_installed", "claude is not installed"],
  },
  {
    when: "it could not start, which outweighs that it was cancelled",
    ended: {
      exitCode: null,
      reason: "cancelled",
      startFailure: { kind: "config", message: "there is no directory /nowhere" },
    },
    gives: ["failed", "config", "there is no directory /nowhere"],
  },

  {
    when: "it was killed, and what was left of it said that it was interrupted",
    run: { failure: { message: "Aborted", kind: "cancelled", isReported: true } },
    ended: byHand("SIGKILL"),
    gives: ["failed", "killed", "killed by SIGKILL"],
  },
  {
    when: "it said that it was interrupted, and exited with another code than 0",
    run: { failure: { message: "Aborted", kind: "cancelled", isReported: true } },
    ended: exit1,
    gives: ["failed", "cancelled", "Aborted"],
  },
  {
    when: "it was interrupted by hand, and said so",
    run: { failure: { message: "Aborted", kind: "cancelled", isReported: true } },
    ended: byHand("SIGINT"),
    gives: ["failed", "cancelled", "Aborted"],
  },

  {
    when: "we cancelled it",
    ended: { exitCode: null, signal: "SIGTERM", reason: "cancelled" },
    gives: ["cancelled", "cancelled", "the run was cancelled"],
  },
  {
    when: "we cancelled it and it exited with 0",
    ended: { exitCode: 0, reason: "cancelled" },
    gives: ["cancelled", "cancelled", "the run was cancelled"],
  },
  {
    when: "we cancelled it after it had said that it succeeded and gone on",
    run: { terminal: "success" },
    ended: { exitCode: 0, reason: "cancelled" },
    gives: ["cancelled", "cancelled", "the run was cancelled"],
  },
  {
    when: "it took too long",
    ended: { exitCode: 143, reason: "timed_out", detail: "the run took longer than 5 s" },
    gives: ["timed_out", "timed_out", "the run took longer than 5 s"],
  },
  {
    when: "it took too long, whatever it had reported",
    run: { failure: badKey },
    ended: { exitCode: 143, reason: "timed_out" },
    gives: ["timed_out", "timed_out", "the run took longer than its time limit"],
  },
  {
    when: "it went silent",
    ended: { exitCode: null, signal: "SIGKILL", reason: "stalled" },
    gives: ["stalled", "stalled", "the agent printed nothing for longer than its idle limit"],
  },

  {
    when: "it reported a failure and exited with 0",
    run: { terminal: "failure", failure: badKey },
    ended: exit0,
    gives: ["failed", "auth", "Invalid API key"],
  },
  {
    when: "it reported a failure and exited with 1, whatever is on standard error",
    run: { terminal: "failure", failure: badKey },
    ended: exit1,
    words: "Rate limit reached",
    gives: ["failed", "auth", "Invalid API key"],
  },
  {
    when: "it reported a failure and was killed before its final message",
    run: { failure: badKey },
    ended: byHand("SIGKILL"),
    gives: ["failed", "auth", "Invalid API key"],
  },
  {
    when: "it reported a failure after its success",
    run: { terminal: "success", failure: badKey },
    ended: exit0,
    gives: ["failed", "auth", "Invalid API key"],
  },
  {
    when: "it reported a failure and had to be stopped afterwards",
    run: { terminal: "failure", failure: badKey },
    ended: { exitCode: 143, stopped: true },
    gives: ["failed", "auth", "Invalid API key"],
  },
  {
    when: "the kind is known beyond doubt",
    run: { terminal: "failure", failure: { ...badKey, kind: "budget" } },
    ended: exit1,
    gives: ["failed", "budget", "Invalid API key"],
  },
  {
    when: "its final message is a failure without a reason",
    run: { terminal: "failure" },
    ended: exit0,
    gives: ["failed", "unknown", "the agent reported a failure"],
  },
  {
    when: "its final message is a failure whose reason is on standard error",
    run: { terminal: "failure" },
    ended: exit1,
    words: "Error: Rate limit reached",
    gives: ["failed", "rate_limit", "Error: Rate limit reached"],
  },

  {
    when: "it exited with 1 and said nothing",
    ended: exit1,
    gives: ["failed", "crash", "exited with code 1"],
  },
  {
    when: "it exited with 1 and said why",
    ended: exit1,
    words: "Error: not logged in",
    gives: ["failed", "auth", "Error: not logged in"],
  },
  {
    when: "it exited with 1 and said something",
    ended: exit1,
    words: "Segmentation fault",
    gives: ["failed", "crash", "Segmentation fault"],
  },
  {
    when: "it exited with 1 after its success",
    run: { terminal: "success" },
    ended: exit1,
    gives: ["failed", "crash", "exited with code 1"],
  },
  {
    when: "it exited with 1 and has no final record",
    run: { needsTerminal: false },
    ended: exit1,
    gives: ["failed", "crash", "exited with code 1"],
  },
  {
    when: "someone else killed it",
    ended: byHand("SIGKILL"),
    gives: ["failed", "killed", "killed by SIGKILL"],
  },
  {
    when: "someone else killed it after its success",
    run: { terminal: "success" },
    ended: byHand("SIGTERM"),
    gives: ["failed", "killed", "killed by SIGTERM"],
  },
  {
    when: "someone else killed it and its words sound like a cause",
    ended: byHand("SIGTERM"),
    words: "Rate limit reached",
    gives: ["failed", "killed", "killed by SIGTERM"],
  },
  {
    when: "someone else killed it after an error that it did not get over",
    ended: byHand("SIGTERM"),
    words: "A notice",
    lastError: "Prompt too long",
    gives: ["failed", "killed", "killed by SIGTERM: Prompt too long"],
  },
  {
    when: "it killed itself and said why",
    ended: byHand("SIGABRT"),
    words: "FATAL ERROR: JavaScript heap out of memory",
    gives: ["failed", "killed", "killed by SIGABRT: FATAL ERROR: JavaScript heap out of memory"],
  },
  {
    when: "it was interrupted at the keyboard",
    ended: byHand("SIGINT"),
    gives: ["failed", "cancelled", "killed by SIGINT"],
  },
  {
    when: "it caught an interrupt",
    ended: { exitCode: 130 },
    gives: ["failed", "cancelled", "killed by SIGINT (exit code 130)"],
  },
  {
    when: "it caught a termination",
    ended: { exitCode: 143 },
    gives: ["failed", "killed", "killed by SIGTERM (exit code 143)"],
  },
  {
    when: "it caught a termination and said so",
    ended: { exitCode: 143 },
    words: "Shutting down",
    gives: ["failed", "killed", "killed by SIGTERM (exit code 143): Shutting down"],
  },
  {
    when: "a shell says that it was killed",
    ended: { exitCode: 137 },
    gives: ["failed", "killed", "killed by SIGKILL (exit code 137)"],
  },
  {
    when: "it ended in a way that nobody saw",
    ended: { exitCode: null },
    gives: ["failed", "crash", "ended without an exit code"],
  },
  {
    when: "an empty name of a signal is no signal",
    ended: { exitCode: 1, signal: "" },
    gives: ["failed", "crash", "exited with code 1"],
  },

  {
    when: "it exited with 0 and its final message is missing",
    ended: exit0,
    gives: ["failed", "unknown", "the stream ended without the agent's final record"],
  },
  {
    when: "it exited with 0, its final message is missing and it said why",
    ended: exit0,
    words: "connection reset",
    gives: ["failed", "network", "the stream ended without the agent's final record: connection reset"],
  },
  {
    when: "we stopped it and its final message is missing",
    ended: { exitCode: 143, stopped: true },
    gives: ["failed", "unknown", "the stream ended without the agent's final record"],
  },
];

describe("how a run ended", () => {
  it.each(rows)("when $when", ({ run, ended, words, lastError, gives }) => {
    const outcome = decideOutcome({ needsTerminal: true, ...run }, ended, { words, lastError });
    if (gives === "success") return expect(outcome).toEqual({ isSuccess: true, reason: "completed" });
    const [reason, kind, message] = gives;
    expect(outcome).toEqual({ isSuccess: false, reason, failure: { kind, message } });
  });

  it("is a success only when nothing speaks against it, in every combination", () => {
    const none = undefined;
    const terminals = [none, "success", "failure"] as const;
    const exits: Ended[] = [
      { exitCode: 0 },
      { exitCode: 1 },
      { exitCode: 130 },
      { exitCode: 143 },
      { exitCode: null },
      byHand("SIGINT"),
      byHand("SIGTERM"),
    ];
    const reasons = [none, "completed", "failed", "cancelled", "timed_out", "stalled"] as const;
    const starts = [none, { kind: "not_installed", message: "not installed" }] as const;
    let combinations = 0;
    for (const terminal of terminals)
      for (const failure of [none, badKey])
        for (const needsTerminal of [true, false])
          for (const exit of exits)
            for (const reason of reasons)
              for (const stopped of [false, true])
                for (const startFailure of starts) {
                  combinations += 1;
                  const ended: Ended = {
                    ...exit,
                    stopped,
                    ...(reason && { reason }),
                    ...(startFailure && { startFailure }),
                  };
                  const outcome = decideOutcome({ terminal, failure, needsTerminal }, ended, none);
                  const isByUs = reason === "cancelled" || reason === "timed_out" || reason === "stalled";
                  const isSuccess =
                    startFailure === none &&
                    !isByUs &&
                    failure === none &&
                    terminal !== "failure" &&
                    (stopped || exit.exitCode === 0) &&
                    (terminal === "success" || !needsTerminal);
                  expect(outcome.isSuccess, JSON.stringify({ terminal, failure, needsTerminal, ended })).toBe(
                    isSuccess,
                  );
                  expect(outcome.reason === "completed").toBe(isSuccess);
                  expect(outcome.failure === none).toBe(isSuccess);
                  expect(outcome.failure?.message).not.toBe("");
                }
    expect(combinations).toBe(3 * 2 * 2 * 7 * 6 * 2 * 2);
  });
});

describe("the end of a process", () => {
  it.each([
    [{ exitCode: 0 }, false],
    [{ exitCode: 0, signal: null }, false],
    [{ exitCode: 0, signal: "" }, false],
    [{ exitCode: 1 }, true],
    [{ exitCode: null }, true],
    [{ exitCode: null, signal: "SIGTERM" }, true],
    [{ exitCode: 0, signal: "SIGTERM" }, true],
    [{ exitCode: 143, stopped: true }, false],
  ] as const)("%o needs an error of its own: %s", (ended, isAbnormal) => {
    expect(isAbnormalExit(ended)).toBe(isAbnormal);
  });

  it("is described for people", () => {
    expect(describeExit({ exitCode: 3 })).toBe("exited with code 3");
    expect(describeExit({ exitCode: null, signal: "SIGKILL" })).toBe("killed by SIGKILL");
    expect(describeExit({ exitCode: null })).toBe("ended without an exit code");
    expect(describeExit({ exitCode: null, detail: "the disk is gone" })).toBe("the disk is gone");
  });
});
