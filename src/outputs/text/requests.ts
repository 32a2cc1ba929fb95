import type { EventOf } from "../../events/event.js";
import { askRequest, describeDecision, describeRequest } from "../../story/describe-request.js";
import { cleanLine } from "../../text/cut.js";
import { cutEnd } from "./cut.js";
import { marks, toDeedLine } from "./deed-line.js";
import type { Segment } from "./line.js";
import type { Page } from "./page.js";
import { widthOf } from "./width.js";
import type { Setting } from "./work.js";

/** One row for every request, once it is decided: what was asked, and who decided. */
export interface RequestWriter {
  ask(event: EventOf<"request">): void;
  decide(event: EventOf<"request_end">): void;
  /** The answer that the agent waits for, in words, and since when. */
  readonly waitsFor: { words: string; since: number } | undefined;
}

const maxRows = 12;
/** What is asked gets so many columns beside the decision, with the mark and the gaps. */
const leastObject = 22;

/** `begin`: rows of work in the thread of a subagent follow. It returns their depth. */
export function createRequestWriter(
  page: Page,
  setting: Readonly<Setting>,
  begin: (parentCallId: string | undefined) => number,
): RequestWriter {
  const open = new Map<string, EventOf<"request">>();
  let askedAt = 0;

  function write(request: EventOf<"request">, decision: Segment, depth: number): void {
    const { verb, object } = describeRequest(request, setting.cwd);
    const columns = page.columnsAt(depth);
    const isBeside = widthOf(verb) + widthOf(decision.text) + leastObject <= columns;
    const notes = isBeside ? [decision] : [];
    page.row(toDeedLine({ mark: marks.request, verb, object: cleanLine(object), notes }, columns), depth);
    // Who decided is never left out: it gets a row of its own if there is no room.
    if (!isBeside)
      page.row([{ text: "  " }, { ...decision, text: cutEnd(decision.text, columns - 2) }], depth);
  }

  return {
    ask(event) {
      open.set(event.requestId, event);
      askedAt = setting.time;
    },
    decide(event) {
      const request = open.get(event.requestId);
      if (request === undefined) return;
      open.delete(event.requestId);
      const depth = begin(request.parentCallId);
      write(request, toNote(event), depth);
      const plan = request.kind === "plan" ? request.message : undefined;
      for (const text of [plan ?? "", event.message ?? ""]) {
        if (text.trim() === "") continue;
        page.paragraph({ text, style: "dim", mark: { text: " " }, depth, maxRows });
      }
    },
    get waitsFor() {
      const request = [...open.values()].at(-1);
      if (request === undefined) return undefined;
      const words = `Waiting for an answer: ${cleanLine(askRequest(request, setting.cwd))}`;
      return { words, since: askedAt };
    },
  };
}

const decisionStyles = {
  allowed: "success",
  answered: "success",
  denied: "failure",
  withdrawn: "dim",
} as const;

/** The words are for the one at the terminal, who answers. */
function toNote(event: EventOf<"request_end">): Segment {
  const { words, rule } = describeDecision(event, "you");
  const text = rule === undefined ? words : `${words} \`${cleanLine(rule)}\``;
  return { text, style: decisionStyles[event.outcome] };
}
