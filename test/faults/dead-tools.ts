import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createToken, inDirectory, program } from "./agent.js";
import { startCommand } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { waitForSurvivors } from "./survivors.js";

const manners = ["heeds", "ignores", "launcher", "careless", "sheltered"] as const;
const tools = ["plain", "stubborn"] as const;

/** Every way to stop a run, and its exit code. */
const ways: readonly { options?: readonly string[]; signal?: NodeJS.Signals; exitCode: number | null }[] = [
  { options: ["--timeout", "4"], exitCode: 124 },
  { options: ["--idle-timeout", "3"], exitCode: 124 },
  { signal: "SIGINT", exitCode: 130 },
  { signal: "SIGTERM", exitCode: 143 },
  { signal: "SIGHUP", exitCode: 129 },
  { signal: "SIGKILL", exitCode: null },
];

export const deadTools: readonly Fault[] = [
  {
    name: "a run is stopped while its agent waits for a tool and would act on the tool's death",
    times: manners.length * tools.length * ways.length,
    attempt(index) {
      const way = ways[index % ways.length] ?? { exitCode: 124 };
      const rest = Math.floor(index / ways.length);
      const manner = manners[rest % manners.length] ?? "heeds";
      return stopOnce(way, manner, tools[Math.floor(rest / manners.length)] ?? "plain");
    },
  },
];

function stopOnce(
  { options = [], signal, exitCode }: (typeof ways)[number],
  manner: (typeof manners)[number],
  tool: (typeof tools)[number],
): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    const file = join(directory, "went-on.txt");
    const agent = ["--agent", "generic", "--binary", program("acting-agent.mjs"), "--prompt", "do it"];
    const command = startCommand({
      args: ["run", ...agent, "--format", "raw", ...options, "--", manner, tool, token, file],
      directory,
      onLine: () => void (signal !== undefined && command.child.kill(signal)),
    });
    const ended = await command.ended;
    const { left, afterMs } = await waitForSurvivors({ token });
    const tried = `${manner}, ${tool}, ${signal ?? options[0]}`;
    return {
      problems: [
        ...(existsSync(file) ? [`${tried}: ${readFileSync(file, "utf8").trim()}`] : []),
        ...(ended.exitCode === exitCode ? [] : [`${tried}: exit code ${ended.exitCode}, not ${exitCode}`]),
      ],
      eventsLost: Math.max(0, 1 - ended.lines.length),
      processesLeft: left,
      ...(signal === "SIGKILL" && { reapedMs: afterMs }),
    };
  });
}
