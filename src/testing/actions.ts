/**
 * What the model asks an agent to do, independent of any agent. A tool table turns an action into calls of one agent's own
 * tools. Paths are absolute, or relative to the workspace.
 */
export type Action = ActionOf<ActionKind>;

/** The kinds of actions. */
export type ActionKind = keyof ActionFields;
/** The action of one kind. */
export type ActionOf<Kind extends ActionKind> = { [Each in Kind]: { kind: Each } & ActionFields[Each] }[Kind];

/** What each kind of action needs. */
export interface ActionFields {
  readFile: { path: string; lines?: LineRange };
  writeFile: { path: string; content: string };
  editFile: { path: string; oldText: string; newText: string };
  runCommand: { command: string };
  startCommand: { command: string };
  search: { pattern: string; path: string };
  findFiles: { glob: string };
  listDirectory: { path: string };
  patch: { changes: readonly FileChange[] };
  delegate: { description: string; prompt: string };
  startSubagent: { description: string; prompt: string };
  useSkill: { name: string };
  todo: { items: readonly TodoItem[] };
  mcp: { server: string; tool: string; input: ToolInput };
  custom: { tool: string; input: ToolInput | string };
}

/** The first and last line, counted from 1. */
export type LineRange = readonly [first: number, last: number];

/** The input of a tool, as JSON. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** One change of a `patch`. */
export type FileChange =
  | { kind: "add"; path: string; content: string }
  | { kind: "update"; path: string; edits: readonly { oldText: string; newText: string }[]; moveTo?: string }
  | { kind: "delete"; path: string };

/** One entry of the agent's list of things to do. */
export interface TodoItem {
  text: string;
  status: "pending" | "in_progress" | "completed";
}

/** Reads a file, or only these lines of it. */
export function readFile(path: string, lines?: LineRange): Action {
  return { kind: "readFile", path, ...(lines === undefined ? {} : { lines }) };
}

/** Creates the file, or replaces its whole content. */
export function writeFile(path: string, content: string): Action {
  return { kind: "writeFile", path, content };
}

/** Takes whole lines without the last line break, because agents that work with patches can only replace lines. */
export function editFile(path: string, oldText: string, newText: string): Action {
  return { kind: "editFile", path, oldText, newText };
}

/** Runs a shell command and waits for it. */
export function runCommand(command: string): Action {
  return { kind: "runCommand", command };
}

/** Starts a command in the background, with the agent's own tool for that or else with its shell. */
export function startCommand(command: string): Action {
  return { kind: "startCommand", command };
}

/** Searches files for a pattern. */
export function search(pattern: string, path = "."): Action {
  return { kind: "search", pattern, path };
}

/** A glob relative to the workspace: `src/*.ts`. */
export function findFiles(glob: string): Action {
  return { kind: "findFiles", glob };
}

/** Lists a directory. */
export function listDirectory(path = "."): Action {
  return { kind: "listDirectory", path };
}

/** Changes several files at once. Agents without a patch tool get one call per change. */
export function patch(...changes: FileChange[]): Action {
  return { kind: "patch", changes };
}

/** Starts a subagent and waits for it. `scenario.subagents` has its script, found by this prompt. */
export function delegate(description: string, prompt: string): Action {
  return { kind: "delegate", description, prompt };
}

/** Starts a subagent in the background. Its script is found as for `delegate`. */
export function startSubagent(description: string, prompt: string): Action {
  return { kind: "startSubagent", description, prompt };
}

/** Uses a skill by its name. */
export function useSkill(name: string): Action {
  return { kind: "useSkill", name };
}

/** Writes the agent's list of things to do. */
export function todo(...items: TodoItem[]): Action {
  return { kind: "todo", items };
}

/** Calls a tool of an MCP server, by the server's name in the agent's configuration. */
export function mcp(server: string, tool: string, input: ToolInput = {}): Action {
  return { kind: "mcp", server, tool, input };
}

/** Calls a tool by its own name, for what the other actions do not cover. A string is freeform input. */
export function custom(tool: string, input: ToolInput | string): Action {
  return { kind: "custom", tool, input };
}
