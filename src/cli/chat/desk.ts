import type { Answer, SessionRequest } from "../../agents/live-contract.js";
import { messageOf } from "../../errors.js";
import type { SessionControl } from "../../live/control/session-control.js";
import { cutEndOf } from "../../text/cut.js";
import { isObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { type Grant, type GrantOptions, toGrant } from "./grant.js";

/** The request that is asked now, and how it is answered. Others wait behind it. */
export interface Desk {
  readonly asked: SessionRequest | undefined;
  /** `choose`: one key answers. `reason`, `answer`: a line does. */
  readonly phase: "choose" | "reason" | "answer";
  /** What can be answered now, in words. */
  readonly hint: string;
  /** What was allowed for the rest of the session. */
  readonly granted: readonly Grant[];
  /** The requests of the session that are open now. */
  update(requests: readonly SessionRequest[]): void;
  /** One key. False: it means nothing here. */
  key(name: string): boolean;
  /** A whole line: the reason, the answer to a question, or `y`, `a`, `n reason` where there are no single keys. */
  line(text: string): void;
  /** Declines a question or a form. False: what is asked cannot be declined, or nothing is. */
  skip(): boolean;
  /** Back to the choice. False: that is where we are. */
  back(): boolean;
}

export interface DeskOptions extends GrantOptions {
  control: Pick<SessionControl, "answer">;
  /** The reason of a denial reaches the model. */
  canReason(): boolean;
  /** A request is asked now. */
  onAsked(request: SessionRequest): void;
  say(text: string): void;
  /** Something that is shown has changed. */
  onChange(): void;
}

/** What is asked stands above in full. */
const hintLength = 60;

interface DeskState {
  readonly options: DeskOptions;
  readonly granted: Grant[];
  /** Answered here. The session may still name them for a moment. */
  readonly answered: Set<string>;
  asked: SessionRequest | undefined;
  phase: Desk["phase"];
  /** To the questions of one request, so far. */
  answers: Record<string, string[]>;
}

export function createDesk(options: DeskOptions): Desk {
  const state: DeskState = {
    options,
    granted: [],
    answered: new Set(),
    asked: undefined,
    phase: "choose",
    answers: {},
  };
  return {
    get asked() {
      return state.asked;
    },
    get phase() {
      return state.phase;
    },
    get hint() {
      return hintOf(state);
    },
    granted: state.granted,
    update(requests) {
      const open = requests.filter(({ requestId }) => !state.answered.has(requestId));
      const isOpen = open.some(({ requestId }) => requestId === state.asked?.requestId);
      if (!isOpen) begin(state, open[0]);
    },
    key: (name) => pressKey(state, name),
    line: (text) => enterLine(state, text),
    skip() {
      if (state.asked === undefined || state.phase !== "answer") return false;
      send(state, state.asked, { decline: true });
      return true;
    },
    back() {
      if (state.asked === undefined || state.phase !== "reason") return false;
      state.phase = "choose";
      options.onChange();
      return true;
    },
  };
}

function begin(state: DeskState, request: SessionRequest | undefined): void {
  state.asked = request;
  state.phase = request?.kind === "question" || request?.kind === "form" ? "answer" : "choose";
  state.answers = {};
  if (request !== undefined) state.options.onAsked(request);
}

function send(
  state: DeskState,
  request: SessionRequest,
  answer: Answer,
  done: () => void = () => undefined,
): void {
  const { answered, options } = state;
  answered.add(request.requestId);
  begin(state, undefined);
  options.control.answer(request.requestId, answer).then(done, (error: unknown) => {
    // One that does not fit is asked again; one that is gone was answered by somebody else.
    options.say(messageOf(error));
    if (!isGone(error)) answered.delete(request.requestId);
    options.onChange();
  });
  options.onChange();
}

function canAlways({ options }: DeskState, { kind, choices }: SessionRequest): boolean {
  return kind === "permission" && (options.hasRules || choices.includes("allow_always"));
}

function allowAlways(state: DeskState, request: SessionRequest): void {
  const { say, hasRules, agentName } = state.options;
  const grant = toGrant(request, state.options);
  send(state, request, { allow: true, always: true }, () => {
    state.granted.push(grant);
    const note = grant.note === "" ? "" : ` (${grant.note})`;
    say(
      hasRules
        ? `Added until the session ends: allow ${grant.what}${note}`
        : `${agentName} allows it until the session ends: ${grant.what}${note}`,
    );
  });
}

function askReason(state: DeskState): void {
  state.phase = "reason";
  state.options.onChange();
}

/** What each key does. */
const keys: Readonly<Record<string, (state: DeskState, request: SessionRequest) => void>> = {
  y: (state, request) => send(state, request, { allow: true }),
  n: (state, request) => send(state, request, { allow: false }),
  a: allowAlways,
  e: askReason,
};

function pressKey(state: DeskState, name: string): boolean {
  const { asked, phase } = state;
  const act = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (asked === undefined || phase !== "choose" || act === undefined) return false;
  if (act === allowAlways && !canAlways(state, asked)) return false;
  if (act === askReason && !state.options.canReason()) return false;
  act(state, asked);
  return true;
}

function enterLine(state: DeskState, text: string): void {
  const { asked, phase, options } = state;
  if (asked === undefined) return;
  const words = text.trim();
  if (phase === "reason") send(state, asked, { allow: false, ...(words !== "" && { message: words }) });
  else if (phase === "choose") choose(state, asked, words);
  else if (words === "") return;
  else if (asked.kind === "question") answerQuestion(state, asked, words);
  else {
    const content = parseContent(words);
    if (content === undefined)
      options.say("That is not a JSON object; write one that fits the schema, or /skip");
    else send(state, asked, { content });
  }
}

/** `yes`, `always`, `no`, or `no` with a reason behind it. */
function choose(state: DeskState, request: SessionRequest, text: string): void {
  const [, word = "", reason = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const name = { yes: "y", always: "a", no: "n" }[word.toLowerCase()] ?? word.toLowerCase();
  const isDenied = name === "n" || name === "e";
  if (isDenied && reason !== "") send(state, request, { allow: false, message: reason });
  else if (!pressKey(state, name)) state.options.say(`Answer with ${hintOf(state)}`);
}

function answerQuestion(state: DeskState, request: SessionRequest, text: string): void {
  const { questions = [] } = request;
  const { answers } = state;
  const next = questions.find(({ id }) => answers[id] === undefined);
  if (next !== undefined) answers[next.id] = chosen(text, next);
  const isComplete = questions.every(({ id }) => answers[id] !== undefined);
  if (isComplete) send(state, request, { answers });
  else state.options.onChange();
}

function hintOf(state: DeskState): string {
  const { asked, phase, answers } = state;
  if (asked === undefined) return "";
  if (phase === "reason") return "Why not? Enter sends the reason to the agent, Esc goes back";
  if (phase === "choose") {
    const always = `a always in this session: ${cutEndOf(toGrant(asked, state.options).what, hintLength)}`;
    const reason = state.options.canReason() ? ["e no, with a reason"] : [];
    const ways = ["y yes", "n no", ...reason, ...(canAlways(state, asked) ? [always] : [])];
    return ways.join(" · ");
  }
  if (asked.kind === "form") return "Enter a JSON object, or /skip";
  const { questions = [] } = asked;
  const at = questions.findIndex(({ id }) => answers[id] === undefined) + 1;
  const which = questions.length > 1 ? `Answer ${at} of ${questions.length}: ` : "";
  return `${which}a number, or your own words; /skip declines`;
}

function isGone(error: unknown): boolean {
  return isObject(error) && error["code"] === "request_gone";
}

type Asked = NonNullable<SessionRequest["questions"]>[number];

/** `2` is the second option, `1,3` are two of them; anything else are the user's own words. */
function chosen(text: string, { options = [], isMultiple }: Asked): string[] {
  const words = isMultiple ? text.split(",").map((word) => word.trim()) : [text];
  const labels = words.map((word) => (/^\d+$/.test(word) ? options[Number(word) - 1]?.label : undefined));
  return labels.every((label) => label !== undefined) ? labels : [text];
}

function parseContent(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
