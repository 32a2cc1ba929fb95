import { call, runCommand, say, slow, startCommand, startSubagent } from "../../../src/testing/index.js";
import type { RealScenario } from "../scenario.js";
import { usualUsage as usage } from "./usual-files.js";

/** Longer than the grace period, and longer than any agent takes to exit. */
const late = "sleep 20; echo late > late.trace";

/** Work that outlives the turn that started it. Most agents do not wait for it; it is stopped when they end. */
export const background: readonly RealScenario[] = [
  {
    name: "background",
    prompt: "Start something long.",
    script: {
      usage,
      turns: [[call(startCommand(late))], [say("It runs, I will report.")], [say("It has ended.")]],
    },
    expected: {
      exitCode: 0,
      reason: "completed",
      text: "It runs, I will report.",
      operations: [`command nohup sh -c '${late}' > /dev/null 2>&1 & ok`],
      requests: 2,
    },
  },
  {
    name: "latesubagent",
    prompt: "Delegate something long.",
    script: {
      usage,
      turns: [
        [call(startSubagent("Leave a trace", "TASK-8 leave a trace"))],
        [say("The helper is at work.")],
        [say("The helper is done.")],
      ],
      subagents: [
        {
          prompt: "TASK-8",
          turns: [[slow(4000), call(runCommand("echo helper > helper.trace"))], [say("Trace left.")]],
        },
      ],
    },
    expected: {
      exitCode: 0,
      reason: "completed",
      text: "The helper is at work.",
      operations: ["subagent_started"],
      requests: "*",
    },
  },
];
