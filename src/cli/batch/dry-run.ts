import type { ResolveArm } from "../../batch/batch.js";
import type { CheckedArm, CheckedPlan, CheckedTask } from "../../batch/model/plan.js";
import type { Source } from "../../batch/model/source.js";
import { taskOf } from "../../batch/resolve-arms.js";
import type { PlannedBatch } from "../../batch/run-batch.js";
import { permissionsName } from "../../live/rules/rule.js";
import { planTask } from "../../live/run.js";
import { locateProgram } from "../../process/locate-program.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../text/numbers.js";
import { spellSafely, toJson } from "../../text/to-json.js";
import type { StandardOutput } from "../output.js";
import { quote } from "../quote.js";
import { toTable } from "../table.js";
import { type EarlierCost, findEarlierCost } from "./earlier-costs.js";
import { cellName } from "./figures.js";
import type { ProgressFormat } from "./progress.js";

export interface DryRunOptions {
  resolveArm: ResolveArm;
  /** The module that defines an agent. It is not loaded, so the arguments that it would choose are not known. */
  moduleOf(agent: string): string | undefined;
  format: ProgressFormat;
  output: StandardOutput;
}

/** Describes what a batch would do. Nothing is started or kept. `ndjson`: one line for each cell. */
export async function describePlanned(planned: PlannedBatch, options: DryRunOptions): Promise<void> {
  const { output, resolveArm } = options;
  if (options.format === "ndjson") {
    for (const { id, task, arm, repetition } of planned.cells)
      await output.print(
        `${spellSafely(toJson({ cellId: id, taskId: task.id, armId: arm.id, repetition }))}\n`,
      );
    return;
  }
  const arms = await Promise.all(
    planned.plan.arms.map(async (arm) => {
      const { agent, model } = resolveArm(arm);
      return { arm, cost: await findEarlierCost(agent.id, model) };
    }),
  );
  const parts = [
    describePlan(planned),
    `Tasks\n${planned.plan.tasks.map((task) => describeTask(task, planned.sources[task.id])).join("")}`,
    `Arms\n${arms.map(({ arm, cost }) => describeArm(planned, arm, options, cost)).join("")}`,
    describeCells(planned),
    describeCost(planned, arms),
  ];
  await output.print(parts.join("\n"));
}

function describePlan({ plan, cells }: PlannedBatch): string {
  const { tasks, arms, repeats, concurrency, budgetUsd, timeoutMs, isolated, retries, limits } = plan;
  const parts = [
    formatNumberOf(tasks.length, "task"),
    formatNumberOf(arms.length, "arm"),
    formatNumberOf(repeats, "repetition"),
  ];
  const limited = Object.entries(limits).map(([agent, limit]) => `${agent} ${limit}`);
  const rows = facts([
    ["at once", [formatCount(concurrency), ...limited].join(", ")],
    ["budget", budgetUsd === undefined ? "no limit" : formatUsd(budgetUsd)],
    ["time limit", timeoutMs === undefined ? "none" : formatDuration(timeoutMs)],
    ["retries", `${retries}, after a temporary failure`],
    [
      "home",
      isolated ? "a fresh one for each run" : "your own: settings, skills and servers reach the agents",
    ],
  ]);
  return `${toVisibleLine(plan.name, 80)}: ${parts.join(" × ")} = ${formatNumberOf(cells.length, "run")}\n${rows}`;
}

type Fact = readonly [label: string, value: string | undefined];

/** Indented rows. Those without a value are left out. */
function facts(rows: readonly Fact[], indent = "  "): string {
  const shown = rows.flatMap(([label, value]) => (value === undefined ? [] : [[`${indent}${label}`, value]]));
  const [head = [], ...rest] = shown;
  return toTable(head, rest);
}

