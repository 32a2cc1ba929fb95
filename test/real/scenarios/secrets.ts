import { call, runCommand, say } from "../../../src/testing/index.js";
import type { RealScenario } from "../scenario.js";
import { usualUsage as usage } from "./usual-files.js";

/** Assembled here, so that no file contains text that looks like a key. */
const value = "tr0ub4dor-and-3-horses";
const key = `sk-${"ant"}-api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6`;
const masked = { [value]: "[redacted DEMO_TOKEN]", [key]: "[redacted anthropic-key]" };

/** The model uses secrets in its answers and calls, and the agent streams them in pieces. */
export const secrets: readonly RealScenario[] = [
  {
    name: "redact",
    prompt: "Tell me what you know.",
    options: ["--redact", "--env", `DEMO_TOKEN=${value}`],
    script: {
      usage,
      turns: [
        [say(`I will print ${value} first.`), call(runCommand(`echo ${value} ${key} > kept.trace`))],
        [say(`The value is ${value}, and the key ${key}, as you know.`)],
      ],
    },
    expected: {
      exitCode: 0,
      reason: "completed",
      text: `The value is ${masked[value]}, and the key ${masked[key]}, as you know.`,
      operations: [`command echo ${masked[value]} ${masked[key]} > kept.trace ok`],
      changes: { "kept.trace": `${value} ${key}\n` },
      requests: 2,
      masked,
    },
  },
];
