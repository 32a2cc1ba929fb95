import type { Abilities, Answer, SentNote, SessionRequest } from "../agents/live-contract.js";
import { HarnessError, messageOf } from "../errors.js";
import { isObject } from "../text/fields.js";
import type { Policy } from "./policy.js";
import type { OnRequest } from "./session-task.js";

export interface RequestsOptions {
  agentName: string;
  can: Abilities;
  policy: Policy;
  /**
   * With rules, `always` is kept here, for exactly the same request. An agent would stop asking about more than that, and then
   * the rules could not be kept.
   */
  keepsAlways: boolean;
  onRequest?: OnRequest | undefined;
  /** Brings an answer to the agent. */
  answer(request: SessionRequest, answer: Answer, note: SentNote): void;
  /** The caller's own function has failed. */
  onProblem(message: string): void;
}

/** The open requests of a session, and who answers them. */
export interface SessionRequests {
  /** The agent waits: the policy answers, or the caller is asked. */
  opened(request: SessionRequest): void;
  closed(requestId: string): void;
  /** The caller's answer. Throws if the request is not open or the answer does not fit. */
  answer(requestId: string, answer: Answer): void;
  readonly open: readonly SessionRequest[];
}

export function createSessionRequests(options: RequestsOptions): SessionRequests {
  const { agentName, can, policy, onRequest } = options;
  const open = new Map<string, SessionRequest>();
  /** The answers that hold always, each with the input that the caller gave instead of the call's own. */
  const allowedAlways = new Map<string, Answer>();

  function send(request: SessionRequest, answer: Answer, note: SentNote = {}): void {
    // It is no longer open from here on, even if the agent confirms it later.
    open.delete(request.requestId);
    options.answer(request, answer, note);
  }

  function answer(requestId: string, given: Answer): void {
    const request = open.get(requestId);
    if (request === undefined) throw gone(requestId, [...open.keys()]);
    checkAnswer(request, given, options.keepsAlways ? { ...can, always: true } : can, agentName);
    if (!options.keepsAlways || !("allow" in given) || !given.allow || !given.always)
      return send(request, given);
    const { always: _, ...once } = given;
    allowedAlways.set(sameRequest(request), once);
    send(request, once);
  }

  async function ask(request: SessionRequest, asked: OnRequest): Promise<void> {
    const { requestId } = request;
    try {
      const given = await asked(request);
      // Meanwhile the agent may have taken it back, or somebody else has answered.
      if (given !== undefined && open.has(requestId)) answer(requestId, given);
    } catch (error) {
      if (!open.has(requestId)) return;
      options.onProblem(`onRequest failed, so the request was denied: ${messageOf(error)}`);
      send(request, refusalOf(request));
    }
  }

  return {
    opened(request) {
      const decided = policy(request);
      if (decided !== undefined) {
        const { answer: given, rule } = decided;
        return send(request, given, { by: "policy", ...(rule !== undefined && { rule }) });
      }
      const always = allowedAlways.get(sameRequest(request));
      if (always !== undefined) return send(request, always, { by: "policy", rule: "allowed always" });
      open.set(request.requestId, request);
      if (onRequest !== undefined) void ask(request, onRequest);
    },
    closed: (requestId) => void open.delete(requestId),
    answer,
    get open() {
      return [...open.values()];
    },
  };
}

/**
 * What makes two requests the same: the tool, and all that it is given. If that is not known, the agent's words about it. A model
 * describes the same command in other words each time.
 */
function sameRequest({ kind, name, input, operations, message }: SessionRequest): string {
  const isKnown = input !== undefined || operations !== undefined;
  const isCommand = operations?.every(({ type }) => type === "command") ?? false;
  const given = isCommand && isObject(input) ? { ...input, description: undefined } : input;
  return JSON.stringify([kind, name, given, operations, isKnown ? undefined : message]);
}

function refusalOf({ kind }: SessionRequest): Answer {
  const message = "the request could not be decided";
  return kind === "permission" || kind === "plan" ? { allow: false, message } : { decline: true, message };
}

/** What fits each kind of request, for the error that says so. */
const fitting: Readonly<Record<SessionRequest["kind"], { keys: readonly string[]; words: string }>> = {
  permission: { keys: ["allow"], words: "{ allow: true } or { allow: false }" },
  plan: { keys: ["allow"], words: "{ allow: true } or { allow: false }" },
  question: { keys: ["answers", "decline"], words: "{ answers: { id: [text] } } or { decline: true }" },
  form: { keys: ["content", "decline"], words: "{ content } or { decline: true }" },
};

/** Programs without types may pass anything, and the answer decides what an agent may do. */
function checkAnswer(request: SessionRequest, answer: Answer, can: Abilities, agentName: string): void {
  const { requestId, kind } = request;
  const given: unknown = answer;
  const { keys, words } = fitting[kind];
  const refuse = (problem: string): HarnessError =>
    new HarnessError("invalid_answer", `the answer to the request ${requestId} ${problem}`);
  if (!isObject(given) || !keys.some((key) => given[key] !== undefined && given[key] !== null))
    throw refuse(`does not fit: it is a ${kind}; answer with ${words}`);
  if ("allow" in answer && typeof answer.allow !== "boolean")
    throw refuse("must have `allow` as true or false");
  if ("decline" in answer && answer.decline !== true) throw refuse("must have `decline` as true");
  if ("answers" in answer) checkAnswers(request, answer.answers, refuse);
  if (!("allow" in answer) || !answer.allow) return;
  if (answer.always && !can.always)
    throw unsupported(agentName, "hold for the rest of the session (`always`)");
  if (answer.input === undefined) return;
  if (!can.changeInput) throw unsupported(agentName, "change the input of the call (`input`)");
  // Anything else could not replace the input, and the call would do what it asked for at first.
  if (!isObject(answer.input)) throw refuse("must have `input` as an object: the whole input of the call");
}

function checkAnswers(
  { questions = [] }: SessionRequest,
  answers: unknown,
  refuse: (problem: string) => HarnessError,
): void {
  if (!isObject(answers)) throw refuse("must have `answers` as an object: { id: [text] }");
  const ids = questions.map(({ id }) => id);
  for (const [id, texts] of Object.entries(answers)) {
    if (!ids.includes(id)) throw refuse(`names the question "${id}", but it has ${ids.join(", ") || "none"}`);
    const isList = Array.isArray(texts) && texts.every((text) => typeof text === "string");
    if (!isList) throw refuse(`must have a list of texts for the question "${id}"`);
  }
}

function unsupported(agentName: string, what: string): HarnessError {
  const message = `an answer to ${agentName} cannot ${what}; leave it out (session.can says what it can)`;
  return new HarnessError("unsupported_option", message);
}

function gone(requestId: string, open: readonly string[]): HarnessError {
  const others = open.length === 0 ? "none is open" : `open: ${open.join(", ")}`;
  const message = `no request "${requestId}" is open: it was answered, withdrawn or never made (${others})`;
  return new HarnessError("request_gone", message);
}
