import { type CommandPattern, compileCommand } from "./command-pattern.js";
import { compileFetch, compileMcp, compileSkill, compileTool, type NamePattern } from "./name-patterns.js";
import type { ParsedRule, RuleOperation } from "./parse-rules.js";
import { compilePath, type Match, type PathPattern, type Places } from "./path-pattern.js";
import type { Verdict } from "./rule.js";

/** A rule with its pattern, ready to compare. A rule without a pattern has none of the last three. */
export interface CompiledRule extends ParsedRule {
  readonly path?: PathPattern;
  readonly command?: CommandPattern;
  readonly fetch?: NamePattern<string | undefined>;
  readonly mcp?: NamePattern<{ server?: string; tool: string }>;
  readonly skill?: NamePattern<{ skillName?: string; path: string }>;
  readonly tool?: NamePattern<string>;
}

type Compile = (pattern: string, places: Places) => Partial<CompiledRule>;

const path: Compile = (pattern, places) => ({ path: compilePath(pattern, places) });

const compilers: Readonly<Record<RuleOperation, Compile>> = {
  read: path,
  write: path,
  search: path,
  list: path,
  command: (pattern) => ({ command: compileCommand(pattern) }),
  fetch: (pattern) => ({ fetch: compileFetch(pattern) }),
  mcp: (pattern) => ({ mcp: compileMcp(pattern) }),
  skill: (pattern) => ({ skill: compileSkill(pattern) }),
  tool: (pattern) => ({ tool: compileTool(pattern) }),
};

export function compileRule(rule: ParsedRule, places: Places): CompiledRule {
  return rule.pattern === undefined ? rule : { ...rule, ...compilers[rule.operation](rule.pattern, places) };
}

/** What the rules say about one part of a request. */
export interface Opinion {
  /** The part, as people read it. */
  readonly what: string;
  readonly deny?: CompiledRule;
  /** A rule with a pattern asks. */
  readonly ask?: CompiledRule;
  /** A rule without a pattern asks. A rule that allows with a pattern comes before it. */
  readonly askAll?: CompiledRule;
  /** Why no rule can allow it. */
  readonly doubt?: { readonly reason: string; readonly rule?: CompiledRule };
  /** True: it does nothing that needs a rule. */
  readonly allow?: CompiledRule | true;
}

export interface RuleQuestion {
  readonly what: string;
  readonly operation: RuleOperation;
  /** Whether a rule that denies or asks is about it. */
  names(rule: CompiledRule): Match;
  /** Whether a rule allows it. */
  allows(rule: CompiledRule): boolean;
}

export function opinionOn(
  rules: readonly CompiledRule[],
  { what, operation, names, allows }: RuleQuestion,
): Opinion {
  let opinion: Opinion = { what };
  for (const rule of rules) {
    if (rule.operation !== operation) continue;
    const isAll = rule.pattern === undefined;
    if (rule.list === "allow") {
      const isBetter =
        opinion.allow === undefined || (opinion.allow !== true && opinion.allow.pattern === undefined);
      if (isBetter && (isAll || allows(rule))) opinion = { ...opinion, allow: rule };
      continue;
    }
    const match = isAll ? "yes" : names(rule);
    if (match !== "no") opinion = withRule(opinion, rule, match);
  }
  return opinion;
}

/** A rule that denies or asks is about the part. The first rule is kept. */
export function withRule(opinion: Opinion, rule: CompiledRule, match: Match): Opinion {
  if (rule.list === "ask")
    return rule.pattern === undefined ? { askAll: rule, ...opinion } : { ask: rule, ...opinion };
  if (match === "yes") return { deny: rule, ...opinion };
  return { doubt: { reason: `it may be what the rule "${rule.text}" denies`, rule }, ...opinion };
}

/** One operation that can be seen in two ways, such as `cat a`: a command, and a read. If one allows it, it is allowed. */
export function eitherOf(one: Opinion, other: Opinion): Opinion {
  const { askAll: _askAll, allow: _allow, ...rest } = { ...other, ...one };
  const allowing = [one, other].find(isAllowed);
  if (allowing === undefined) return { ...other, ...one };
  return { ...rest, ...(allowing.allow !== undefined && { allow: allowing.allow }) };
}

/** Several operations of one command. It is allowed if all of them are. */
export function allOf(first: Opinion, others: readonly Opinion[]): Opinion {
  let joint = first;
  for (const view of others) {
    const { allow: _allow, ...rest } = { ...view, ...joint };
    joint = isAllowed(joint) && isAllowed(view) ? { ...joint, ...rest, allow: joint.allow ?? true } : rest;
  }
  return joint;
}

function isAllowed({ allow, askAll }: Opinion): boolean {
  if (allow === undefined || allow === true) return allow === true;
  return askAll === undefined || allow.pattern !== undefined;
}

/** Deny before ask before allow, over all parts. */
export function toVerdict(opinions: readonly Opinion[]): Verdict {
  const verdicts = opinions.map(verdictOn);
  for (const decision of ["deny", "ask"] as const) {
    const found = verdicts.find((verdict) => verdict.decision === decision);
    if (found !== undefined) return found;
  }
  // Parts that need no rule are allowed beside others, but not alone.
  const [first] = opinions;
  const unnamed: Verdict = { decision: "ask", ...(first && { reason: `no rule names ${first.what}` }) };
  return verdicts.find(({ rule }) => rule !== undefined) ?? unnamed;
}

function verdictOn(opinion: Opinion): Verdict {
  const { what, deny, ask, askAll, doubt, allow } = opinion;
  if (deny !== undefined)
    return { decision: "deny", rule: deny.text, reason: `the rule "${deny.text}" denies ${what}` };
  if (ask !== undefined)
    return { decision: "ask", rule: ask.text, reason: `the rule "${ask.text}" asks about ${what}` };
  if (doubt !== undefined) {
    const reason = `no rule can allow ${what}: ${doubt.reason}`;
    return { decision: "ask", reason, ...(doubt.rule !== undefined && { rule: doubt.rule.text }) };
  }
  if (allow === true) return { decision: "allow" };
  if (allow !== undefined && isAllowed(opinion)) return { decision: "allow", rule: allow.text };
  if (askAll !== undefined)
    return { decision: "ask", rule: askAll.text, reason: `the rule "${askAll.text}" asks about ${what}` };
  return { decision: "ask", reason: `no rule names ${what}` };
}
