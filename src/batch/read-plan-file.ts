import { basename, dirname, extname, resolve } from "node:path";
import * as v from "valibot";
import { describeIssue } from "../config/describe-issue.js";
import { parseJsonDocument } from "../config/json-document.js";
import { isPath } from "../config/named-files.js";
import { readSmallFile } from "../config/read-small-file.js";
import { DocumentSyntaxError, type ParsedDocument, parseToml } from "../config/toml-document.js";
import { HarnessError, isHarnessError, messageOf, problemOf, systemCode } from "../errors.js";
import { isObject } from "../text/fields.js";
import type { JsonObject } from "../text/json.js";
import { parseOwnJson } from "../text/parse-json.js";
import { suggestFrom } from "../text/suggest.js";
import type { Arm, BatchPlan, BatchTask, Workspace } from "./model/plan.js";
import { knownPlanKeys, PlanFile, type PlanFileArm, type PlanFileTask } from "./plan-file-schema.js";

/** A plan that was read from a file, and where each part of it is. */
export interface ReadPlan {
  path: string;
  plan: BatchPlan;
  /** `plan.toml:12`, for messages. */
  placeOf(path: readonly string[]): string;
}

/**
 * Reads a plan: TOML, or JSON if the file's name ends so. Paths in it are relative to the file. Throws `invalid_plan` with the
 * line of the mistake, or `unreadable_file`.
 */
export function readPlanFile(path: string): ReadPlan {
  const text = readText(path, path);
  const isJson = extname(path).toLowerCase() === ".json";
  const document = parse(path, isJson ? "JSON" : "TOML", () =>
    isJson ? parseJsonDocument(text) : parseToml(text),
  );
  const placeOf = (keys: readonly string[]): string => `${path}:${document.lineOf(keys)}`;
  const parsed = v.safeParse(PlanFile, document.values);
  if (!parsed.success) throw toError(parsed.issues, placeOf);
  refuseDuplicates(parsed.output, placeOf);
  return { path, plan: toPlan(parsed.output, { path, placeOf }), placeOf };
}

type PlaceOf = ReadPlan["placeOf"];

function parse(path: string, language: string, read: () => ParsedDocument): ParsedDocument {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const message = `${path}:${error.line}:${error.column}: not valid ${language}: ${error.message}`;
    throw new HarnessError("invalid_plan", message, { cause: error });
  }
}

/** A wrong key comes first: it often explains why another one is missing. */
function toError(issues: readonly v.BaseIssue<unknown>[], placeOf: PlaceOf): HarnessError {
  const unknown = issues.find(({ type, expected }) => type === "strict_object" && expected === "never");
  const issue = unknown ?? issues[0];
  const keys = (issue?.path ?? []).map((item) => String(item.key));
  const key = keys.at(-1) ?? "";
  const place = placeOf(keys);
  if (issue === undefined) return invalid(place, "the plan is not valid");
  if (issue === unknown)
    return invalid(
      place,
      `unknown key "${key}"${suggestFrom(key, knownPlanKeys(keys.slice(0, -1)), "known here")}`,
    );
  const isMissing = issue.received === "undefined" && issue.kind === "schema";
  if (isMissing) return invalid(place, `"${key}" is missing${wherein(keys)}; ${whatToAdd[key] ?? "add it"}`);
  return invalid(place, `"${nameOf(keys)}" ${describeIssue(issue)}`);
}

const whatToAdd: Readonly<Record<string, string>> = {
  tasks: "add [[tasks]] with an id and a prompt",
  arms: 'add [[arms]] with an agent, such as agent = "claude"',
  id: 'add one, such as id = "fix-total"',
  agent: 'add one, such as agent = "claude"',
};

/** ` in task 2`. */
function wherein([list, index]: readonly string[]): string {
  return index === undefined ? "" : ` in ${list === "tasks" ? "task" : "arm"} ${Number(index) + 1}`;
}

function nameOf(keys: readonly string[]): string {
  return keys.filter((key) => !/^\d+$/.test(key)).join(".");
}

function invalid(place: string, problem: string): HarnessError {
  return new HarnessError("invalid_plan", `${place}: ${problem}`);
}

/** Ids that are left out are made from the agent and the model. */
function refuseDuplicates({ tasks, arms }: PlanFile, placeOf: PlaceOf): void {
  refuseSecond(
    tasks.map(({ id }) => id),
    (index) => placeOf(["tasks", String(index), "id"]),
    (id) => `two tasks have the id "${id}"; give each its own`,
  );
  refuseSecond(
    arms.map(({ id, agent, model }) => id ?? [agent, model].filter(Boolean).join(" with ")),
    (index) => placeOf(["arms", String(index), "id"]),
    (id) => `two arms are called "${id}"; give each an id of its own`,
  );
}

function refuseSecond(
  names: readonly string[],
  place: (index: number) => string,
  sentence: (name: string) => string,
): void {
  const index = names.findIndex((name, at) => names.indexOf(name) < at);
  if (index !== -1) throw invalid(place(index), sentence(names[index] ?? ""));
}

