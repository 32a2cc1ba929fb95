import type * as v from "valibot";
import { ruleOf } from "../text/check-options.js";

/** Says what is wrong with a value: `must be a number, not "soon"`. */
export function describeIssue(issue: v.BaseIssue<unknown>): string {
  const rule = ruleOf(issue, typeNames);
  if (rule === issue.message || isSecret(issue)) return rule;
  return `${rule}, not ${typeNames[issue.received] ?? issue.received}`;
}

/** The values of environment variables are never shown. */
function isSecret(issue: v.BaseIssue<unknown>): boolean {
  return issue.path?.some(({ key }) => key === "env") ?? false;
}

/** The terms of TOML. */
const typeNames: Readonly<Record<string, string>> = {
  number: "a number",
  string: "a string in quotes",
  Array: "a list",
  Object: "a table",
  NaN: "nan",
};
