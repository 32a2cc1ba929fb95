import { defaultPermissions } from "../../agents/definition.js";
import { permissionsName } from "../../live/rules/rule.js";
import { planTask } from "../../live/run.js";
import { locateProgram } from "../../process/locate-program.js";
import type { Plan } from "../../runs/plan.js";
import type { Task } from "../../runs/task.js";
import { quote } from "../quote.js";
import { toTable } from "../table.js";

const permissionWords: Readonly<Record<string, string>> = {
  "full-access": "full-access: it may change files and run commands without asking",
  "read-only": "read-only",
  ask: "ask: it asks, and nobody can answer here",
  rules: "rules: what they do not allow is denied, since nobody can answer here",
};

/** What the agent may do, with every rule as it was written. */
export function permissionRows(permissions: Task["permissions"] = defaultPermissions): string[][] {
  const lists = typeof permissions === "string" ? {} : permissions;
  const rows = [
    ["deny", lists.deny],
    ["ask", lists.ask],
    ["allow", lists.allow],
  ] as const;
  return [
    ["permissions", permissionWords[permissionsName(permissions)] ?? ""],
    ...rows.flatMap(([list, rules = []]) => rules.map((rule) => [`  ${list}`, rule])),
  ];
}

/**
 * Describes what would be executed. Values of variables are not shown, and nothing is started or written. `module`
 * defines the agent. It is not loaded, so the arguments that it would choose are not known.
 */
export function describeDryRun(
  task: Task,
  module?: string | undefined,
): { text: string; isRunnable: boolean } {
  const plan = planTask(task);
  const { agent, launch, live, cwd, env, envNames, redact, redactWords, task: planned } = plan;
  const wanted = {
    agentName: agent.name,
    names: agent.binaries,
    binary: planned.binary,
    install: agent.install,
  };
  const located = locateProgram(wanted, { env, cwd });
  const rows = [
    ["agent", `${agent.name} (${agent.id})`],
    ["binary", redact("path" in located ? located.path : `not found: ${located.failure.message}`)],
    ["arguments", describeArguments(redactWords(launch.args), module)],
    ["input", describeInput(launch.stdin, live)],
    ["variables", envNames.length === 0 ? "none set" : `${envNames.join(", ")} (values not shown)`],
    ["directory", redact(cwd)],
    ["model", redact(task.model ?? "the agent's own choice")],
    ...optionRows(plan),
    ...permissionRows(task.permissions),
  ];
  const [head = [], ...rest] = rows;
  return { text: toTable(head, rest), isRunnable: "path" in located };
}

/** Options that the arguments do not show, because they are variables or files. Only those that were given. */
function optionRows({ agent, task, launch, home, redact }: Plan): string[][] {
  const { effort, allowedTools, mcpServers, schema } = task;
  const moved = Object.keys(agent.isolation?.variables ?? {}).join(", ");
  const rows: (readonly [string, string | undefined])[] = [
    ["home", home && `a fresh one for this run${moved && ` (${moved})`}${seedOf(task)}`],
    ["effort", effort],
    ["tools", allowedTools && (allowedTools.join(", ") || "none")],
    ["MCP servers", mcpServers && (Object.keys(mcpServers).join(", ") || "none")],
    ["schema", schema && "the answer must fit it"],
    ["files", launch.files && `${Object.keys(launch.files).join(", ")}, only for this run`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, redact(value)]]));
}

function seedOf({ home }: Task): string {
  return home === undefined ? "" : `, with the content of ${home}`;
}

function describeInput(stdin: string | undefined, live: string | undefined): string {
  if (live !== undefined) return `a live session (${live})`;
  return stdin === undefined ? "closed" : `the prompt (${Buffer.byteLength(stdin)} bytes)`;
}

function describeArguments(words: readonly string[], module: string | undefined): string {
  const quoted = words.map(quote).join(" ");
  if (module === undefined) return quoted;
  const chosen = `chosen by ${module}, which is only loaded for a run`;
  return quoted === "" ? chosen : `${quoted}, and others ${chosen}`;
}
