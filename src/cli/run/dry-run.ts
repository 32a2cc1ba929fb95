import { locateProgram } from "../../process/locate-program.js";
import { planRun } from "../../run/plan.js";
import type { Task } from "../../run/task.js";
import { toTable } from "../table.js";

/**
 * What would be executed: no value of a variable, and nothing is started or written. `module`: the one that
 * defines the agent; it is not loaded, so the arguments that it would choose are not known.
 */
export function describeDryRun(
  task: Task,
  module?: string | undefined,
): { text: string; isRunnable: boolean } {
  const { agent, launch, cwd, env, envNames, redact } = planRun(task);
  const wanted = {
    agentName: agent.name,
    names: agent.binaries,
    binary: task.binary,
    install: agent.install,
  };
  const located = locateProgram(wanted, { env, cwd });
  const rows = [
    ["agent", `${agent.name} (${agent.id})`],
    ["binary", "path" in located ? located.path : `not found: ${located.failure.message}`],
    ["arguments", describeArguments(launch.args.map(redact), module)],
    [
      "input",
      launch.stdin === undefined ? "closed" : `the prompt (${Buffer.byteLength(launch.stdin)} bytes)`,
    ],
    ["variables", envNames.length === 0 ? "none set" : `${envNames.join(", ")} (values not shown)`],
    ["directory", cwd],
    ["model", task.model ?? "the agent's own choice"],
    ["permissions", task.permissions ?? "full-access"],
  ];
  const [head = [], ...rest] = rows;
  return { text: toTable(head, rest), isRunnable: "path" in located };
}

function describeArguments(words: readonly string[], module: string | undefined): string {
  const quoted = words.map(quote).join(" ");
  if (module === undefined) return quoted;
  const chosen = `chosen by ${module}, which is loaded for a run only`;
  return quoted === "" ? chosen : `${quoted}, and others ${chosen}`;
}

/** As a person would type it into a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
