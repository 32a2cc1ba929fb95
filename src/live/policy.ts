import type { PermissionMode } from "../agents/definition.js";
import type { Answer, SessionRequest } from "../agents/live-contract.js";
import type { Verdict } from "./rules/rule.js";

/** What is decided without asking the caller. Undefined: the caller is asked. */
export type Policy = (request: SessionRequest) => Decided | undefined;

export interface Decided {
  answer: Answer;
  /** The rule or mode that decided. */
  rule?: string | undefined;
}

export interface PolicyOptions {
  mode: PermissionMode;
  /** The verdict of the rules, if there are any. */
  judge?: ((request: SessionRequest) => Verdict) | undefined;
  /** Nobody can answer: what would be asked is denied. */
  isUnattended: boolean;
}

/** Rules decide first, then the mode. Questions, plans and forms go to the caller, if there is one. */
export function createPolicy({ mode, judge, isUnattended }: PolicyOptions): Policy {
  return (request) => {
    if (request.kind !== "permission") return isUnattended ? unanswered(request) : undefined;
    if (judge !== undefined) return byRules(judge(request), isUnattended);
    if (mode === "full-access") return { answer: { allow: true }, rule: mode };
    if (mode === "read-only") return onlyReads(request);
    return isUnattended ? { answer: refuse("nobody can be asked for permission") } : undefined;
  };
}

function byRules({ decision, rule, reason }: Verdict, isUnattended: boolean): Decided | undefined {
  if (decision === "allow") return { answer: { allow: true }, rule };
  if (decision === "deny") return { answer: refuse(reason ?? `denied by the rule ${rule}`), rule };
  if (!isUnattended) return undefined;
  return { answer: refuse(`${reason ?? "no rule allows this"}, and nobody can be asked`), rule };
}

const reading: ReadonlySet<string> = new Set(["read", "list", "search", "skill"]);

/** An agent that asks although it was started read-only may read, and nothing else. */
function onlyReads({ operations = [] }: SessionRequest): Decided {
  const isReading = operations.length > 0 && operations.every(({ type }) => reading.has(type));
  return { answer: isReading ? { allow: true } : refuse("this session is read-only"), rule: "read-only" };
}

/** Approving a plan only lets the agent begin. What it does then is decided call by call. */
function unanswered({ kind }: SessionRequest): Decided {
  if (kind === "plan") return { answer: { allow: true } };
  return { answer: { decline: true, message: "nobody can answer" } };
}

function refuse(message: string): Answer {
  return { allow: false, message };
}
