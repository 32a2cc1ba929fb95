import { isAbsolute, join } from "node:path";
import type { Action, ActionKind, ActionOf, FileChange, ToolInput } from "../actions.js";
import type { AdvertisedTool } from "../model-request.js";
import { toFileCommand, toShellCommand } from "./shell.js";
import type { Input, ToolTable, ToolUse, Way } from "./tool-table.js";

export interface ToolContext {
  readonly table: ToolTable | undefined;
  readonly advertised: readonly AdvertisedTool[];
  /** The agent's working directory, if it is known. */
  readonly workspace: string | undefined;
}

/**
 * An action as calls of the agent's own tools: the first way whose tool is advertised, or else a shell command, or else the
 * first way anyway. (An agent in read-only mode is asked to write, and has to refuse.)
 */
export function toToolUses(action: Action, context: ToolContext): ToolUse[] {
  if (action.kind === "custom") return [withNamespace({ tool: action.tool, input: action.input }, context)];
  const { table } = context;
  if (table === undefined) throw unknownAgent(action, context);
  const placed = table.needsAbsolutePaths ? withAbsolutePath(action, context.workspace) : action;
  const uses = byOwnTool(placed, table, context) ?? byShell(placed, table, context);
  if (uses !== undefined) return uses.map((use) => withNamespace(use, context));
  if (placed.kind === "patch")
    return placed.changes.flatMap(toActions).flatMap((one) => toToolUses(one, context));
  const refused = unadvertised(placed, table);
  if (refused !== undefined) return refused;
  throw new Error(`${table.agent} has no tool for "${action.kind}" among ${namesOf(context)}.`);
}

function byOwnTool(action: Action, table: ToolTable, { advertised }: ToolContext): ToolUse[] | undefined {
  if (action.kind === "mcp" && table.mcpTool !== undefined) {
    return [{ ...table.mcpTool(action.server, action.tool), input: action.input }];
  }
  return firstAdvertised(table.ways, action, advertised);
}

function byShell(action: Action, table: ToolTable, { advertised }: ToolContext): ToolUse[] | undefined {
  const command = toShellCommand(action);
  if (command === undefined) return undefined;
  return firstAdvertised({ runCommand: table.shell }, { kind: "runCommand", command }, advertised);
}

type Ways<Kind extends ActionKind> = { readonly [Each in Kind]?: readonly Way<Each>[] };

function firstAdvertised<Kind extends ActionKind>(
  ways: Ways<Kind>,
  action: ActionOf<Kind>,
  advertised: readonly AdvertisedTool[],
): ToolUse[] | undefined {
  for (const way of ways[action.kind] ?? []) {
    const tool = advertised.find(({ name }) => name === way.tool);
    if (tool !== undefined) return toUses(way.tool, way.input(action, tool));
  }
  return undefined;
}

function unadvertised<Kind extends ActionKind>(
  action: ActionOf<Kind>,
  table: ToolTable,
): ToolUse[] | undefined {
  const ways: Ways<ActionKind> = { runCommand: table.shell, ...table.ways };
  const way = ways[action.kind]?.[0];
  if (way === undefined) return undefined;
  return toUses(way.tool, way.input(action, { name: way.tool, form: "json" }));
}

function toUses(tool: string, input: Input | readonly ToolInput[]): ToolUse[] {
  const inputs: readonly Input[] = isList(input) ? input : [input];
  return inputs.map((one) => ({ tool, input: one }));
}

function isList(input: Input | readonly ToolInput[]): input is readonly ToolInput[] {
  return Array.isArray(input);
}

function withNamespace(use: ToolUse, { advertised }: ToolContext): ToolUse {
  if (use.namespace !== undefined) return use;
  const namespace = advertised.find(({ name }) => name === use.tool)?.namespace;
  return namespace === undefined ? use : { ...use, namespace };
}

function withAbsolutePath(action: Action, workspace: string | undefined): Action {
  if (workspace === undefined || !("path" in action) || isAbsolute(action.path)) return action;
  return { ...action, path: join(workspace, action.path) };
}

/** The changes of a patch, for agents without a patch tool. */
function toActions(change: FileChange): Exclude<Action, ActionOf<"patch">>[] {
  const command = toFileCommand(change);
  if (change.kind === "add") return [{ kind: "writeFile", path: change.path, content: change.content }];
  if (change.kind === "update" && change.moveTo === undefined) {
    return change.edits.map((edit) => ({ kind: "editFile", path: change.path, ...edit }));
  }
  // The calls of one turn may run in parallel, so a file cannot be edited and moved in the same turn.
  if (command === undefined || (change.kind === "update" && change.edits.length > 0)) {
    throw new Error(`Without a patch tool, ${change.path} cannot be edited and moved in one turn.`);
  }
  return [{ kind: "runCommand", command }];
}

function unknownAgent(action: Action, context: ToolContext): Error {
  return new Error(
    `No tool table fits the tools ${namesOf(context)}, so "${action.kind}" cannot be turned into a tool call. ` +
      "Pass `agent` to startScriptedModel (a known agent's id or your own table), or use custom(tool, input).",
  );
}

function namesOf({ advertised }: ToolContext): string {
  return advertised.length === 0 ? "(none)" : advertised.map(({ name }) => name).join(", ");
}
