import type { TranslatedAgent } from "./frame/frame.js";
import type { LiveProtocol } from "./live-contract.js";
import type { StreamedText } from "./streamed-text.js";

/**
 * Everything that is known about one agent: what it is, how it is launched, and how its output is read.
 * Built-in agents and those of users (`defineAgent`) have the same shape.
 */
export interface AgentDefinition<Id extends string = string> extends TranslatedAgent {
  id: Id;
  /** Other spellings that people use. Matched without regard to case, `-` and `_`. */
  aliases: readonly string[];
  /** Names of the program, in the order they are looked for on PATH. */
  binaries: readonly string[];
  version: {
    /** Arguments that make the program print its version. */
    args: readonly string[];
    /** Versions whose streams were recorded and are tested. */
    recorded: readonly string[];
  };
  /** One command that installs it. */
  install: string;
  docs: string;
  /** Environment variables that can hold its credentials (names only, values are never read). */
  credentials: readonly string[];
  /** What a person runs to sign in, to follow the word "run": "`codex login`". Left out: a variable is the only way. */
  signIn?: string;
  capabilities: Capabilities;
  traits: Traits;
  /**
   * Arguments that cannot change what the agent may do, as `--option` or `--option=value`. With read-only
   * permissions a configuration file may give these and no others.
   */
  harmlessArguments?: readonly RegExp[];
  /** Variables that decide what it may do. With read-only permissions no configuration file may set them. */
  permissionVariables?: readonly string[];
  /** The built-in agent with the same output format, for an agent that is not built in. Its recordings are read with it. */
  translator?: string;
  /** Where its stream carries texts in pieces. Left out: every line is complete in itself. */
  streamedText?: StreamedText;
  launch(task: LaunchTask): Launch;
  /** How to talk with it while it runs. Left out: a live session takes one process per turn, if it can resume. */
  live?: LiveProtocol;
}

/** Which options of a run the program supports. Other options are refused, never ignored. */
export interface Capabilities {
  model: boolean;
  readOnly: boolean;
  systemPrompt: boolean;
  appendSystemPrompt: boolean;
  maxTurns: boolean;
  maxBudgetUsd: boolean;
  resume: boolean;
}

/** How its stream behaves. */
export interface Traits {
  /** It prints while it works. False: silence does not mean that it hangs. */
  isStreaming: boolean;
  /** Messages before the last one are narration, not answer. */
  narrates?: boolean | undefined;
  /** It has no one-shot mode: a run is a live session of one turn. */
  isLiveOnly?: boolean | undefined;
  /** The signal that ends it. Default: SIGTERM. SIGKILL: for a program that goes on with its work after every other signal. */
  stopSignal?: "SIGINT" | "SIGTERM" | "SIGKILL" | undefined;
}

export type Permissions = "full-access" | "read-only";
/** `ask`: the agent asks before it acts, and somebody answers. Only in a live session. */
export type PermissionMode = Permissions | "ask";

/** An agent that runs unattended cannot ask for permission. By default it may do whatever its user may do. */
export const defaultPermissions: Permissions = "full-access";

/** A task as the launcher of an agent sees it: checked against the capabilities, aliases resolved. */
export interface LaunchTask {
  prompt: string;
  cwd: string;
  permissions: Permissions;
  model?: string;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  /** The agent's own session id. */
  resume?: string;
  /** Passed through as they are, before the prompt. */
  extraArgs: readonly string[];
}

/** What to execute. Nothing is ever run through a shell. */
export interface Launch {
  args: string[];
  env?: Record<string, string>;
  /** Written to standard input, which is then closed. Left out: standard input is closed at once. */
  stdin?: string;
  /** The session id or name that the agent is launched with, if its stream does not name it. */
  sessionId?: string;
  /** In a live session: files to write into the session's own directory before the start, by name. */
  files?: Record<string, string>;
}

/** Arguments above this size travel on standard input: one argument may not exceed 128 KiB on Linux. */
export const maxArgumentBytes = 64 * 1024;

/** True when a prompt is too large to be an argument. */
export function isTooLongForArgument(prompt: string): boolean {
  return prompt.length > maxArgumentBytes || new TextEncoder().encode(prompt).length > maxArgumentBytes;
}
