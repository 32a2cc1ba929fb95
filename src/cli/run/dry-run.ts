import { locateProgram } from "../../process/locate-program.js";
import { planRun } from "../../run/plan.js";
import type { Task } from "../../run/task.js";
import { toTable } from "../table.js";

/** What would be executed: no value of a variable, and nothing is started or written. */
export function describeDryRun(task: Task): { text: string; isRunnable: boolean } {
  const { agent, launch, cwd, env, envNames, redact, redactWords } = planRun(task);
  const wanted = {
    agentName: agent.name,
    names: agent.binaries,
    binary: task.binary,
    install: agent.install,
  };
  const located = locateProgram(wanted, { env, cwd });
  const rows = [
    ["agent", `${agent.name} (${agent.id})`],
    ["binary", redact("path" in located ? located.path : `not found: ${located.failure.message}`)],
    ["arguments", redactWords(launch.args).map(quote).join(" ")],
    [
      "input",
      launch.stdin === undefined ? "closed" : `the prompt (${Buffer.byteLength(launch.stdin)} bytes)`,
    ],
    ["variables", envNames.length === 0 ? "none set" : `${envNames.join(", ")} (values not shown)`],
    ["directory", redact(cwd)],
    ["model", redact(task.model ?? "the agent's own choice")],
    ["permissions", task.permissions ?? "full-access"],
  ];
  const [head = [], ...rest] = rows;
  return { text: toTable(head, rest), isRunnable: "path" in located };
}

/** As a person would type it into a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
