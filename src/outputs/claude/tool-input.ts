import type { PlannedOperation } from "../../events/live-event.js";
import { replacedTexts } from "../../story/edit-fields.js";
import { editsOfCall } from "../../story/edits-of-call.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";

/** A call of one of Claude Code's tools. */
export interface ToolUse {
  name: string;
  input: JsonValue;
}

/** A call as its agent made it. */
export interface NativeCall {
  name: string;
  input?: JsonValue | undefined;
}

/** The call of Claude Code that does this. The fields of the agent's own call stay if the tool is the same. */
export function toolUseOf(operation: PlannedOperation, call: NativeCall, cwd: string): ToolUse {
  const own = isObject(call.input) ? call.input : {};
  switch (operation.type) {
    case "command":
      return sameOr(call, ["Bash", "Monitor"], "Bash", { command: operation.command }, own);
    case "read": {
      const { startLine, endLine } = operation;
      const lines = {
        ...(startLine !== undefined && { offset: startLine }),
        ...(startLine !== undefined && endLine !== undefined && { limit: endLine - startLine + 1 }),
      };
      return sameOr(call, ["Read"], "Read", { file_path: pathOf(operation.path, own, cwd), ...lines }, own);
    }
    case "write":
      return writeOf(operation.path, call, own, cwd);
    case "search": {
      const { query, path } = operation;
      const fields = { pattern: query, ...(path !== undefined && { path }) };
      return sameOr(call, ["Grep", "Glob"], globs.test(call.name) ? "Glob" : "Grep", fields, own);
    }
    case "list":
      return { name: "LS", input: operation.path === undefined ? {} : { path: operation.path } };
    case "skill": {
      const name = operation.skillName ?? directoryName(operation.path);
      return sameOr(call, ["Skill"], "Skill", { skill: name }, own);
    }
  }
}

/** Tools that search for names of files. */
const globs = /glob|find|file_search/i;

/** The call stays as it is if it is one of Claude Code's own. What the operation says wins over its spelling. */
function sameOr(
  call: NativeCall,
  names: readonly string[],
  otherwise: string,
  fields: JsonObject,
  own: JsonObject,
): ToolUse {
  if (!names.includes(call.name)) return { name: otherwise, input: fields };
  const { pattern: _, path: __, offset: ___, limit: ____, ...rest } = own;
  return { name: call.name, input: { ...rest, ...fields } };
}

/** The path as the call spells it, if that means the same. */
function pathOf(path: string, own: JsonObject, cwd: string): string {
  const spelled = own["file_path"];
  return typeof spelled === "string" && resolvePath(spelled, cwd || undefined) === path ? spelled : path;
}

const editors = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/** A write is an edit if the texts before and after it are known, or the whole content of a file. */
function writeOf(path: string, call: NativeCall, own: JsonObject, cwd: string): ToolUse {
  if (editors.includes(call.name)) {
    const key = call.name === "NotebookEdit" ? "notebook_path" : "file_path";
    return { name: call.name, input: { ...own, [key]: path } };
  }
  const texts = replacedTexts(own);
  if (texts !== undefined) return edit(path, ...texts);
  const found = editsOfCall({ name: call.name, input: call.input });
  const isIt = (name: string | undefined): boolean =>
    name !== undefined && resolvePath(name, cwd || undefined) === resolvePath(path, cwd || undefined);
  const matching = found.filter((one) => isIt(one.path) || isIt(one.to));
  const changed = matching.length > 0 ? matching : found.length === 1 ? found : [];
  const lines = changed.flatMap((one) => one.lines);
  const [first] = changed;
  // A new file of which only the name is reported is not an empty file.
  if (first?.kind === "whole" && (lines.length > 0 || own["content"] === ""))
    return { name: "Write", input: { file_path: path, content: side(lines, "+") } };
  return edit(path, side(lines, "-"), side(lines, "+"));
}

function edit(path: string, before: string, after: string): ToolUse {
  return { name: "Edit", input: { file_path: path, old_string: before, new_string: after } };
}

/** One side of a patch: its lines with this sign, and those that did not change. */
function side(lines: readonly string[], sign: "+" | "-"): string {
  return lines
    .filter((line) => line.startsWith(sign) || line.startsWith(" "))
    .map((line) => line.slice(1))
    .join("\n");
}

function directoryName(path: string): string {
  return path.split(/[\\/]/).at(-2) ?? path;
}
