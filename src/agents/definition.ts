import type { JsonObject } from "../text/json.js";
import type { TranslatedAgent } from "./frame/frame.js";
import type { Isolation } from "./isolation.js";
import type { LiveProtocol } from "./live-contract.js";
import type { SessionStore } from "./store-contract.js";
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
  /**
   * Matches a line that only this agent prints, near the beginning of its log. Agents that share their format with another one need
   * it to be recognised. It must not match inside a JSON string: there, quotes are escaped.
   */
  logMark?: RegExp;
  /** Where its stream carries texts in pieces. Left out: every line is complete in itself. */
  streamedText?: StreamedText;
  launch(task: LaunchTask): Launch;
  /** How it gets a home of its own. Left out: it cannot be isolated, and `isolated` is refused. */
  isolation?: Isolation;
  /** How to talk with it while it runs. Left out: a live session takes one process per turn, if it can resume. */
  live?: LiveProtocol;
  /** The sessions that it keeps on disk. Left out: they cannot be imported. */
  store?: SessionStore;
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
  mcpServers?: boolean;
  /** The levels of effort that it knows. */
  effort?: readonly string[];
  /** Its tools can be limited to some. */
  allowedTools?: boolean;
  /** It can be held to a JSON Schema for its answer. */
  schema?: boolean;
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

/** What an agent may do if it asks nobody. */
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
  /** Servers of the Model Context Protocol, by name, besides those of the agent's own settings. */
  mcpServers?: Readonly<Record<string, McpServer>>;
  /** One of the levels in `capabilities.effort`. */
  effort?: string;
  /** The agent's own names of the tools that it may have. It gets no others. */
  allowedTools?: readonly string[];
  /** The JSON Schema of the answer. */
  schema?: JsonObject;
  /** A directory of this run alone, for `Launch.files`. It exists only if there are any, and is removed at the end. */
  directory: string;
  /** Passed through as they are, before the prompt. */
  extraArgs: readonly string[];
}

/** A server of the Model Context Protocol: a program to start, or an address. */
export type McpServer =
  | {
      command: string;
      args?: readonly string[] | undefined;
      env?: Readonly<Record<string, string>> | undefined;
    }
  | { url: string; headers?: Readonly<Record<string, string>> | undefined };

/** What to execute. Nothing is ever run through a shell. */
export interface Launch {
  args: string[];
  env?: Record<string, string>;
  /** Written to standard input, which is then closed. Left out: standard input is closed at once. */
  stdin?: string;
  /** The session id or name that the agent is launched with, if its stream does not name it. */
  sessionId?: string;
  /** Files to write into `task.directory` before the start, by name. Only this user can read them. */
  files?: Record<string, string>;
}

/** Arguments above this size travel on standard input: one argument may not exceed 128 KiB on Linux. */
export const maxArgumentBytes = 64 * 1024;

/** True when a prompt is too large to be an argument. */
export function isTooLongForArgument(prompt: string): boolean {
  return prompt.length > maxArgumentBytes || new TextEncoder().encode(prompt).length > maxArgumentBytes;
}
