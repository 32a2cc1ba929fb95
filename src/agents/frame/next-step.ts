import type { Failure, FailureKind } from "../../events/failure.js";
import { retryTimeIn } from "../../events/retry-at.js";
import type { Ended } from "../../events/run-state.js";
import type { TranslatedAgent } from "./frame.js";

/** What the next step depends on besides the failure itself. */
export interface FailureCircumstances {
  agent: TranslatedAgent;
  ended: Ended;
  /** When the message was printed, if the times are those of the run. */
  saidAt: string | undefined;
}

/** Adds when a limit ends, as far as it is known, and what to do next. */
export function withNextStep(failure: Failure, circumstances: FailureCircumstances): Failure {
  const { kind, message } = failure;
  const retryAt =
    failure.retryAt ?? (limits.has(kind) ? retryTimeIn(message, circumstances.saidAt) : undefined);
  const known: Failure = { ...failure, ...(retryAt !== undefined && { retryAt }) };
  const hint = failure.hint ?? hints[kind]?.(known, circumstances);
  return {
    kind,
    message,
    ...(hint !== undefined && { hint }),
    ...(retryAt !== undefined && { retryAt }),
  };
}

/** Failures that pass by themselves at a time that their message may name. */
const limits: ReadonlySet<FailureKind> = new Set<FailureKind>(["rate_limit", "quota", "provider"]);

type Hint = (failure: Failure, circumstances: FailureCircumstances) => string | undefined;

/** The next step for a person, by kind of failure. For other kinds no step is always right. */
const hints: Readonly<Partial<Record<FailureKind, Hint>>> = {
  not_installed: (_failure, { agent }) =>
    agent.install && agent.binaries?.length ? `Install it with: ${agent.install}` : undefined,
  config: ({ message }, { agent, ended }) => {
    // The message about a program that could not be started already says what to do.
    if (ended.startFailure !== undefined) return undefined;
    if (/\b(?:resume|session|conversation|thread|rollout)\b/i.test(message))
      return "Resume another session, or leave --resume out.";
    if (/\broot\b.*\bprivileges\b/i.test(message))
      return "Run it as a user who is not root, or limit it with --permissions read-only or rules (--allow).";
    return `Correct what the message names; \`harness check ${agent.id}\` shows what ${agent.name} can do.`;
  },
  auth: (failure, { agent }) => howToSignIn(failure.message, agent),
  rate_limit: ({ retryAt }, { agent }) =>
    retryAt === undefined ? `Wait, then run it again${orAnotherModel(agent)}.` : afterwards(retryAt, agent),
  quota: ({ retryAt }, { agent }) =>
    retryAt === undefined
      ? `Check the plan and the credits of the account that ${agent.name} uses.`
      : afterwards(retryAt, agent),
  provider: ({ retryAt }, { agent }) =>
    retryAt === undefined ? `Run it again later${orAnotherModel(agent)}.` : afterwards(retryAt, agent),
  network: () => "Check the connection, the proxy and the address of the model's server, then run it again.",
  model_not_found: (_failure, { agent }) =>
    agent.capabilities?.model
      ? "Choose another model with --model; `harness models list` shows the names that harness knows."
      : `Choose another model in the settings of ${agent.name}.`,
  context_overflow: (_failure, { agent }) =>
    `Give it less at once${agent.capabilities?.resume ? ", start a new session instead of resuming one" : ""}, or use a model with a larger context window.`,
  output_limit: () => "Ask for a shorter answer, or for the work in smaller steps.",
  refusal: (_failure, { agent }) => `Say it in other words${orAnotherModel(agent)}.`,
  schema: () => "Say in the prompt what the answer must contain, or make the schema less strict.",
  max_turns: (_failure, { agent }) => raise("--max-turns", agent.capabilities?.maxTurns, "turns", agent),
  budget: (_failure, { agent }) =>
    raise("--max-budget-usd", agent.capabilities?.maxBudgetUsd, "costs", agent),
  permission: (_failure, { agent }) =>
    `Allow it in the settings of ${agent.name}, or run it with --permissions full-access.`,
  timed_out: (_failure, { ended }) =>
    ended.reason === "timed_out" ? "Give it more time with --timeout, or a smaller task." : undefined,
  stalled: () => "Allow a longer silence with --idle-timeout, or find out what it waits for.",
  killed: (_failure, { ended }) =>
    ended.signal === "SIGKILL" || ended.exitCode === 137
      ? "If nobody killed it, the system may have run out of memory: look into its log."
      : undefined,
};

function orAnotherModel({ capabilities }: TranslatedAgent): string {
  return capabilities?.model ? ", or use another model (--model)" : "";
}

function afterwards(retryAt: string, agent: TranslatedAgent): string {
  return `The limit ends at ${retryAt.replace(/\.\d+Z$/, "Z")}: run it again after that${orAnotherModel(agent)}.`;
}

function raise(option: string, isOption: boolean | undefined, what: string, agent: TranslatedAgent): string {
  return isOption ? `Raise ${option}.` : `Raise the limit of ${what} in the settings of ${agent.name}.`;
}

/** Agents with more variables than this work with many providers. */
const fewVariables = 3;

/** How to sign in: the variable that the message names, or else the agent's first one, and the login. */
function howToSignIn(message: string, { credentials = [], signIn }: TranslatedAgent): string | undefined {
  const named = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN)\b/.exec(message)?.[0];
  const [first] = credentials;
  const variable =
    named ??
    (first && credentials.length > fewVariables ? `the variable of your provider (such as ${first})` : first);
  const login = signIn === undefined ? undefined : `run ${signIn}`;
  if (variable === undefined) return login === undefined ? undefined : `${capitalized(login)}.`;
  return `Set ${variable} to a valid key${login === undefined ? "" : `, or ${login}`}.`;
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
