import { cleanLine } from "../text/clean-text.js";
import { cutEnd, cutMiddle } from "./cut.js";
import type { Line } from "./line.js";
import { widthOf } from "./width.js";

const separator = " · ";

/** The first row: who works with which model where, as much of it as there is room for. */
export function toHeader(agentName: string, model: string | undefined, cwd: string, columns: number): Line {
  const name = cutEnd(cleanLine(agentName), columns);
  let details = "";
  for (const [part, cut] of [
    [cleanLine(model ?? ""), cutEnd] as const,
    [cleanLine(cwd), cutMiddle] as const,
  ]) {
    const room = columns - widthOf(name) - widthOf(details) - separator.length;
    if (part !== "" && room >= 8) details += separator + cut(part, room);
  }
  return [
    { text: name, style: "bold" },
    { text: details, style: "dim" },
  ];
}
