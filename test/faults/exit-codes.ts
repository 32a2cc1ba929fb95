import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createToken, inDirectory } from "./agent.js";
import { startCommand } from "./command.js";
import type { Fault } from "./fault.js";
import { genericRun, lastTypes } from "./generic-run.js";
import { countSurvivors } from "./survivors.js";

const otherPrograms = fileURLToPath(new URL("../fixtures/programs/", import.meta.url));

interface Case {
  exitCode: number;
  args(token: string): string[];
  env?: Record<string, string>;
}

const exits = { helpers: "session", manner: "exit", lines: 5 } as const;
const stays = { helpers: "deaf", manner: "stay", lines: 5 } as const;

/** One case for each way a run can end. */
const cases: readonly Case[] = [
  { exitCode: 0, args: (token) => genericRun(exits, token, full) },
  { exitCode: 1, args: (token) => genericRun({ ...exits, manner: "fail" }, token, full) },
  { exitCode: 1, args: (token) => genericRun({ ...exits, manner: "die-11" }, token, full) },
  { exitCode: 124, args: (token) => genericRun(stays, token, [...full, "--timeout", "1"]) },
  { exitCode: 124, args: (token) => genericRun(stays, token, [...full, "--idle-timeout", "1"]) },
  { exitCode: 127, args: () => withBinary("/no/such/program") },
  {
    exitCode: 127,
    args: () => ["run", "--agent", "claude", "--prompt", "do it", ...full],
    env: { PATH: "/nowhere" },
  },
  { exitCode: 2, args: () => withBinary(join(otherPrograms, "not-executable")) },
  { exitCode: 2, args: () => withBinary(join(otherPrograms, "for-another-processor")) },
  { exitCode: 2, args: () => withBinary(join(otherPrograms, "missing-interpreter")) },
  { exitCode: 2, args: () => withBinary("/bin/true", "--cwd", "/no/such/directory") },
  { exitCode: 2, args: () => withBinary("/bin/true", "--cwd", "/etc/passwd") },
  { exitCode: 74, args: (token) => genericRun(exits, token, [...full, "--output-file", "/dev/full"]) },
  { exitCode: 74, args: (token) => genericRun(exits, token, full), env: { XDG_DATA_HOME: "/proc/nowhere" } },
];

const full = ["--format", "full"];

function withBinary(binary: string, ...options: string[]): string[] {
  return ["run", "--agent", "generic", "--binary", binary, "--prompt", "do it", ...full, ...options];
}

export const exitCodes: readonly Fault[] = [
  {
    name: `${cases.length} ways to start and end, each with its exit code`,
    times: cases.length,
    attempt: (index) =>
      inDirectory(async (directory) => {
        const token = createToken();
        const { exitCode, args, env = {} } = cases[index] ?? { exitCode: -1, args: () => [] };
        const ended = await startCommand({ args: args(token), directory, env }).ended;
        return {
          problems: [
            ...(ended.exitCode === exitCode ? [] : [`exit code ${ended.exitCode}, not ${exitCode}`]),
            ...(lastTypes(ended.lines) === "result exited" ? [] : ["the printed stream is not whole"]),
          ],
          eventsLost: 0,
          processesLeft: countSurvivors({ token }),
        };
      }),
  },
];
