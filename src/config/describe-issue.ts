import type * as v from "valibot";

/** What is wrong with a value, for people: `must be a number, not "soon"`. */
export function describeIssue(issue: v.BaseIssue<unknown>): string {
  if (issue.message.startsWith("must ")) return issue.message;
  const { expected } = issue;
  const wanted = expected === null ? "something else" : (typeNames[expected] ?? toChoice(expected));
  if (isSecret(issue)) return `must be ${wanted}`;
  return `must be ${wanted}, not ${typeNames[issue.received] ?? issue.received}`;
}

/** Values of variables are never shown. */
function isSecret(issue: v.BaseIssue<unknown>): boolean {
  return issue.path?.some(({ key }) => key === "env") ?? false;
}

/** As TOML calls them. */
const typeNames: Readonly<Record<string, string>> = {
  number: "a number",
  string: "a text in quotes",
  Array: "a list",
  Object: "a table",
  NaN: "nan",
};

/** `("a" | "b")` becomes `"a" or "b"`. */
function toChoice(expected: string): string {
  return expected.replace(/^\((.*)\)$/, "$1").replaceAll(" | ", " or ");
}
