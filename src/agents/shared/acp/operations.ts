import type { RequestedOperation } from "../../../events/event.js";
import { asArray, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { resolvePath } from "../../../text/paths.js";
import type { Operation } from "../../contract.js";
import { toRequested } from "../../frame/operation-drafts.js";
import { offsetAndLimit, shellOperations, toOperations } from "../tool-table.js";
import type { AcpFacts, CallFields } from "./dialect.js";

interface Where {
  facts: AcpFacts;
  cwd: string | undefined;
}

type ByKind = (fields: CallFields, input: JsonObject, where: Where) => Operation[];

/** What a call does, by its kind. Its parts are taken from the input, else from the locations, the diffs and the title. */
const kinds: Readonly<Record<string, ByKind>> = {
  execute: commands,
  read: (fields, input, where) => (isSearch(input) ? searches : reads)(fields, input, where),
  search: searches,
  edit: writes,
  delete: writes,
  move: writes,
  other: patches,
};

/** Empty if the kind of a call and its fields do not say what it does. */
export function operationsByKind(fields: CallFields, facts: AcpFacts, cwd: string | undefined): Operation[] {
  const { kind = "other" } = fields;
  if (!Object.hasOwn(kinds, kind)) return [];
  return kinds[kind]?.(fields, asObject(fields.input) ?? {}, { facts, cwd }) ?? [];
}

function commands(fields: CallFields, input: JsonObject, { cwd }: Where): Operation[] {
  const directory = asText(input["cwd"]) ?? asText(input["workdir"]);
  const workingDirectory = directory === undefined ? undefined : resolvePath(directory, cwd);
  const where = { base: workingDirectory ?? cwd, workingDirectory };
  return commandsIn(fields, input).flatMap((command) => shellOperations(command, where));
}

/** An agent that sends no input has the command as the title of the call (Gemini CLI). */
function commandsIn({ input: given, title }: CallFields, input: JsonObject): string[] {
  const command = firstText(input, ["command", "cmd", "script"]);
  if (command !== undefined) return [command];
  const words = texts(input["command"]);
  if (words.length > 0) return [words.join(" ")];
  const several = texts(input["commands"]);
  if (several.length > 0) return several;
  return given === undefined && title !== undefined ? [title] : [];
}

function reads(fields: CallFields, input: JsonObject, { cwd }: Where): Operation[] {
  const single = toOperations({ as: "read", path: pathKeys, lines: offsetAndLimit }, input, cwd);
  if (single.length > 0) return single;
  return paths(fields, input).map((path) => ({ type: "read", path: resolvePath(path, cwd) }));
}

function writes(fields: CallFields, input: JsonObject, where: Where): Operation[] {
  const patched = patches(fields, input, where);
  if (patched.length > 0) return patched;
  const found = paths(fields, input);
  return found.map((path) => ({ type: "write", path: resolvePath(path, where.cwd) }));
}

/** A patch in the format of `apply_patch` names its files. */
function patches({ input: given }: CallFields, input: JsonObject, { cwd }: Where): Operation[] {
  const patch = typeof given === "string" ? given : firstText(input, ["input", "patch", "patchText"]);
  return patch?.startsWith("*** Begin Patch") ? toOperations({ as: "patch" }, { patch }, cwd) : [];
}

function isSearch(input: JsonObject): boolean {
  return firstText(input, ["pattern", "regex"]) !== undefined;
}

function searches(fields: CallFields, input: JsonObject, { facts, cwd }: Where): Operation[] {
  const rule = { as: "search", path: ["path", "paths", "dir_path", "directory"] } as const;
  const given = fields.input === undefined ? searchInTitle(fields, facts) : input;
  const single = toOperations(rule, given, cwd);
  if (single.length > 0) return single;
  return texts(input["queries"]).map((query) => ({ type: "search", query }));
}

/** The parts of a search by an agent that sends no input. A path that was shortened for people is left out. */
function searchInTitle({ title = "" }: CallFields, { searchTitle }: AcpFacts): JsonObject {
  const { pattern, path } = searchTitle?.exec(title)?.groups ?? {};
  if (pattern === undefined) return {};
  return { pattern, ...(path !== undefined && !path.includes("...") && { path }) };
}

const pathKeys = [
  "file_path",
  "filePath",
  "path",
  "filepath",
  "absolute_path",
  "absolutePath",
  "fileName",
  "filename",
];

/** The files of a call: those of its input, else those of its diffs, else its locations. */
function paths({ content, locations }: CallFields, input: JsonObject): string[] {
  const one = firstText(input, pathKeys);
  if (one !== undefined) return [one];
  const listed = pathsIn(asArray(input["files"]) ?? []);
  if (listed.length > 0) return listed;
  const edited = pathsIn(content.filter((part) => asObject(part)?.["type"] === "diff"));
  return edited.length > 0 ? edited : pathsIn(locations);
}

function pathsIn(list: readonly JsonValue[]): string[] {
  return [...new Set(list.flatMap((part) => asText(part) ?? asText(asObject(part)?.["path"]) ?? []))];
}

function texts(value: JsonValue | undefined): string[] {
  return (asArray(value) ?? []).flatMap((text) => asText(text) ?? []);
}

/** What a request is about: operations, else the address of a fetch or the tool of an MCP server. */
export function requestedOperations(
  name: string,
  fields: CallFields,
  operations: readonly Operation[],
): RequestedOperation[] | undefined {
  if (operations.length > 0) return toRequested(operations);
  if (fields.kind === "fetch") return [fetchOf(asObject(fields.input) ?? {})];
  const [, server, tool] = mcpName.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : [{ type: "mcp", server, tool }];
}

const mcpName = /^mcp__(.+?)__(.+)$/;

function fetchOf(input: JsonObject): RequestedOperation {
  const url = firstText(input, ["url", "uri"]);
  return { type: "fetch", ...(url !== undefined && { url }) };
}
