import { tokenClassNames } from "../events/sound-numbers.js";
import type {
  CommandRun,
  CostSource,
  FileCount,
  Report,
  RunSummary,
  ToldEvent,
  ToldEventOf,
  ToolCount,
} from "./run-summary.js";

/** Sums a run up as its events come. Never throws. */
export interface Summary {
  add(event: ToldEvent): void;
  /** What there is so far. A copy: later events do not change it. */
  read(): RunSummary;
  /** Used so far: the sum of the steps, until the run's own numbers come. */
  readonly spent: Spent;
}

export interface Spent {
  tokens?: number;
  costUsd?: number;
}

export function createSummary(): Summary {
  const known: Omit<RunSummary, Lists> = { subagents: 0, unknown: 0 };
  const filesRead = new Map<string, number>();
  const filesWritten = new Map<string, number>();
  const tools = new Map<string, ToolCount>();
  const commands: CommandRun[] = [];
  const errors: Report[] = [];
  const warnings: Report[] = [];
  const spent: Spent = {};
  let hasTotals = false;
  let isSuccess: boolean | undefined;
  let lastMessage: string | undefined;

  function addUsage(event: ToldEventOf<"usage">): void {
    if (event.scope === "step" && hasTotals) return;
    if (event.scope === "step") {
      if (event.totalTokens !== undefined) spent.tokens = (spent.tokens ?? 0) + event.totalTokens;
      if (event.costUsd !== undefined) spent.costUsd = (spent.costUsd ?? 0) + event.costUsd;
      return;
    }
    hasTotals = true;
    known.usage = tokensOf(event);
    if (event.totalTokens !== undefined) spent.tokens = event.totalTokens;
    if (event.costUsd !== undefined) setCost(event.costUsd, event.costSource);
  }

  function setCost(costUsd: number, source: CostSource = "agent"): void {
    spent.costUsd = costUsd;
    known.costUsd = costUsd;
    known.costSource = source;
  }

  function countTool(name: string, key: "calls" | "failures"): void {
    const tool = tools.get(name) ?? { name, calls: 0, failures: 0 };
    tool[key] += 1;
    tools.set(name, tool);
  }

  function add(event: ToldEvent): void {
    if (event.runId !== undefined) known.runId ??= event.runId;
    if (event.sessionId !== undefined) known.sessionId = event.sessionId;
    known.startedAt ??= event.timestamp;
    known.endedAt = event.timestamp;
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
        if (event.role === undefined && event.parentCallId === undefined) lastMessage = event.message;
        break;
      case "tool_start":
        countTool(event.name, "calls");
        break;
      case "tool_end":
        if (event.isSuccess === false) countTool(event.name, "failures");
        break;
      case "read":
        if (event.isSuccess !== false) countFile(filesRead, event.path);
        break;
      case "write":
        if (event.isSuccess !== false) countFile(filesWritten, event.path);
        break;
      case "command":
        commands.push(commandOf(event));
        break;
      case "orchestration":
        countSubagent(event);
        break;
      case "usage":
        addUsage(event);
        break;
      case "error":
        errors.push(reportOf(event));
        break;
      case "warning":
        warnings.push(reportOf(event));
        break;
      case "unknown":
        known.unknown += 1;
        break;
      case "result":
        isSuccess = event.isSuccess;
        if (event.text !== undefined && event.text !== "") known.text = event.text;
        if (event.failure !== undefined) known.failure = event.failure;
        if (event.costUsd !== undefined) setCost(event.costUsd, event.costSource);
        if (event.durationMs !== undefined) known.durationMs = event.durationMs;
        break;
      case "exited": {
        const { exitCode, signal, reason } = event;
        known.outcome = {
          isSuccess: isSuccess ?? reason === "completed",
          reason,
          exitCode,
          ...(signal !== undefined && { signal }),
        };
      }
    }
  }

  const begunSubagents = new Set<string>();

  /** Some agents tell only the end of a subagent. */
  function countSubagent({ action, subagentId, callId }: ToldEventOf<"orchestration">): void {
    const names = [subagentId, callId].filter((name) => name !== undefined);
    const isKnown = names.some((name) => begunSubagents.has(name));
    if (action === "subagent_started" || (!isKnown && names.length > 0)) known.subagents += 1;
    for (const name of names) begunSubagents.add(name);
  }

  return {
    add,
    read() {
      const text = known.text ?? lastMessage;
      return {
        ...known,
        ...(text !== undefined && { text }),
        filesRead: countsOf(filesRead),
        filesWritten: countsOf(filesWritten),
        commands: [...commands],
        tools: Array.from(tools.values(), (tool) => ({ ...tool })),
        errors: [...errors],
        warnings: [...warnings],
      };
    },
    spent,
  };
}

type Lists = "filesRead" | "filesWritten" | "commands" | "tools" | "errors" | "warnings";

function countFile(files: Map<string, number>, path: string): void {
  files.set(path, (files.get(path) ?? 0) + 1);
}

function countsOf(files: ReadonlyMap<string, number>): FileCount[] {
  return Array.from(files, ([path, count]) => ({ path, count }));
}

function commandOf({ command, exitCode, isSuccess }: ToldEventOf<"command">): CommandRun {
  return {
    command,
    ...(exitCode !== undefined && { exitCode }),
    ...(isSuccess !== undefined && { isSuccess }),
  };
}

function reportOf({ message, code }: ToldEventOf<"error"> | ToldEventOf<"warning">): Report {
  return { message, ...(code !== undefined && { code }) };
}

function tokensOf(event: ToldEventOf<"usage">): NonNullable<RunSummary["usage"]> {
  const usage: NonNullable<RunSummary["usage"]> = { scope: event.scope };
  for (const name of tokenClassNames) {
    const count = event[name];
    if (count !== undefined) usage[name] = count;
  }
  return usage;
}
