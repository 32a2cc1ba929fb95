import { changedDirectory } from "../../shell/changed-directory.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { toJsonText } from "../../text/to-json.js";
import type { FileOperation } from "./calls.js";
import type { ToolUse } from "./tool-input.js";

/** How one call ended. */
export interface HowEnded {
  isSuccess: boolean | undefined;
  output: JsonValue | undefined;
  /** What it did, as far as that is known. */
  done: readonly FileOperation[];
  /** It is not a call of a subagent. */
  isMain: boolean;
  cwd: string;
}

/** The result of a call in Claude Code's words. `details` is its `tool_use_result`, `facts` what it has no word for. */
export interface ToolResult {
  content: string | JsonValue[] | undefined;
  is_error: boolean;
  details: JsonObject;
  facts?: JsonObject | undefined;
}

export function resultOf(use: ToolUse, how: HowEnded): ToolResult {
  const { isSuccess, output } = how;
  const [operation] = how.done;
  const is_error = isSuccess === false;
  const content = contentOf(output);
  const code = is_error && use.name === "Bash" ? exitCodeOf(operation) : undefined;
  const facts = {
    ...(isSuccess === undefined && { outcome: "unknown" }),
    ...(operation?.type === "command" && commandFacts(operation)),
  };
  return {
    content: code === undefined || typeof content === "object" ? content : withExitCode(content ?? "", code),
    is_error,
    details: detailsOf(use, how, typeof content === "string" ? content : ""),
    ...(Object.keys(facts).length > 0 && { facts }),
  };
}

/** What Claude Code does not say of a command. */
function commandFacts({ exitCode, workingDirectory }: FileOperation & { type: "command" }): JsonObject {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(workingDirectory !== undefined && { workingDirectory }),
  };
}

/** Text and blocks stay as they are. Any other value is JSON text. */
function contentOf(output: JsonValue | undefined): string | JsonValue[] | undefined {
  if (output === undefined || typeof output === "string") return output;
  const isBlocks =
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((block) => isObject(block) && typeof block["type"] === "string");
  return isBlocks ? output : toJsonText(output);
}

/** Only the text of a failed command has its exit code. A search that found nothing ends with 1, and did not fail. */
function exitCodeOf(operation: FileOperation | undefined): number | undefined {
  if (operation === undefined) return undefined;
  if (operation.type === "command") return operation.exitCode;
  return operation.isSuccess === true ? 1 : undefined;
}

function withExitCode(text: string, code: number): string {
  const first = `Exit code ${code}`;
  if (text === "" || text === first || text.startsWith(`${first}\n`)) return text || first;
  return `${first}\n${text}`;
}

/**
 * Every command of another agent starts in the workspace, but Claude Code's shell stays where a command has gone to. A command
 * whose outcome is not known is one that goes on in the background.
 */
function detailsOf(use: ToolUse, { isSuccess, done, isMain, cwd }: HowEnded, stdout: string): JsonObject {
  const [first] = done;
  if (first !== undefined && done.every((operation) => operation.isSuccess === undefined))
    return { stdout, stderr: "", interrupted: false, backgroundTaskId: `harness_${first.seq}` };
  const command = use.name === "Bash" && isObject(use.input) ? use.input["command"] : undefined;
  if (!isMain || isSuccess === false || typeof command !== "string" || cwd === "") return {};
  const hasMoved = /^\s*pwd\b/.test(command) || changedDirectory(command, stdout) !== ".";
  return hasMoved ? { stdout, stderr: `Shell cwd was reset to ${cwd}`, interrupted: false } : {};
}
