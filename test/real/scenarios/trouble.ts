import { call, cutConnection, httpError, runCommand, say, writeFile } from "../../../src/testing/index.js";
import type { RealScenario } from "../scenario.js";
import { begunTrace, endless } from "./endless.js";
import { usualUsage as usage } from "./usual-files.js";

/** Failures that can happen to a run. */
export const trouble: readonly RealScenario[] = [
  {
    name: "api401",
    prompt: "Say something.",
    script: { turns: [httpError(401, "Incorrect API key provided: sk-test.")] },
    expected: {
      exitCode: 1,
      reason: "failed",
      failure: "auth",
      operations: [],
      requests: "*",
      hasUsage: false,
    },
  },
  {
    name: "refused",
    prompt: "Say something.",
    script: { turns: [] },
    isRefused: true,
    expected: {
      exitCode: 1,
      reason: "failed",
      failure: "network",
      operations: [],
      requests: 0,
      hasUsage: false,
    },
  },
  {
    name: "cutoff",
    prompt: "Say something long.",
    script: { usage, turns: [cutConnection([say("Half an answ")]), [say("The whole answer.")]] },
    expected: {
      exitCode: 0,
      reason: "completed",
      text: "The whole answer.",
      operations: [],
      requests: 2,
    },
  },
  {
    name: "killed",
    prompt: "Run something endless.",
    script: { usage, turns: [[call(runCommand(endless))], [say("It ended.")]] },
    during: async (live) => {
      await live.commandBegun(begunTrace);
      await live.signalAgent("SIGKILL");
      return undefined;
    },
    expected: {
      exitCode: 1,
      reason: "failed",
      failure: "killed",
      operations: [`command ${endless}`],
      changes: { [begunTrace]: "begun\n" },
      requests: 1,
      hasUsage: false,
    },
  },
  {
    name: "terminated",
    prompt: "Run something endless.",
    script: { usage, turns: [[call(runCommand(endless))], [say("It ended.")]] },
    during: async (live) => {
      await live.commandBegun(begunTrace);
      await live.signalAgent("SIGTERM");
      return undefined;
    },
    expected: {
      exitCode: 1,
      reason: "failed",
      failure: "killed",
      operations: [`command ${endless}`],
      changes: { [begunTrace]: "begun\n" },
      requests: 1,
      hasUsage: false,
    },
  },
  {
    name: "readonly",
    prompt: "Change something.",
    script: {
      usage,
      turns: [
        [call(writeFile("forbidden.txt", "written\n"))],
        [call(runCommand("echo forbidden > forbidden.trace"))],
        [say("I may not.")],
      ],
    },
    options: ["--permissions", "read-only"],
    expected: {
      exitCode: 0,
      reason: "completed",
      text: "I may not.",
      operations: ["write forbidden.txt failed", "command echo forbidden > forbidden.trace failed"],
      requests: 3,
    },
  },
];
