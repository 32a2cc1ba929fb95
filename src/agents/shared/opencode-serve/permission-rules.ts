import { HarnessError } from "../../../errors.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";
import type { LaunchTask } from "../../definition.js";

export type Action = "allow" | "ask" | "deny";

/** Permissions as a configuration has them: an action for a tool, or for patterns of what it is used on. */
export type PermissionConfig = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

/** One rule of a session or of an agent. The last rule that matches decides. */
export interface PermissionRule {
  permission: string;
  pattern: string;
  action: Action;
}

/** What is not a tool. */
const notTools: PermissionConfig = { external_directory: "allow", doom_loop: "allow", invalid: "allow" };

/** One permission stands for these tools. Which of them a model gets depends on the model. */
const editingTools = ["edit", "write", "patch", "apply_patch", "multiedit"];

/** The permissions of a one-shot run. Undefined: those of the user's configuration. */
export function permissionsFor(
  { permissions, allowedTools }: Pick<LaunchTask, "permissions" | "allowedTools">,
  readOnly: PermissionConfig,
): PermissionConfig | undefined {
  if (allowedTools === undefined) return permissions === "read-only" ? readOnly : undefined;
  if (permissions === "read-only")
    throw new HarnessError(
      "unsupported_option",
      "the tools of a read-only run are those that only read; leave out `allowedTools`, or allow everything",
    );
  refusePartOfEditing(allowedTools);
  const allowed = allowedTools.map((tool) => [editingTools.includes(tool) ? "edit" : tool, "allow"] as const);
  return { "*": "deny", ...knownTools, ...notTools, ...Object.fromEntries(allowed) };
}

/** Named one by one, because a rule of a project for one of them would outrank the rule for all. */
const knownTools: PermissionConfig = Object.fromEntries(
  [
    ...["bash", "edit", "read", "glob", "grep", "list", "lsp", "skill", "task", "question"],
    ...["todowrite", "todoread", "webfetch", "websearch", "codesearch", "plan_enter", "plan_exit"],
  ].map((tool) => [tool, "deny"]),
);

function refusePartOfEditing(allowedTools: readonly string[]): void {
  const editing = ["edit", "write"].filter((tool) => allowedTools.includes(tool));
  if (editing.length !== 1) return;
  throw new HarnessError(
    "invalid_option",
    "allowedTools: the tools edit and write can only be had together; name both or none",
  );
}

function toRules(config: PermissionConfig): PermissionRule[] {
  return Object.entries(config).flatMap(([permission, actions]) =>
    typeof actions === "string"
      ? [{ permission, pattern: "*", action: actions }]
      : Object.entries(actions).map(([pattern, action]) => ({ permission, pattern, action })),
  );
}

/**
 * The rules of a read-only session. Subagents inherit what is denied and nothing else: if everything was, they would have no tools. So
 * what no rule names is asked for, and the policy of the session answers.
 */
export function readOnlyRules(config: PermissionConfig): PermissionRule[] {
  return toRules(config).map((rule) => (rule.permission === "*" ? { ...rule, action: "ask" } : rule));
}

/**
 * Everything is asked for, except what touches no file, runs no command and reaches no network by itself. A path outside the
 * project needs no second permission, because each tool that uses it asks anyway.
 */
export const askForAll: PermissionConfig = {
  "*": "ask",
  external_directory: "allow",
  invalid: "allow",
  plan_enter: "allow",
  plan_exit: "allow",
  question: "allow",
  suggest: "allow",
  todoread: "allow",
  todowrite: "allow",
};

/**
 * The rules of a session that asks. They count more than those of its agent, but not for subagents: these have the rules of their
 * own agents, which a project's configuration may have opened. So a subagent is only started without asking if its own rules ask.
 */
export function askingRules(agents: JsonValue | undefined): PermissionRule[] {
  const asking = (asArray(agents) ?? []).flatMap((agent) => {
    const { name, permission } = asObject(agent) ?? {};
    const pattern = asText(name);
    return pattern !== undefined && isAsking(asArray(permission) ?? []) ? [pattern] : [];
  });
  return [
    ...toRules(askForAll),
    ...asking.map((pattern) => ({ permission: "task", pattern, action: "allow" as const })),
  ];
}

/** True if a rule for everything asks or denies, and no later one allows what is to be asked for. */
function isAsking(rules: readonly JsonValue[]): boolean {
  let isSafe = false;
  for (const rule of rules) {
    const { permission, pattern, action } = asObject(rule) ?? {};
    if (action === "allow") isSafe &&= isFree(permission);
    else if (permission === "*" && pattern === "*") isSafe = true;
  }
  return isSafe;
}

function isFree(permission: JsonValue | undefined): boolean {
  return typeof permission === "string" && askForAll[permission] === "allow";
}