function describeTask(task: CheckedTask, source: Source | undefined): string {
  return `  ${task.id}\n${facts(
    [
      ["prompt", toVisibleLine(task.prompt, 100)],
      ["workspace", describeSource(source)],
      ["setup", task.setup],
      ["check", task.check ?? "none: the agent's own success passes"],
      ["schema", task.schema && "the answer must fit it"],
      ["time limit", task.timeoutMs === undefined ? undefined : formatDuration(task.timeoutMs)],
    ],
    "    ",
  )}`;
}

function describeSource(source: Source | undefined): string {
  if (source?.kind === "git") return `${source.repository} at ${source.commit.slice(0, 12)}`;
  return source?.kind === "copy" ? `a copy of ${source.from}` : "an empty directory";
}

function describeArm(
  { plan }: PlannedBatch,
  arm: CheckedArm,
  options: DryRunOptions,
  cost: EarlierCost | undefined,
): string {
  const resolved = options.resolveArm(arm);
  const [task] = plan.tasks;
  const { mcpServers, effort, allowedTools, home, permissions = "full-access" } = arm;
  return `  ${arm.id}\n${facts(
    [
      ["agent", `${resolved.agent.name} (${resolved.agent.id})`],
      ["model", resolved.model ?? "the agent's own choice"],
      ["command", task && describeCommand(plan, task, arm, options)],
      ["permissions", permissionsName(permissions)],
      ["effort", effort],
      ["tools", allowedTools?.join(", ")],
      ["MCP servers", mcpServers && Object.keys(mcpServers).join(", ")],
      ["variables", Object.keys(resolved.env ?? {}).join(", ") || undefined],
      ["home", home && `with the content of ${home}`],
      [
        "cost",
        cost === undefined
          ? "unknown: no earlier run is recorded with its cost"
          : `about ${formatUsd(cost.usd)} a run (${formatNumberOf(cost.runs, "earlier run")})`,
      ],
    ],
    "    ",
  )}`;
}

/** The command for the first task. The home makes no difference to the arguments. */
function describeCommand(
  plan: CheckedPlan,
  first: CheckedTask,
  arm: CheckedArm,
  { resolveArm, moduleOf }: DryRunOptions,
): string {
  const task = { ...taskOf(plan, first, arm, resolveArm(arm)), isolated: false, home: undefined };
  const { agent, launch, env, cwd, redactWords, task: planned } = planTask(task);
  const { name: agentName, binaries: names, install } = agent;
  const located = locateProgram({ agentName, names, binary: planned.binary, install }, { env, cwd });
  const program = "path" in located ? located.path : `not found: ${located.failure.message}`;
  const words = redactWords(launch.args).map((word) => toVisibleLine(quote(word), maxWord));
  const module = moduleOf(arm.agent);
  const rest =
    module === undefined ? [] : [`(arguments chosen by ${module}, which is only loaded for a run)`];
  return [program, ...words, ...rest].join(" ");
}

const maxWord = 120;
const shownCells = 50;

function describeCells({ cells }: PlannedBatch): string {
  const rest = cells.length - shownCells;
  const rows = cells.slice(0, shownCells).map((cell) => `  ${cell.id}  ${cellName(cell)}\n`);
  const more = rest > 0 ? `  and ${formatCount(rest)} more: --dry-run -f ndjson lists all of them\n` : "";
  return `Cells\n${rows.join("")}${more}`;
}

function describeCost(
  { plan, cells }: PlannedBatch,
  arms: readonly { arm: CheckedArm; cost: EarlierCost | undefined }[],
): string {
  const runs = cells.length / plan.arms.length;
  const known = arms.flatMap(({ cost }) => (cost === undefined ? [] : [cost.usd * runs]));
  const unknown = arms.flatMap(({ arm, cost }) => (cost === undefined ? [arm.id] : []));
  const rest = unknown.length === 0 ? "" : `; unknown: ${unknown.join(", ")}`;
  if (known.length === 0) return "Cost: unknown\n";
  return `Cost: about ${formatUsd(known.reduce((sum, usd) => sum + usd, 0))} for ${formatNumberOf(known.length * runs, "run")}${rest}\n`;
}
