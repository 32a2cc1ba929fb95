import type { Finished } from "../contract.js";

/**
 * How a call ended. A result is only a text: Kimi does not print whether the call succeeded (2.1.0). So the outcome is
 * what the text says. If the text says nothing about it, the outcome is unknown.
 */
export function finishedOf(name: string, output: string): Omit<Finished, "native"> {
  // What a command prints ends with a line break, and what Kimi says does not.
  if (!output.endsWith("\n") && refusal.test(output)) return { isSuccess: false, output };
  if (name === "Bash") return { ...commandResult(output), output };
  const sayings = Object.hasOwn(results, name) ? results[name] : undefined;
  if (sayings?.failure.test(output)) return { isSuccess: false, output };
  if (sayings?.success.test(output)) return { isSuccess: true, output };
  return { output };
}

/** One pattern for all: every result is tried with them. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** What any tool says when it was not run to its end. */
const refusal = anyOf([
  /^Tool "[^"\n]+" (?:not found|was denied|was aborted|failed|returned)\b/,
  /^Invalid args for tool "/,
  /^The user manually interrupted "/,
  /^Runtime changed before execution\. /,
  /^Plan mode is active\. You may only write to the current plan file: /,
  /^AgentSwarm must be the only tool call in a model response\./,
  /^description is required when run_in_background is true\.$/,
  /^subagent error: /,
  /^(?:Session closed|Aborted before .*)$/,
  /^"[^\n]+\b(?:matches a sensitive-file pattern|Access is blocked)\b/,
]);

/** Paths that cannot be used, in the words of Kimi and of the system. */
const badPath = [
  /^(?:"[^\n]+"|\/[^\n]*) (?:does not exist|is not a (?:file|directory))\.?$/,
  /^E[A-Z]{3,}: /,
  /^(?:read|write|edit|stat|mkdir) failed: /,
];

interface Sayings {
  failure: RegExp;
  success: RegExp;
}

const results: Readonly<Record<string, Sayings>> = {
  Read: {
    failure: anyOf([...badPath, /^"[^\n]+" is (?:an? |not )/]),
    success: anyOf([/^\s*\d+\t/, /^Tool output is empty\.$/]),
  },
  ReadMediaFile: {
    failure: anyOf([...badPath, /^"[^\n]+" is (?:an? |not )/]),
    success: /^\[\{"type":"text","text":"<(?:image|video) path=/,
  },
  Write: {
    failure: anyOf([...badPath, /^Failed to write /, /^Parent path is not a directory: /]),
    success: /^(?:Wrote|Appended) \d+ bytes to /,
  },
  Edit: {
    failure: anyOf([
      ...badPath,
      /^old_string (?:not found|is not unique) in /,
      /^No changes to make: /,
      / is not a file\.$/,
    ]),
    success: /^Replaced \d+ occurrences? in /,
  },
  Grep: {
    failure: anyOf([
      ...badPath,
      /^Failed to grep: /,
      /^Grep (?:aborted$|timed out )/,
      /^ripgrep \(rg\) is not available/,
    ]),
    success: /^/,
  },
  Glob: {
    failure: anyOf([...badPath, /^Glob (?:aborted$|failed|cannot )/, /^ripgrep \(rg\) is not available/]),
    success: /^/,
  },
  Skill: {
    failure: /^Skill "[^\n]*" not found\b/,
    success: /^Skill "[^\n]*" loaded inline\./,
  },
};

/** More than 50,000 characters are cut in the middle, and followed by where the whole output is. */
const isCut = /^Tool output exceeded \d+ characters; the full output was saved to a file\.\n/;
const rest = "(?:\\n+task_id: \\S+\\noutput_size_bytes: \\d+(?:\\nnext_step: [^\\n]*)?)?$";
const successLine = new RegExp(`\\nCommand executed successfully\\.${rest}`);
const exitLine = new RegExp(`(?:^|\\n)Command failed with exit code: (-?\\d{1,3})\\.${rest}`);
const endLine = new RegExp(`(?:^|\\n)(?:Command killed by timeout \\([^\\n]*\\)|Interrupted by user)${rest}`);
/** A command that goes on in the background, from its start or after its time limit. */
const inBackground = /^task_id: \S+\npid: \d+\n/;

/**
 * A command that failed ends with a line that says so, as Kimi promises its model. One that exited with 0 has only its own
 * output.
 */
function commandResult(output: string): Pick<Finished, "isSuccess" | "exitCode"> {
  if (inBackground.test(output)) return {};
  const exitCode = exitLine.exec(output)?.[1];
  // -1 is a command that a signal has ended.
  if (exitCode === "-1") return { isSuccess: false };
  if (exitCode !== undefined) return { isSuccess: false, exitCode: Number(exitCode) };
  if (endLine.test(output) || output === "Command cannot be empty.") return { isSuccess: false };
  return isCut.test(output) && !successLine.test(output) ? {} : { isSuccess: true };
}
