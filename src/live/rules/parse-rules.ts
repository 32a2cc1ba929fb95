import { HarnessError } from "../../errors.js";
import type { RequestedOperation } from "../../events/live-event.js";
import { didYouMean } from "../../text/suggest.js";
import type { PermissionRules } from "./rule.js";

/** What a rule is about. `tool` is for tools of which harness does not know what they do. */
export type RuleOperation = RequestedOperation["type"] | "tool";

export interface ParsedRule {
  readonly list: "deny" | "ask" | "allow";
  /** As it was written. */
  readonly text: string;
  readonly operation: RuleOperation;
  /** Absent: every operation of this type. */
  readonly pattern?: string;
}

export const ruleOperations: readonly RuleOperation[] = [
  "read",
  "write",
  "search",
  "list",
  "command",
  "fetch",
  "mcp",
  "skill",
  "tool",
];

/** Names that agents and people use for the operations. */
const otherNames: Readonly<Record<string, RuleOperation>> = {
  bash: "command",
  shell: "command",
  exec: "command",
  run: "command",
  terminal: "command",
  execute: "command",
  edit: "write",
  create: "write",
  delete: "write",
  modify: "write",
  patch: "write",
  grep: "search",
  find: "search",
  glob: "search",
  ls: "list",
  dir: "list",
  view: "read",
  cat: "read",
  file: "read",
  web: "fetch",
  webfetch: "fetch",
  url: "fetch",
  http: "fetch",
  network: "fetch",
};

const lists = ["deny", "ask", "allow"] as const;

/** Reads rules. Throws `invalid_option` for the first one that is invalid; the message names it. */
export function parseRules(rules: PermissionRules): ParsedRule[] {
  return lists.flatMap((list) =>
    (rules[list] ?? []).map((text): ParsedRule => {
      const problem = problemWith(text);
      const { given: _given, ...rule } = split(text);
      if (problem === undefined) return { list, text, ...rule };
      throw new HarnessError("invalid_option", `the rule ${JSON.stringify(text)} (${list}) ${problem}`);
    }),
  );
}

/** What is wrong with a rule, and what to do. The sentence follows the rule or its key. Undefined: nothing is wrong. */
export function problemWith(text: string): string | undefined {
  const operations = ruleOperations.join(", ");
  if (text.trim() === "") return `must not be empty; begin with an operation: ${operations}`;
  if (/[\u0000-\u001f\u007f\ue000-\uf8ff]/.test(text))
    return "must not contain line breaks or control characters";
  const { operation, pattern, given } = split(text);
  if (!ruleOperations.includes(operation)) return unknownOperation(given, text, operations);
  if (pattern === undefined) return undefined;
  if (pattern === "")
    return `must have a pattern after the colon; write "${operation}" alone for every operation of this kind`;
  return problems[operation]?.(pattern);
}

function split(text: string): Pick<ParsedRule, "operation" | "pattern"> & { given: string } {
  const colon = text.indexOf(":");
  const given = (colon === -1 ? text : text.slice(0, colon)).trim();
  const operation = given as RuleOperation;
  if (colon === -1) return { operation, given };
  const pattern = text.slice(colon + 1).trim();
  // A pattern that matches everything is the same as none.
  return /^(?:\*+(?:\/\*+)*|\*: *\*)$/.test(pattern) ? { operation, given } : { operation, pattern, given };
}

function unknownOperation(given: string, text: string, operations: string): string {
  const [word = "", ...rest] = given.split(/[\s(]+/);
  const plain = word.toLowerCase();
  const meant = otherNames[plain] ?? ruleOperations.find((operation) => operation === plain);
  const pattern = /\((.*)\)$/.exec(text)?.[1]?.replace(/:\*$/, " *") ?? rest.join(" ");
  const hint =
    meant === undefined
      ? didYouMean(given, ruleOperations)
      : `; did you mean "${pattern === "" ? meant : `${meant}: ${pattern}`}"?`;
  return `must begin with an operation (${operations}) and a colon if a pattern follows${hint}`;
}

const problems: Readonly<Partial<Record<RuleOperation, (pattern: string) => string | undefined>>> = {
  read: pathProblem,
  write: pathProblem,
  search: pathProblem,
  list: pathProblem,
  command: commandProblem,
  fetch: fetchProblem,
};

function pathProblem(pattern: string): string | undefined {
  if (/\{[^}]*,[^}]*\}/.test(pattern)) return "must not have braces in a path; write one rule for each path";
  if (pattern.startsWith("!")) return "must not begin with !; write the exception into another list";
  if (/^~[^/]/.test(pattern)) return "must name a home directory as ~/, or the whole path";
  if (pattern.split("**").length > 5) return "must have ** at most four times";
  return pattern.length > 1000 ? "must be at most 1000 characters long" : undefined;
}

function commandProblem(pattern: string): string | undefined {
  if (/[;|&<>`\n]|\$\(/.test(pattern.replace(/'[^']*'|"[^"]*"/g, "")))
    return "must name one simple command, without ; | & < > and $( ); write one rule for each command";
  if ((pattern.match(/"/g)?.length ?? 0) % 2 === 1 || (pattern.match(/'/g)?.length ?? 0) % 2 === 1)
    return "must close the quotes that it opens";
  return pattern.length > 1000 ? "must be at most 1000 characters long" : undefined;
}

function fetchProblem(pattern: string): string | undefined {
  return /\s/.test(pattern) ? "must be a host (example.com, *.example.com) or a URL" : undefined;
}
