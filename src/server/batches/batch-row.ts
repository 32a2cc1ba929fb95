import type { BatchState } from "../../batch/model/batch-state.js";
import type { CheckedArm, CheckedTask } from "../../batch/model/plan.js";
import type { Source } from "../../batch/model/source.js";
import { toVisibleLine } from "../../text/cut.js";
import type {
  BatchAbout,
  BatchArmAbout,
  BatchPhase,
  BatchRow,
  BatchTaskAbout,
  CellSign,
} from "../batch-protocol.js";
import { signOfCell } from "./cell-row.js";
import type { FollowedBatch } from "./followed-batch.js";

const shownName = 120;
const shownPrompt = 400;
const shownOption = 200;

/** What the list shows of a batch. */
export function toBatchRow(batch: FollowedBatch, state: BatchState): BatchRow {
  const { plan, at } = state.head;
  const phase = phaseOf(batch, state);
  return {
    id: batch.id,
    name: toVisibleLine(String(plan.name), shownName),
    phase,
    startedAt: at,
    ...(phase !== "running" && { endedAt: state.ended?.at ?? batch.changedAt }),
    tasks: plan.tasks.length,
    arms: plan.arms.length,
    repeats: plan.repeats,
    counts: countSigns(state),
    costUsd: Number(state.costUsd) || 0,
    ...(plan.budgetUsd !== undefined && { budgetUsd: plan.budgetUsd }),
  };
}

const endings = ["completed", "budget", "cancelled"] as const;

/** A batch that has written its end may still hold its lock for a moment. */
function phaseOf({ isRunning }: FollowedBatch, { ended }: BatchState): BatchPhase {
  if (ended === undefined) return isRunning ? "running" : "interrupted";
  return endings.find((each) => each === ended.reason) ?? "cancelled";
}

function countSigns({ cells }: BatchState): Record<CellSign, number> {
  const counts = { waiting: 0, running: 0, retrying: 0, passed: 0, failed: 0, error: 0, skipped: 0 };
  for (const cell of cells.values()) counts[signOfCell(cell)] += 1;
  return counts;
}

/** What the page of a batch needs besides its cells. */
export function toBatchAbout(batch: FollowedBatch, state: BatchState): BatchAbout {
  const { plan, sources } = state.head;
  return {
    row: toBatchRow(batch, state),
    directory: batch.directory,
    tasks: plan.tasks.map((task) => toTaskAbout(task, sources[task.id])),
    arms: plan.arms.map(toArmAbout),
    isolated: plan.isolated,
    concurrency: plan.concurrency,
  };
}

function toTaskAbout({ id, prompt, setup, check }: CheckedTask, source: Source | undefined): BatchTaskAbout {
  return {
    id,
    prompt: toVisibleLine(prompt, shownPrompt),
    ...(setup !== undefined && { setup: toVisibleLine(setup, shownOption) }),
    ...(check !== undefined && { check: toVisibleLine(check, shownOption) }),
    source: describeSource(source),
  };
}

function describeSource(source: Source | undefined): string {
  if (source?.kind === "git")
    return toVisibleLine(`${source.repository} at ${source.commit.slice(0, 12)}`, shownOption);
  if (source?.kind === "copy") return toVisibleLine(`a copy of ${source.from}`, shownOption);
  return "an empty directory";
}

function toArmAbout(arm: CheckedArm): BatchArmAbout {
  return {
    id: arm.id,
    agent: arm.agent,
    ...(arm.model !== undefined && { model: toVisibleLine(arm.model, 80) }),
    options: optionsOf(arm),
  };
}

/** In words, for everything but the agent and its model. Values of variables stay out of the page. */
function optionsOf({ id, agent, model, env, mcpServers, ...options }: CheckedArm): string[] {
  const shown: Record<string, unknown> = {
    ...options,
    ...(mcpServers !== undefined && { mcpServers: Object.keys(mcpServers) }),
    ...(env !== undefined && { env: Object.keys(env) }),
  };
  return Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : toVisibleLine(`${inWords(name)}: ${toWords(value)}`, shownOption),
  );
}

/** `appendSystemPrompt` → `append system prompt`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function toWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