function toPlan(file: PlanFile, where: { path: string; placeOf: PlaceOf }): BatchPlan {
  const { budget_usd, timeout, idle_timeout, tasks, arms, name, ...same } = file;
  return {
    ...same,
    name: name ?? basename(where.path, extname(where.path)),
    ...(budget_usd !== undefined && { budgetUsd: budget_usd }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(idle_timeout !== undefined && { idleTimeoutMs: idle_timeout }),
    tasks: tasks.map((task, index) => {
      const placeOf = (key: string): string => where.placeOf(["tasks", String(index), key]);
      return toTask(task, { directory: dirname(where.path), placeOf });
    }),
    arms: arms.map((arm) => toArm(arm, dirname(where.path))),
  };
}

interface TaskPlace {
  directory: string;
  placeOf(key: string): string;
}

function toTask(task: PlanFileTask, place: TaskPlace): BatchTask {
  const { prompt, prompt_file, workspace, schema, schema_file, ...rest } = task;
  const { setup_timeout, check_timeout, timeout, ...same } = rest;
  const answer = schemaOf(schema, schema_file, place);
  return {
    ...same,
    prompt: promptOf(prompt, prompt_file, place),
    ...(workspace !== undefined && { workspace: toWorkspace(workspace, place) }),
    ...(answer !== undefined && { schema: answer }),
    ...(setup_timeout !== undefined && { setupTimeoutMs: setup_timeout }),
    ...(check_timeout !== undefined && { checkTimeoutMs: check_timeout }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  };
}

function promptOf(prompt: string | undefined, file: string | undefined, place: TaskPlace): string {
  if (prompt !== undefined && file !== undefined)
    throw invalid(place.placeOf("prompt_file"), "a task has a prompt or a prompt_file, not both");
  if (prompt === undefined && file === undefined)
    throw invalid(place.placeOf("id"), "the task has no prompt; add prompt or prompt_file");
  const key = file === undefined ? "prompt" : "prompt_file";
  const text = prompt ?? readNamed(file ?? "", key, place).trim();
  if (text.trim() === "")
    throw invalid(place.placeOf(key), "the prompt is empty; say what the agent is to do");
  return text;
}

function schemaOf(
  schema: JsonObject | undefined,
  file: string | undefined,
  place: TaskPlace,
): JsonObject | undefined {
  if (schema !== undefined && file !== undefined)
    throw invalid(place.placeOf("schema_file"), "a task has a schema or a schema_file, not both");
  if (file === undefined) return schema;
  const value = parseOwnJson(readNamed(file, "schema_file", place));
  if (isObject(value)) return value;
  throw invalid(place.placeOf("schema_file"), `${file} is not a JSON Schema: it must hold a JSON object`);
}

function readNamed(file: string, key: string, { directory, placeOf }: TaskPlace): string {
  try {
    return readText(resolve(directory, file), file);
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    throw new HarnessError("invalid_plan", `${placeOf(key)}: ${error.message}`, { cause: error });
  }
}

const address = /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i;

function toWorkspace(workspace: Workspace, { directory, placeOf }: TaskPlace): Workspace {
  if ("copy" in workspace) return { copy: resolve(directory, workspace.copy) };
  if (!("git" in workspace)) return workspace;
  if (address.test(workspace.git))
    throw invalid(
      placeOf("workspace"),
      `"${workspace.git}" is an address; clone the repository, and name the directory here`,
    );
  return { ...workspace, git: resolve(directory, workspace.git) };
}

function toArm(file: PlanFileArm, directory: string): Arm {
  const { system_prompt, append_system_prompt, max_turns, max_budget_usd, ...rest } = file;
  const { mcp_servers, allowed_tools, extra_args, binary, home, ...same } = rest;
  return {
    ...same,
    ...(system_prompt !== undefined && { systemPrompt: system_prompt }),
    ...(append_system_prompt !== undefined && { appendSystemPrompt: append_system_prompt }),
    ...(max_turns !== undefined && { maxTurns: max_turns }),
    ...(max_budget_usd !== undefined && { maxBudgetUsd: max_budget_usd }),
    ...(mcp_servers !== undefined && { mcpServers: mcp_servers }),
    ...(allowed_tools !== undefined && { allowedTools: allowed_tools }),
    ...(extra_args !== undefined && { extraArgs: extra_args }),
    ...(binary !== undefined && { binary: isPath(binary) ? resolve(directory, binary) : binary }),
    ...(home !== undefined && { home: resolve(directory, home) }),
  };
}

/** Agents take text. Anything else would reach them garbled. */
function readText(path: string, shown: string): string {
  const bytes = readBytes(path, shown);
  try {
    if (bytes.includes(0)) throw new Error("it contains a NUL character; give text");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const isEncoding = systemCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const problem = isEncoding ? "it is not valid UTF-8; convert it to UTF-8" : messageOf(error);
    throw new HarnessError("unreadable_file", `cannot read ${shown}: ${problem}`, { cause: error });
  }
}

function readBytes(path: string, shown: string): Buffer {
  const refuse = (problem: string, cause?: unknown) =>
    new HarnessError("unreadable_file", `cannot read ${shown}: ${problem}`, { cause });
  try {
    const bytes = readSmallFile(path);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    throw refuse(problemOf(error), error);
  }
  throw refuse("there is no such file");
}
