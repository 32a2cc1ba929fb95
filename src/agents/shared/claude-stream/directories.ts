import { changedDirectory } from "../../../shell/changed-directory.js";
import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { isAbsolutePath, resolvePath } from "../../../text/paths.js";
import { createRecent } from "../../../text/recent.js";
import type { Finished, OpenCall, Operation } from "../../contract.js";
import { type ToolRule, toOperations } from "../tool-table.js";
import { isStillRunning } from "./call-result.js";
import type { Dialect } from "./dialect.js";
import { rememberedSubagents } from "./threads.js";

/**
 * Where the main agent and its subagents work. Relative paths of all their tools are below that directory (2.1.325):
 * - The shell of the main agent keeps its directory after a script that exited 0. `Shell cwd was reset to …` takes it back,
 *   when the script has left the workspace.
 * - A subagent stays where the main agent was when it started the subagent.
 * - `EnterWorktree` and `ExitWorktree` move the agent that calls them.
 * Where the directory cannot be known, paths stay as they were written, until an absolute `cd` makes it known again.
 */
export interface Directories {
  /** `init` names the directory of the main agent. The first one is that of the run. */
  announced(directory: string | undefined): void;
  /** The directory of an agent: the main one, or the one that the call has started. */
  of(parentCallId: string | undefined): string | undefined;
  /** What a call is going to do. */
  begun(call: OpenCall, rule: ToolRule | undefined): Operation[] | undefined;
  /** What a call did. Calls run side by side: if the directory has changed since its beginning, paths stay as written. */
  ended(call: OpenCall, rule: ToolRule, record: JsonObject, how: Finished): Operation[];
  /** Follows the agent after a call. */
  follow(call: OpenCall, record: JsonObject, how: Finished): void;
}

export function createDirectories(dialect: Dialect, workspace: string | undefined): Directories {
  let home = workspace;
  let hasHome = false;
  let main = workspace;
  /** By the call that has started the subagent. */
  const subagents = createRecent<string, string | undefined>(rememberedSubagents);
  const begunIn = new WeakMap<OpenCall, { directory: string | undefined }>();

  function of(parentCallId: string | undefined): string | undefined {
    return parentCallId !== undefined && subagents.has(parentCallId) ? subagents.get(parentCallId) : main;
  }

  function move(parentCallId: string | undefined, directory: string | undefined): void {
    if (parentCallId === undefined) main = directory;
    else subagents.set(parentCallId, directory);
  }

  function operationsIn(directory: string | undefined, rule: ToolRule, call: OpenCall): Operation[] {
    const operations = toOperations(rule, call.input, rule.as === "skill" ? home : directory);
    if (directory === undefined || directory === home) return operations;
    return operations.map((operation) =>
      operation.type === "list" && operation.path === undefined
        ? { ...operation, path: directory }
        : operation,
    );
  }

  /** Where a call ran. Undefined if another call has changed the directory since it began. */
  function directoryOf(call: OpenCall): string | undefined {
    const directory = of(call.parentCallId);
    const begun = begunIn.get(call);
    return begun !== undefined && begun.directory !== directory ? undefined : directory;
  }

  return {
    announced(directory) {
      if (directory === undefined) return;
      if (!hasHome) home = directory;
      hasHome = true;
      main = directory;
    },
    of,
    begun(call, rule) {
      const directory = of(call.parentCallId);
      begunIn.set(call, { directory });
      if (dialect.subagentTools.has(call.name))
        subagents.set(call.callId, directoryForSubagent(call, directory));
      return rule && operationsIn(directory, rule, call);
    },
    ended(call, rule, record, how) {
      const named = directoryNamedBy(how);
      if (named !== undefined) move(call.parentCallId, named);
      const directory = named ?? directoryOf(call);
      const path = reportedPath(record);
      const isAsBegun = begunIn.get(call)?.directory === directory && call.operations !== undefined;
      const operations = isAsBegun ? call.operations : operationsIn(directory, rule, call);
      return (operations ?? []).map((operation) =>
        path !== undefined && (operation.type === "read" || operation.type === "write")
          ? { ...operation, path }
          : operation,
      );
    },
    follow(call, record, how) {
      if (how.isSuccess !== true) return;
      const worktree =
        Object.hasOwn(dialect.worktreeTools ?? {}, call.name) && dialect.worktreeTools?.[call.name];
      const details = asObject(record["tool_use_result"]) ?? {};
      if (worktree) move(call.parentCallId, firstText(details, worktree));
      else if (
        call.parentCallId === undefined &&
        dialect.keepsDirectory?.has(call.name) &&
        !isStillRunning(call, record, how)
      )
        main = directoryAfter(call, details, { home, directory: directoryOf(call), output: how.output });
    },
  };
}

