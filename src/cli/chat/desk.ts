import type { Answer, SessionRequest } from "../../agents/live-contract.js";
import { messageOf } from "../../errors.js";
import type { SessionControl } from "../../live/control/session-control.js";
import { wishesOf } from "../../story/describe-request.js";
import { cleanLine } from "../../text/cut.js";
import { isObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";

/** The request that is asked now, and how it is answered. Others wait behind it. */
export interface Desk {
  readonly asked: SessionRequest | undefined;
  /** `choose`: one key answers. `reason`, `answer`: a line does. */
  readonly phase: "choose" | "reason" | "answer";
  /** What can be answered now, in words. */
  readonly hint: string;
  /** What was allowed for the rest of the session. */
  readonly granted: readonly string[];
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

export interface DeskOptions {
  control: Pick<SessionControl, "answer">;
  /** With rules, harness itself keeps what is allowed always. */
  hasRules: boolean;
  /** A request is asked now. */
  onAsked(request: SessionRequest): void;
  say(text: string): void;
  /** Something that is shown has changed. */
  onChange(): void;
}

export function createDesk(options: DeskOptions): Desk {
  const { control, hasRules, say, onChange } = options;
  const granted: string[] = [];
  /** Answered here. The session may still name them for a moment. */
  const answered = new Set<string>();
  let asked: SessionRequest | undefined;
  let phase: Desk["phase"] = "choose";
  let answers: Record<string, string[]> = {};

  function canAlways(request: SessionRequest): boolean {
    return request.kind === "permission" && (hasRules || request.choices.includes("allow_always"));
  }

  function begin(request: SessionRequest | undefined): void {
    asked = request;
    phase = request?.kind === "question" || request?.kind === "form" ? "answer" : "choose";
    answers = {};
    if (request !== undefined) options.onAsked(request);
  }

  function send(request: SessionRequest, answer: Answer, done: () => void = () => undefined): void {
    answered.add(request.requestId);
    begin(undefined);
    control.answer(request.requestId, answer).then(done, (error: unknown) => {
      // One that does not fit is asked again; one that is gone was answered by somebody else.
      say(messageOf(error));
      if (!isGone(error)) answered.delete(request.requestId);
      onChange();
    });
    onChange();
  }

  function always(request: SessionRequest): void {
    const words = wordsOf(request);
    send(request, { allow: true, always: true }, () => {
      granted.push(words);
      say(
        `Allowed until the session ends: ${words}${hasRules ? "" : ", and what the agent counts as the same"}`,
      );
    });
  }

  const keys: Record<string, (request: SessionRequest) => boolean> = {
    y(request) {
      send(request, { allow: true });
      return true;
    },
    n(request) {
      send(request, { allow: false });
      return true;
    },
    a(request) {
      if (!canAlways(request)) return false;
      always(request);
      return true;
    },
    e() {
      phase = "reason";
      onChange();
      return true;
    },
  };

  function key(name: string): boolean {
    const act = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (asked === undefined || phase !== "choose" || act === undefined) return false;
    return act(asked);
  }

  function answerQuestion(request: SessionRequest, text: string): void {
    const { questions = [] } = request;
    const next = questions.find(({ id }) => answers[id] === undefined);
    if (next !== undefined) answers[next.id] = chosen(text, next);
    const isComplete = questions.every(({ id }) => answers[id] !== undefined);
    if (isComplete) send(request, { answers });
    else onChange();
  }

  function line(text: string): void {
    if (asked === undefined) return;
    const request = asked;
    if (phase === "reason")
      return send(request, { allow: false, ...(text.trim() !== "" && { message: text }) });
    if (phase === "choose") return choose(request, text.trim());
    if (text.trim() === "") return;
    if (request.kind === "question") return answerQuestion(request, text.trim());
    const content = parseContent(text);
    if (content === undefined) say("That is not a JSON object; write one that fits the schema, or /skip");
    else send(request, { content });
  }

  /** `yes`, `always`, `no`, or `no` with a reason behind it. */
  function choose(request: SessionRequest, text: string): void {
    const [, word = "", reason = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const name = { yes: "y", always: "a", no: "n" }[word.toLowerCase()] ?? word.toLowerCase();
    if ((name === "n" || name === "e") && reason !== "")
      return send(request, { allow: false, message: reason });
    if (!key(name)) say(`Answer with ${hintOf(request)}`);
  }

  function hintOf(request: SessionRequest): string {
    const ways = [
      "y yes",
      ...(canAlways(request) ? [`a always (until the session ends: ${wordsOf(request)})`] : []),
      "n no",
      "e no, with a reason",
    ];
    return ways.join(" · ");
  }

  return {
    get asked() {
      return asked;
    },
    get phase() {
      return phase;
    },
    get hint() {
      if (asked === undefined) return "";
      if (phase === "choose") return hintOf(asked);
      if (phase === "reason") return "Why not? Enter sends the reason to the agent, Esc goes back";
      if (asked.kind === "form") return "Enter a JSON object, or /skip";
      const { questions = [] } = asked;
      const at = questions.findIndex(({ id }) => answers[id] === undefined) + 1;
      const which = questions.length > 1 ? `Answer ${at} of ${questions.length}: ` : "";
      return `${which}a number, or your own words; /skip declines`;
    },
    granted,
    update(requests) {
      const open = requests.filter(({ requestId }) => !answered.has(requestId));
      if (asked !== undefined && open.some(({ requestId }) => requestId === asked?.requestId)) return;
      const [next] = open;
      if (next === undefined && asked === undefined) return;
      begin(next);
    },
    key,
    line,
    skip() {
      if (asked === undefined || phase !== "answer") return false;
      send(asked, { decline: true });
      return true;
    },
    back() {
      if (asked === undefined || phase !== "reason") return false;
      phase = "choose";
      onChange();
      return true;
    },
  };
}

function isGone(error: unknown): boolean {
  return isObject(error) && error["code"] === "request_gone";
}

function wordsOf(request: SessionRequest): string {
  return cleanLine(
    wishesOf(request, undefined)
      .map(({ verb, object }) => `${verb} ${object}`)
      .join(" and "),
  );
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
