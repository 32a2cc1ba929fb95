import { classifyCommand } from "../../shell/classify-command.js";
import type { ShellOperation } from "../../shell/shell-operation.js";
import { asObject, firstCount, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Operation } from "../contract.js";

/** Candidate names of an input field, the usual one first. */
type Keys = readonly string[];

/** What a tool does, as data: which operation, and in which input fields its parts are. */
export type ToolRule =
  | { as: "read" | "write"; path?: Keys; lines?: LineKeys }
  | { as: "search"; query?: Keys; path?: Keys }
  | { as: "list"; path?: Keys }
  /** A shell command. `literal`: never read file operations out of it. */
  | { as: "shell"; command?: Keys; workingDirectory?: Keys; literal?: true; pathsAsWritten?: true }
  | { as: "skill"; name?: Keys; path?: Keys }
  | { as: "patch"; patch?: Keys };

/** Where a line range is: first line, and either how many lines or the last line. */
export interface LineKeys {
  start: Keys;
  count?: Keys;
  end?: Keys;
  /** The first line of the file is 0. */
  isZeroBased?: true;
}

export type ToolTable = Readonly<Record<string, ToolRule>>;

const pathKeys = ["file_path", "filePath", "path", "filepath", "absolute_path", "absolutePath"];
const queryKeys = ["pattern", "query", "regex", "glob", "search", "q"];
const directoryKeys = ["path", "dir_path", "directory", "dir", "cwd"];
const commandKeys = ["command", "cmd", "script"];
const skillKeys = ["skill", "name", "skill_name", "skillName", "command"];
const patchKeys = ["patchText", "patch", "input", "diff", "content"];

/** The rule of a tool. Undefined: the tool is not in the table, so its calls are not operations. */
export function toolRuleOf(tools: ToolTable, name: string): ToolRule | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** What a call of a tool does. Empty if the input lacks what the rule needs: the call is then not recognised. */
export function toOperations(
  rule: ToolRule,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const fields = asObject(input) ?? {};
  switch (rule.as) {
    case "read":
    case "write": {
      const path = firstText(fields, rule.path ?? pathKeys);
      if (path === undefined) return [];
      const { startLine, endLine } = rule.lines === undefined ? wholeFile : lineRange(fields, rule.lines);
      return [{ type: rule.as, path: resolvePath(path, cwd), startLine, endLine }];
    }
    case "search": {
      const query = firstText(fields, rule.query ?? queryKeys);
      if (query === undefined) return [];
      return [{ type: "search", query, path: resolved(firstText(fields, rule.path ?? directoryKeys), cwd) }];
    }
    case "list":
      return [{ type: "list", path: resolved(firstText(fields, rule.path ?? directoryKeys), cwd) }];
    case "shell": {
      const command = firstText(fields, rule.command ?? commandKeys);
      if (command === undefined) return [];
      const workingDirectory = resolved(
        rule.workingDirectory && firstText(fields, rule.workingDirectory),
        cwd,
      );
      if (rule.literal) return [{ type: "command", command, workingDirectory }];
      const base = rule.pathsAsWritten ? undefined : (workingDirectory ?? cwd);
      return shellOperations(command, { base, workingDirectory });
    }
    case "skill": {
      const skillName = firstText(fields, rule.name ?? skillKeys);
      const path = rule.path && firstText(fields, rule.path);
      if (skillName === undefined && path === undefined) return [];
      return [{ type: "skill", path: resolvePath(path ?? `skills/${skillName}/SKILL.md`, cwd), skillName }];
    }
    case "patch": {
      const patch = typeof input === "string" ? input : firstText(fields, rule.patch ?? patchKeys);
      return filesOfPatch(patch ?? "").map((path) => ({ type: "write", path: resolvePath(path, cwd) }));
    }
  }
}

const patchMarker = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;

/** The files that an `apply_patch` text names, each once, in order. */
function filesOfPatch(patch: string): string[] {
  const files = new Set<string>();
  for (const match of patch.matchAll(patchMarker)) if (match[1] !== undefined) files.add(match[1]);
  return [...files];
}

/** A shell command as file operations if that is certain, else as one command. */
export function shellOperations(
  command: string,
  where: { base?: string | undefined; workingDirectory?: string | undefined },
): Operation[] {
  const classified = classifyCommand(command);
  const script = { command: classified.command, workingDirectory: where.workingDirectory };
  if (classified.operations.length === 0) return [{ type: "command", ...script }];
  return classified.operations.map((operation) => {
    const path = operation.path === undefined ? undefined : resolvePath(operation.path, where.base);
    return toOperation(operation, path, where.workingDirectory, script);
  });
}

/** A part of a script with the path that it means. Each type has one shape: see `call-shapes.ts`. */
function toOperation(
  operation: ShellOperation,
  path: string | undefined,
  workingDirectory: string | undefined,
  script: Operation["script"],
): Operation {
  const { exitDecides, exitsOneOnNoMatch } = operation;
  switch (operation.type) {
    case "read": {
      const { type, startLine, endLine } = operation;
      return {
        type,
        path: path ?? operation.path,
        startLine,
        endLine,
        exitsOneOnNoMatch,
        exitDecides,
        script,
      };
    }
    case "search": {
      const { type, query } = operation;
      return { type, query, path, exitsOneOnNoMatch, exitDecides, script };
    }
    // `ls` lists the directory that was given with the command.
    case "list":
      return { type: "list", path: path ?? workingDirectory, exitsOneOnNoMatch, exitDecides, script };
  }
}

interface LineRange {
  startLine?: number | undefined;
  endLine?: number | undefined;
}

const wholeFile: LineRange = { startLine: undefined, endLine: undefined };

/** The requested lines. A count without a first line starts at 1. */
function lineRange(fields: JsonObject, keys: LineKeys): LineRange {
  const named = firstCount(fields, keys.start);
  const start = keys.isZeroBased && named !== undefined ? named + 1 : named;
  const count = keys.count && firstCount(fields, keys.count);
  const end = keys.end && firstCount(fields, keys.end);
  const startLine =
    start !== undefined && start > 0 ? start : count !== undefined || end !== undefined ? 1 : undefined;
  if (startLine === undefined) return wholeFile;
  const endLine = end ?? (count === undefined ? undefined : startLine + count - 1);
  return { startLine, endLine: endLine === undefined || endLine < startLine ? undefined : endLine };
}

function resolved(path: string | undefined, cwd: string | undefined): string | undefined {
  return path === undefined ? undefined : resolvePath(path, cwd);
}

/** Line ranges in the usual spelling: `offset` and `limit`. */
export const offsetAndLimit: LineKeys = { start: ["offset"], count: ["limit"] };
