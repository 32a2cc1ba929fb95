import type { EventOf } from "../events/event.js";
import { joinNameAndTask, previewTask } from "./call-preview.js";
import { type Deed, describeWish } from "./describe-operation.js";

/** The parts of a request that its words are made of. */
export type RequestWords = Pick<
  EventOf<"request">,
  "kind" | "name" | "operations" | "input" | "message" | "questions"
>;

/** What was asked, as a verb and its object: `Asked to run` · `npm test`. Not yet safe to show. */
export function describeRequest(request: RequestWords, cwd: string | undefined): Deed {
  const { kind, name, message = "", questions = [] } = request;
  switch (kind) {
    case "permission":
    case "plan": {
      const { verb, object } = wishOf(request, cwd);
      return { verb: `Asked to ${verb}`, object };
    }
    case "question":
      return { verb: "Asked:", object: questions.map(({ question }) => question).join(" ") || message };
    case "form":
      return { verb: "Asked for data:", object: joinNameAndTask(name, message) };
  }
}

/** The same as a question to whoever answers: `May it run npm test?` Not yet safe to show. */
export function askRequest(request: RequestWords, cwd: string | undefined): string {
  const { kind } = request;
  if (kind === "question" || kind === "form") return describeRequest(request, cwd).object || request.name;
  const { verb, object } = wishOf(request, cwd);
  return `May it ${verb} ${object}?`;
}

function wishOf(request: RequestWords, cwd: string | undefined): Deed {
  const [first = { verb: "use", object: request.name }, ...others] = wishesOf(request, cwd);
  const rest = others.map(({ verb, object }) => `${verb} ${object}`);
  return { verb: first.verb, object: [first.object, ...rest].join(" and ") };
}

/** All that would be done. Nothing is summed up, because somebody has to decide about it. */
export function wishesOf(
  { kind, name, operations = [], input }: RequestWords,
  cwd: string | undefined,
): Deed[] {
  if (kind === "plan") return [{ verb: "carry out", object: "its plan" }];
  if (operations.length > 0) return operations.map((operation) => describeWish(operation, cwd));
  return [{ verb: "use", object: joinNameAndTask(name, previewTask(input)) }];
}

/** How a request ended: `denied by rule` · `command: git push *`. Not yet safe to show. */
export interface Decision {
  words: string;
  /** The rule that decided, as it was written. */
  rule?: string;
  isDenied: boolean;
}

/** `caller`: the reader's word for whoever answers. */
export function describeDecision(
  { outcome, by, rule }: Pick<EventOf<"request_end">, "outcome" | "by" | "rule">,
  caller: string,
): Decision {
  const isDenied = outcome === "denied";
  if (outcome === "withdrawn") return { words: by === "agent" ? "taken back" : "withdrawn", isDenied };
  if (by === "policy" && rule !== undefined) return { words: `${outcome} by rule`, rule, isDenied };
  return {
    words: `${outcome} by ${{ caller, policy: "the permissions", agent: "the agent" }[by]}`,
    isDenied,
  };
}
