import type { RecordedRequest } from "../../testing/recorded-request.js";

import { cutEndOf, toOneLine } from "../../text/cut.js";

const shownCharacters = 60;

/** A request and its answer in one line: `14:03:22  claude  turn 2  calls Bash`. */
export function describeExchange(request: RecordedRequest): string {
  const time = request.time.slice(11, 19);
  const who = request.agent ?? (request.api === undefined ? "-" : "unknown agent");
  return `${[time, who.padEnd(8), whatOf(request).padEnd(8), toOneLine(answerOf(request))].join("  ").trimEnd()}\n`;
}

function whatOf({ answer, step, subagent }: RecordedRequest): string {
  if (answer.kind === "side") return "aside";
  if (answer.kind === "over") return "over";
  if (step === undefined) return "";
  return `${subagent === undefined ? "" : "subagent "}turn ${step + 1}`;
}

function answerOf({ answer, method, path, api }: RecordedRequest): string {
  if (answer.problem !== undefined) return `cannot be answered: ${answer.problem}`;
  if (api === undefined) return `${method} ${path} ${answer.status ?? ""}`;
  if (answer.kind === "fault") return answer.status === undefined ? "cut off" : `HTTP ${answer.status}`;
  const said = answer.text === "" ? [] : [`says ${cutEndOf(JSON.stringify(answer.text), shownCharacters)}`];
  const called = answer.calls.map(({ tool, input }) =>
    cutEndOf(`calls ${tool} ${typeof input === "string" ? input : JSON.stringify(input)}`, shownCharacters),
  );
  const parts = [...said, ...called].join(", ");
  return answer.isComplete ? parts : `${parts} (cut off)`;
}
