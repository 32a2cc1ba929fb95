import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isOperation } from "../../events/operation.js";
import type { JsonObject } from "../../text/json.js";
import type { Format, FormatOptions, View } from "../contract.js";
import { isPreparation } from "../preparation.js";
import { type Calls, createCalls } from "./calls.js";
import { createEndings, type Endings } from "./endings.js";
import { createMessages, type Messages } from "./messages.js";
import { createRecords, type Records } from "./records.js";
import type { ClaudeRecord } from "./schema.js";
import { createSubagents, type Subagents } from "./subagents.js";

/**
 * `--format claude`: a run of any agent as Claude Code prints its own with `--output-format stream-json --verbose
 * --include-partial-messages`. Calls become calls of Claude Code's tools that do the same.
 */
export const claudeFormat: Format<ClaudeRecord> = { name: "claude", create: createClaudeView };

function createClaudeView({ prompt }: FormatOptions = {}): View<ClaudeRecord> {
  const records = createRecords();
  const messages = createMessages(records);
  const subagents = createSubagents(records);
  const endings = createEndings(records, messages);
  const run: Run = { prompt, records, messages, subagents, endings, hasPrompted: false, isOver: false };
  return {
    push(events) {
      for (const event of events) if (!run.isOver) addEvent(run, event);
      return records.take();
    },
    end() {
      if (run.isOver || (run.started === undefined && run.calls === undefined)) return [];
      if (run.started !== undefined) run.calls ??= init(run, run.started);
      run.calls?.release();
      endings.close();
      run.isOver = true;
      return records.take();
    },
  };
}

/** What is known of the run so far, and what writes its records. */
interface Run {
  readonly prompt: string | undefined;
  readonly records: Records;
  readonly messages: Messages;
  readonly subagents: Subagents;
  readonly endings: Endings;
  started?: EventOf<"started">;
  /** There are calls as soon as the first record is out. */
  calls?: Calls;
  hasPrompted: boolean;
  isOver: boolean;
}

function addEvent(run: Run, event: HarnessEvent): void {
  run.records.begin(event);
  run.endings.tick(event);
  if (event.type === "started" && run.started === undefined) {
    run.started = event;
    return;
  }
  const isFirst = run.calls === undefined;
  run.calls ??= init(run, event);
  if (!run.hasPrompted && event.type !== "turn" && !isPreparation(event)) ask(run, run.prompt);
  // The first record has it.
  if (isFirst && event.type === "session") return;
  add(run, event, run.calls);
}

function init({ records, messages, subagents, started }: Run, event: HarnessEvent): Calls {
  const session = event.type === "session" ? event : undefined;
  const cwd = session?.cwd || started?.cwd || "";
  if (session?.model !== undefined) messages.model = session.model;
  const about: JsonObject = {
    runId: event.runId,
    agent: started?.agent ?? "unknown",
    ...(started?.agentVersion !== undefined && { agentVersion: started.agentVersion }),
  };
  records.add({
    type: "system",
    subtype: "init",
    cwd,
    model: messages.model,
    tools: [],
    mcp_servers: [],
    slash_commands: [],
    permissionMode: "default",
    apiKeySource: "none",
    output_style: "default",
    claude_code_version: "0.0.0",
    "harness-stream": about,
  });
  return createCalls({ cwd, records, messages, subagents });
}

/** What the agent was asked, as `--replay-user-messages` shows it. */
function ask(run: Run, text: string | undefined): void {
  run.hasPrompted = true;
  if (text === undefined || text === "") return;
  const message = { role: "user" as const, content: text };
  run.records.add({ type: "user", message, parent_tool_use_id: null, isReplay: true });
}

function add(run: Run, event: HarnessEvent, calls: Calls): void {
  if (event.type === "orchestration") return addOrchestration(run, event, calls);
  if (isOperation(event)) return calls.done(event);
  calls.release();
  const { messages, endings, records } = run;
  switch (event.type) {
    case "tool_start":
      return calls.started(event);
    case "tool_end":
      return calls.ended(event);
    case "text":
      return messages.text(event);
    case "thinking":
      return messages.thinking(event);
    case "agent":
      return addMessage(run, event);
    case "turn":
      ask(run, event.prompt);
      return endings.begin(event);
    case "session":
      if (event.model !== undefined) messages.model = event.model;
      break;
    default:
  }
  if (!endings.add(event)) records.addEvent(event);
  run.isOver = event.type === "exited";
}

function addOrchestration({ subagents }: Run, event: EventOf<"orchestration">, calls: Calls): void {
  if (event.action === "subagent_started") calls.subagentStarted(event);
  else if (!calls.subagentEnded(event)) subagents.ended(event);
}

function addMessage(run: Run, event: EventOf<"agent">): void {
  if (event.role === undefined) run.messages.whole(event);
  else if (event.role === "user" && event.parentCallId === undefined) ask(run, event.message);
  else run.records.addEvent(event);
}
