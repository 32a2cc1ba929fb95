import { homedir } from "node:os";
import { HarnessError } from "../../errors.js";
import { permissionsName } from "../../live/rules/rule.js";
import type { OutputOptions } from "../../outputs/contract.js";
import type { Line } from "../../outputs/text/line.js";
import { withTilde } from "../../outputs/text/operation-line.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { recordings } from "../../runs/archive/recordings.js";
import { cleanLine, toVisibleLine } from "../../text/cut.js";
import type { StandardOutput } from "../output.js";
import type { LiveTerminal } from "../printing/live-printer.js";
import { toOutputOptions } from "../printing/printer.js";
import type { ChatOptions } from "./chat.js";
import type { ChatEnd } from "./chat-end.js";
import type { ChatSession } from "./chat-session.js";
import type { ChatPlan } from "./chat-task.js";
import type { ChatFlags } from "./command.js";

export interface TalkOptions {
  /** How the session was begun. Left out: it is one of another process. */
  plan?: ChatPlan | undefined;
  prompt: string | undefined;
  flags: ChatFlags;
  output: StandardOutput;
}

export interface Talked {
  exitCode: number;
  /** The session to go on with. */
  next: string | undefined;
}

/** How the rows of a session are made. The first prompt is a row of its turn. */
export function viewOptionsOf(
  session: ChatSession,
  flags: ChatFlags,
  terminal: LiveTerminal | undefined,
): OutputOptions {
  const { agent, permissions, recording } = session;
  return toOutputOptions({
    format: "text",
    agent,
    terminal,
    permissions: permissionsName(permissions),
    recording,
    showsThinking: flags.thinking,
  });
}

/** What a chat needs besides the terminal. */
export function chatOptionsOf(
  session: ChatSession,
  plan: ChatPlan | undefined,
  warn: (sentence: string) => void,
): Omit<ChatOptions, "columns" | "print" | "onAsked" | "onChange"> {
  const { runId, agent, cwd, control, permissions, hasRules } = session;
  return {
    runId,
    agentName: agent.name,
    cwd,
    control,
    permissions,
    hasRules,
    models: plan?.models ?? [],
    resolveModel: (name) => plan?.resolveModel(name, warn) ?? name,
    resumable: () => resumable(session),
    checkResume,
    end: session.end,
    stop: session.stop,
  };
}

const listed = 10;
const promptLength = 60;

async function resumable({ runId, agent, cwd }: ChatSession): Promise<string[]> {
  const found = await recordings.list({ agent: agent.id, cwd, limit: listed + 1 });
  return found
    .filter(({ id, meta }) => id !== runId && meta.sessionId !== undefined && !meta.isIsolated)
    .map(({ id, meta }) => `${id}  ${toVisibleLine(meta.prompt, promptLength)}`);
}

async function checkResume(id: string): Promise<void> {
  const { id: found, meta, outcome } = await recordings.find(id);
  if (outcome === "running")
    throw new HarnessError(
      "session_running",
      `the session ${found} runs now; join it with harness chat --attach ${found}`,
    );
  if (meta.sessionId === undefined || meta.isIsolated)
    throw new HarnessError("no_session", `the recording ${found} has no session to go on with`);
}

/** The first rows of a session on a terminal: who is talked with, what it may do, and the keys. */
export function greeting({ agent, cwd, permissions, isOwn }: ChatSession, columns: number): Line[] {
  const where = `${cleanLine(agent.name)} in ${cleanLine(withTilde(cwd, homedir()))}`;
  const who = isOwn ? `Talking with ${where}.` : `Joined a session of ${where}.`;
  const rights = rightsWords[permissionsName(permissions)] ?? "";
  return [
    `${who} ${rights}`.trim(),
    "Enter sends · Ctrl-C interrupts · Ctrl-D ends · /help shows the commands",
  ]
    .flatMap((text) => wrapText(text, columns - 1))
    .map((text) => [{ text, style: "dim" }]);
}

const rightsWords: Readonly<Record<string, string>> = {
  ask: "It asks before it acts.",
  rules: "Rules decide what it may do; the rest is asked (/rules).",
  "read-only": "It may only read.",
  "full-access": "It changes files and runs commands without asking.",
};

/** The last rows: how to go on. */
export function farewell(session: ChatSession, end: ChatEnd): Line[] {
  const { runId, isOwn, agent, recording } = session;
  const id = cleanLine(runId);
  if (!end.hasEnded) return [toHint(`The session goes on. Join it again: harness chat --attach ${id}`)];
  const canGoOn =
    isOwn && recording() !== undefined && end.sessionId !== undefined && agent.capabilities.resume;
  return canGoOn ? [toHint(`Go on with it: harness chat --resume ${id}`)] : [];
}

function toHint(text: string): Line {
  return [{ text: "→ ", style: "accent" }, { text }];
}