/** The directory of a new subagent. Its own worktree is not named by any record. */
function directoryForSubagent({ input }: OpenCall, directory: string | undefined): string | undefined {
  const { isolation, cwd } = asObject(input) ?? {};
  const given = asText(cwd);
  if (given !== undefined) return resolvePath(given, directory);
  return isolation === undefined || isolation === null ? directory : undefined;
}

/** Where a shell command began, and what it printed. */
interface Place {
  home: string | undefined;
  directory: string | undefined;
  output: Finished["output"];
}

/** The directory after a shell command that succeeded. */
function directoryAfter(
  call: OpenCall,
  details: JsonObject,
  { home, directory, output }: Place,
): string | undefined {
  // A result without details has only the text, where standard error comes last.
  const errors = asText(details["stderr"]) ?? (details["stdout"] === undefined ? asText(output) : undefined);
  const reset = /(?:^|\n)Shell cwd was reset to (.+)\s*$/.exec(errors ?? "")?.[1];
  if (reset !== undefined) return reset;
  // The exit code is not a failure: a `grep` that found nothing. The shell keeps its directory only after exit code 0.
  if (asText(details["returnCodeInterpretation"]) !== undefined) return directory;
  const command = firstText(asObject(call.input) ?? {}, ["command", "cmd"]) ?? "";
  const printed = printedBy(details);
  const named = asksWhere.test(command) ? /^\/.*/.exec(printed ?? "")?.[0] : undefined;
  const after = changedDirectory(command, printed);
  const path = after === "." ? (named ?? after) : after;
  return path === undefined ? undefined : resolveShellPath(path, directory, home);
}

/** On Windows the shell is a bash, which writes `/c/src` for `C:\\src`. Undefined if the path has no drive or no base. */
function resolveShellPath(
  path: string,
  directory: string | undefined,
  home: string | undefined,
): string | undefined {
  const isWindows = home !== undefined && isAbsolutePath(home) && !home.startsWith("/");
  const drive = isWindows
    ? path.replace(/^\/([A-Za-z])(?:\/|$)/, (_, letter) => `${letter.toUpperCase()}:/`)
    : path;
  const native = isWindows ? drive.replaceAll("/", "\\") : path;
  if (isAbsolutePath(native)) return resolvePath(native, undefined);
  return directory === undefined || native.startsWith("\\") ? undefined : resolvePath(native, directory);
}

/** A script that prints its directory first. */
const asksWhere = /^\s*pwd\s*(?:$|&&|;|\n)/;

/** Undefined if the record does not have the whole output. */
function printedBy(details: JsonObject): string | undefined {
  const { stdout, stderr, persistedOutputPath } = details;
  if (typeof stdout !== "string" || typeof stderr !== "string" || persistedOutputPath !== undefined)
    return undefined;
  return `${stdout}\n${stderr}`;
}

/** The message about a missing file names the current directory. */
const notFound =
  /^(?:<tool_use_error>)?File does not exist\. Note: your current working directory is (\/.+?)\.(?:\s|<|$)/;

function directoryNamedBy({ isSuccess, output }: Finished): string | undefined {
  return isSuccess === false && typeof output === "string" ? notFound.exec(output)?.[1] : undefined;
}

/** The file of a read or a write, if the result names it with its whole path. */
function reportedPath(record: JsonObject): string | undefined {
  const details = asObject(record["tool_use_result"]) ?? {};
  const path = firstText(asObject(details["file"]) ?? details, ["filePath"]);
  return path !== undefined && isAbsolutePath(path) ? resolvePath(path, undefined) : undefined;
}
