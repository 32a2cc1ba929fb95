import { cleanLine } from "../text/cut.js";
import type { JsonValue } from "../text/json.js";

/** Fields in which tools report what went wrong, the most informative first. */
const tellingFields = ["error", "message", "stderr", "output", "text", "content", "result", "stdout"];
const deepest = 6;
const maxExamined = 64 * 1024;

/**
 * One row that says why a call failed. For a command it is the last line that mentions a failure, else the last line:
 * compilers, tests and stack traces end with their conclusion. For anything else it is the first line.
 */
export function failureReason(output: JsonValue | undefined, isCommand: boolean): string {
  const text = textOf(output, 0);
  const lines = (isCommand ? text.slice(-maxExamined) : text.slice(0, maxExamined))
    .split(/[\r\n]+/)
    .map((line) => cleanLine(line.replace(/<\/?[a-z][\w-]*>/gi, "")))
    .filter((line) => line !== "" && !/^exit code:? -?\d+$/i.test(line));
  return (isCommand ? (lines.findLast(speaksOfFailure) ?? lines.at(-1)) : lines[0]) ?? "";
}

const failure =
  /\b(?:errors?|fail(?:ed|ures?|s|ing)?|exception|panic|fatal|denied|cannot|not found|no such|timed out)\b/i;
const noFailure = /\b(?:0|no) (?:errors?|fail\w*)\b|\b(?:errors?|fail\w*)\W+0\b/i;

function speaksOfFailure(line: string): boolean {
  return failure.test(line) && !noFailure.test(line);
}

/** What a command printed or a call answered, as text. Both streams of a command, where they are apart. */
export function outputText(output: JsonValue | undefined): string {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return textOf(output, 0);
  const streams = [output["stdout"], output["stderr"]].filter((text) => typeof text === "string");
  const text = streams.filter((stream) => stream.trim() !== "").join("\n");
  return text === "" ? textOf(output, 0) : text;
}

function textOf(value: JsonValue | undefined, depth: number): string {
  if (value === undefined || value === null || typeof value === "boolean" || depth > deepest) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    return value
      .slice(0, 100)
      .map((item) => textOf(item, depth + 1))
      .join("\n");
  }
  for (const field of tellingFields) {
    const text = textOf(value[field], depth + 1);
    if (text.trim() !== "") return text;
  }
  return "";
}
