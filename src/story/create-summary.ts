import { type ChangesSoFar, createChangedFiles } from "./changed-files.js";
import { hasFailed } from "./outcomes.js";
import { createRefusedCalls, type RefusedCalls } from "./refused-calls.js";
import type {
  CommandRun,
  CostSource,
  FileCount,
  Report,
  RunSummary,
  SummaryEvent,
  SummaryEventOf,
  ToolCount,
} from "./run-summary.js";
import { createSessionSummary, type SessionSummary } from "./session-summary.js";
import { createSpending, type Spending, type Spent, tokenCountsOf } from "./spending.js";

/** Sums a run up as its events come. Never throws. */
export interface Summary {
  add(event: SummaryEvent): void;
  /** The summary so far. It is a copy: later events do not change it. */
  read(): RunSummary;
  /** Tokens and cost so far: the sum of the turns and steps, until the run's own numbers come. */
  readonly spent: Spent;
}

export function createSummary(): Summary {
  const state = createState();
  return {
    add(event) {
      addCommon(state, event);
      state.refused.add(event);
      state.session.add(event);
      state.changed.add(event);
      addEvent(state, event);
    },
    read: () => read(state),
    spent: state.spending.spent,
  };
}

interface State {
  readonly known: Omit<RunSummary, Lists>;
  readonly filesRead: Map<string, number>;
  readonly filesWritten: Map<string, number>;
  readonly tools: Map<string, ToolCount>;
  readonly commands: CommandRun[];
  readonly errors: Report[];
  readonly warnings: Report[];
  readonly spending: Spending;
  readonly session: SessionSummary;
  readonly refused: RefusedCalls;
  readonly changed: ChangesSoFar;
  /** Ids and calls of the subagents that were counted. */
  readonly subagents: Set<string>;
  isSuccess: boolean | undefined;
  lastMessage: string | undefined;
}

function createState(): State {
  return {
    known: { subagents: 0, unknown: 0 },
    filesRead: new Map(),
    filesWritten: new Map(),
    tools: new Map(),
    commands: [],
    errors: [],
    warnings: [],
    spending: createSpending(),
    session: createSessionSummary(),
    refused: createRefusedCalls(),
    changed: createChangedFiles(),
    subagents: new Set(),
    isSuccess: undefined,
    lastMessage: undefined,
  };
}

function read(state: State): RunSummary {
  const { known, commands, errors, warnings } = state;
  const text = known.text ?? state.lastMessage;
  const changes = state.changed.read();
  return {
    ...known,
    ...(text !== undefined && { text }),
    ...state.session.read(),
    ...(changes !== undefined && { changes }),
    filesRead: countsOf(state.filesRead),
    filesWritten: countsOf(state.filesWritten),
    commands: [...commands],
    tools: Array.from(state.tools.values(), (tool) => ({ ...tool })),
    errors: [...errors],
    warnings: [...warnings],
  };
}

function addCommon({ known }: State, event: SummaryEvent): void {
  if (event.runId !== undefined) known.runId ??= event.runId;
  if (event.sessionId !== undefined) known.sessionId = event.sessionId;
  known.startedAt ??= event.timestamp;
  known.endedAt = event.timestamp;
}

function addEvent(state: State, event: SummaryEvent): void {
  const { known } = state;
  switch (event.type) {
    case "started":
      known.agent = event.agent;
      if (event.agentVersion !== undefined) known.agentVersion = event.agentVersion;
      if (event.cwd !== "") known.cwd = event.cwd;
      break;
    case "session":
      if (event.model !== undefined) known.model = event.model;
      if (event.cwd !== undefined && event.cwd !== "") known.cwd = event.cwd;
      break;
    case "agent":
      if (event.role === undefined && event.parentCallId === undefined) state.lastMessage = event.message;
      break;
    case "tool_start":
      countTool(state, event.name, "calls");
      break;
    case "tool_end":
      if (hasFailed(event)) countTool(state, event.name, "failures");
      break;
    case "read":
      if (!hasFailed(event) && !state.refused.has(event)) countFile(state.filesRead, event.path);
      break;
    case "write":
      if (!hasFailed(event) && !state.refused.has(event)) countFile(state.filesWritten, event.path);
      break;
    case "command":
      if (!state.refused.has(event)) state.commands.push(commandOf(event));
      break;
    case "orchestration":
      countSubagent(state, event);
      break;
    case "usage":
      addUsage(state, event);
      break;
    case "turn_end":
      state.spending.endTurn(event);
      break;
    case "error":
      state.errors.push(reportOf(event));
      break;
    case "warning":
      state.warnings.push(reportOf(event));
      break;
    case "unknown":
      known.unknown += 1;
      break;
    case "result":
      addResult(state, event);
      break;
    case "exited":
      addExit(state, event);
  }
}

/** Only the numbers of the whole run are its usage and its cost. */
function addUsage(state: State, event: SummaryEventOf<"usage">): void {
  state.spending.add(event);
  if (event.scope === "step" || event.scope === "turn") return;
  state.known.usage = { scope: event.scope, ...tokenCountsOf(event) };
  if (event.costUsd !== undefined) setCost(state, event.costUsd, event.costSource);
}

function setCost({ known, spending }: State, costUsd: number, source: CostSource = "agent"): void {
  spending.setCost(costUsd);
  known.costUsd = costUsd;
  known.costSource = source;
}

function addResult(state: State, event: SummaryEventOf<"result">): void {
  const { known } = state;
  state.isSuccess = event.isSuccess;
  if (event.text !== undefined && event.text !== "") known.text = event.text;
  if (event.output !== undefined) known.output = event.output;
  if (event.failure !== undefined) known.failure = event.failure;
  if (event.costUsd !== undefined) setCost(state, event.costUsd, event.costSource);
  if (event.durationMs !== undefined) known.durationMs = event.durationMs;
}

function addExit({ known, isSuccess }: State, { exitCode, signal, reason }: SummaryEventOf<"exited">): void {
  known.outcome = {
    isSuccess: isSuccess ?? reason === "completed",
    reason,
    exitCode,
    ...(signal !== undefined && { signal }),
  };
}

function countTool({ tools }: State, name: string, key: "calls" | "failures"): void {
  const tool = tools.get(name) ?? { name, calls: 0, failures: 0 };
  tool[key] += 1;
  tools.set(name, tool);
}

/** Some agents report only the end of a subagent. */
function countSubagent(
  { known, subagents }: State,
  { action, subagentId, callId }: SummaryEventOf<"orchestration">,
): void {
  const names = [subagentId, callId].filter((name) => name !== undefined);
  const isKnown = names.some((name) => subagents.has(name));
  if (action === "subagent_started" || (!isKnown && names.length > 0)) known.subagents += 1;
  for (const name of names) subagents.add(name);
}

type Lists =
  | "turns"
  | "requests"
  | "plan"
  | "filesRead"
  | "filesWritten"
  | "commands"
  | "tools"
  | "errors"
  | "warnings";

function countFile(files: Map<string, number>, path: string): void {
  files.set(path, (files.get(path) ?? 0) + 1);
}

function countsOf(files: ReadonlyMap<string, number>): FileCount[] {
  return Array.from(files, ([path, count]) => ({ path, count }));
}

function commandOf({ command, exitCode, isSuccess }: SummaryEventOf<"command">): CommandRun {
  return {
    command,
    ...(exitCode !== undefined && { exitCode }),
    ...(isSuccess !== undefined && { isSuccess }),
  };
}

function reportOf({ message, code }: SummaryEventOf<"error"> | SummaryEventOf<"warning">): Report {
  return { message, ...(code !== undefined && { code }) };
}
