import { defaultPermissions } from "../../agents/definition.js";
import { permissionsName } from "../../live/rules/rule.js";
import { planTask } from "../../live/run.js";
import { locateProgram } from "../../process/locate-program.js";
import type { Plan } from "../../runs/plan.js";
import { defaultRecordingsDirectory } from "../../runs/recording/paths.js";
import type { Task } from "../../runs/task.js";
import { formatNumberOf } from "../../text/numbers.js";
import { quote } from "../quote.js";
import type { OutputTargets } from "../running/output-targets.js";
import { toTable } from "../table.js";
import type { RunFlags } from "./command.js";

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

/** What a dry run shows besides the task itself. */
export interface DryRunFacts {
  /** The module that defines the agent. It is not loaded, so the arguments that it would choose are not known. */
  module: string | undefined;
  targets: OutputTargets;
  flags: Pick<RunFlags, "outputFile" | "record" | "check">;
}

/** What would be executed: as rows with a command for a shell, and as an object for programs. */
export interface DryRun {
  text: string;
  json: Record<string, unknown>;
  /** False if the agent is not installed. */
  isRunnable: boolean;
}

/** Describes what would be executed. Values of the user's variables are not shown, and nothing is started or written. */
export function describeDryRun(task: Task, facts: DryRunFacts): DryRun {
  const plan = planTask(task);
  const { agent, cwd, env, envNames, redact, task: planned } = plan;
  const { names, binary, install } = {
    names: agent.binaries,
    binary: planned.binary,
    install: agent.install,
  };
  const located = locateProgram({ agentName: agent.name, names, binary, install }, { env, cwd });
  const program = "path" in located ? redact(located.path) : undefined;
  const command = program === undefined || facts.module !== undefined ? undefined : toCommand(plan, program);
  const written = writtenFiles(facts, task);
  const rows = [
    ["agent", `${agent.name} (${agent.id})`],
    ["program", "path" in located ? redact(located.path) : `not found: ${redact(located.failure.message)}`],
    ...(command === undefined ? [["arguments", describeArguments(plan, facts.module)]] : []),
    ["input", describeInput(plan)],
    ["variables", envNames.length === 0 ? "none set" : `${envNames.join(", ")}${hiddenNote(plan)}`],
    ["directory", redact(cwd)],
    ["model", redact(task.model ?? "the agent's own choice")],
    ...optionRows(plan),
    ...permissionRows(task.permissions),
    ...(facts.flags.check === undefined ? [] : [["check", redact(facts.flags.check)]]),
    ...(written.length === 0 ? [] : [["writes", written.join(", ")]]),
  ];
  const [head = [], ...rest] = rows;
  return {
    text: toTable(head, rest) + (command === undefined ? "" : `\n${command}\n`),
    json: toJsonPlan(plan, { program, written, command, module: facts.module, check: facts.flags.check }),
    isRunnable: program !== undefined,
  };
}

/** Files that the user asked for, in the order of the options. The recording has its own place. */
function writtenFiles({ targets, flags }: DryRunFacts, { log }: Task): string[] {
  return [
    ...targets.files.map(({ file }) => file),
    ...(flags.outputFile === undefined ? [] : [flags.outputFile]),
    ...(flags.record === undefined ? [] : [flags.record]),
    ...(log === false ? [] : [defaultRecordingsDirectory()]),
  ];
}

/**
 * One line for a shell: `cd DIR && env NAME=value program arguments </dev/null`. A variable whose value may be a secret is
 * taken from the shell, which says so if it is not set there.
 */
function toCommand(plan: Plan, program: string): string {
  const { launch, cwd, envNames, redact, redactWords, live } = plan;
  const variables = envNames.map((name) => `${name}=${shellValue(name, plan)}`);
  const words = [program, ...redactWords(launch.args)].map(quote);
  const started = variables.length === 0 ? words : ["env", ...variables, ...words];
  const input = launch.stdin === undefined || live !== undefined ? undefined : quote(redact(launch.stdin));
  const piped = input === undefined ? started.join(" ") : `printf %s ${input} | ${started.join(" ")}`;
  const isClosed = input === undefined && live === undefined;
  return `cd ${quote(redact(cwd))} && ${piped}${isClosed ? " </dev/null" : ""}`;
}

function shellValue(name: string, plan: Plan): string {
  return isHidden(name, plan)
    ? `"\${${name}:?its value is not shown}"`
    : quote(plan.redact(plan.launch.env?.[name] ?? ""));
}

/** What the launcher sets is no secret, unless it has the variables of MCP servers in it. */
function isHidden(name: string, { task, launch }: Plan): boolean {
  return task.env?.[name] !== undefined || launch.env?.[name] === undefined || task.mcpServers !== undefined;
}

function hiddenNote(plan: Plan): string {
  return plan.envNames.some((name) => isHidden(name, plan)) ? " (values not shown)" : "";
}

interface JsonFacts {
  program: string | undefined;
  written: readonly string[];
  command: string | undefined;
  module: string | undefined;
  check: string | undefined;
}

/** What is not set is absent. */
function toJsonPlan(
  plan: Plan,
  { program, written, command, module, check }: JsonFacts,
): Record<string, unknown> {
  const { agent, launch, live, cwd, envNames, redact, redactWords, home, task } = plan;
  const { model, permissions = defaultPermissions, timeoutMs, idleTimeoutMs, effort, allowedTools } = task;
  return {
    agent: agent.id,
    program,
    args: redactWords(launch.args),
    module,
    cwd: redact(cwd),
    input: live === undefined && launch.stdin !== undefined ? redact(launch.stdin) : undefined,
    live,
    env: envNames,
    model: model && redact(model),
    permissions,
    timeoutMs,
    idleTimeoutMs,
    effort,
    allowedTools,
    mcpServers: task.mcpServers && Object.keys(task.mcpServers),
    isIsolated: home === undefined ? undefined : true,
    files: launch.files && Object.keys(launch.files),
    check: check && redact(check),
    writes: written,
    command,
  };
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
    [
      "files",
      launch.files &&
        `${Object.keys(launch.files).join(", ")}, only for this run: the command below needs them`,
    ],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, redact(value)]]));
}

function seedOf({ home }: Task): string {
  return home === undefined ? "" : `, with the content of ${home}`;
}

function describeInput({ launch: { stdin }, live }: Plan): string {
  if (live !== undefined)
    return `a live session (${live}): the command below only starts the agent, and harness talks with it`;
  return stdin === undefined ? "closed" : `the prompt (${formatNumberOf(Buffer.byteLength(stdin), "byte")})`;
}

function describeArguments({ launch, redactWords }: Plan, module: string | undefined): string {
  const quoted = redactWords(launch.args).map(quote).join(" ");
  if (module === undefined) return quoted;
  const chosen = `chosen by ${module}, which is only loaded for a run`;
  return quoted === "" ? chosen : `${quoted}, and others ${chosen}`;
}
