import type { RequestedOperation } from "../../events/live-event.js";
import type { ShellOperation } from "../../shell/shell-operation.js";
import { type CompiledRule, type Opinion, opinionOn, type RuleQuestion, withRule } from "./opinion.js";
import { allowsPath, namesPath, type PathSubject, type Places, toSubject } from "./path-pattern.js";

/** A directory that a path may start from. Undefined: it is not known. */
export type Base = string | undefined;

export type PathOperation = "read" | "write" | "search" | "list";

/** What the rules say about an operation on a path that may start from any of these directories. */
export function opinionOnPath(
  rules: readonly CompiledRule[],
  { type, path, isCertain = true }: { type: PathOperation; path: string; isCertain?: boolean },
  bases: readonly Base[],
  places: Places,
): Opinion {
  const subjects = bases.map((base) => toSubject(path, base, places, isCertain));
  const question: RuleQuestion = {
    what: `${phrases[type]} ${path}`,
    operation: type,
    names: (rule) => namesAny(rule, subjects),
    allows: ({ path: pattern }) =>
      pattern !== undefined && subjects.every((subject) => allowsPath(pattern, subject)),
  };
  const opinion = opinionOn(rules, question);
  // To search a file is to read it. To search a directory is not: see docs/permissions.md.
  return type === "search" ? withReads(opinion, rules, subjects) : opinion;
}

const phrases: Readonly<Record<PathOperation, string>> = {
  read: "reading",
  write: "writing",
  search: "searching",
  list: "listing",
};

function withReads(
  opinion: Opinion,
  rules: readonly CompiledRule[],
  subjects: readonly PathSubject[],
): Opinion {
  let result = opinion;
  for (const rule of rules) {
    if (rule.operation !== "read" || rule.list === "allow" || rule.pattern === undefined) continue;
    const match = namesAny(rule, subjects);
    if (match !== "no") result = withRule(result, rule, match);
  }
  return result;
}

export function namesAny({ path }: CompiledRule, subjects: readonly PathSubject[]): "yes" | "maybe" | "no" {
  if (path === undefined) return "no";
  const matches = subjects.map((subject) => namesPath(path, subject));
  return matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no";
}

/** What the rules say about reads, searches and lists of a shell command. Without a path it may be about several. */
export function opinionOnReads(
  rules: readonly CompiledRule[],
  operations: readonly ShellOperation[],
  bases: readonly Base[],
  places: Places,
): Opinion[] {
  return operations.map(({ type, path }) =>
    path === undefined
      ? opinionOnPath(rules, { type, path: ".", isCertain: false }, bases, places)
      : opinionOnPath(rules, { type, path }, bases, places),
  );
}

/** The path of an operation that has one. A search or a list without a path is about the working directory. */
export function pathOf(operation: RequestedOperation): { type: PathOperation; path: string } | undefined {
  const { type } = operation;
  if (type === "read" || type === "write") return { type, path: operation.path };
  if (type === "search" || type === "list") return { type, path: operation.path ?? "." };
  return undefined;
}
