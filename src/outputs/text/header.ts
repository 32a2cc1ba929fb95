import { cleanLine } from "../../text/cut.js";
import { cutEnd, cutMiddle } from "./cut.js";
import type { Line } from "./line.js";
import { widthOf } from "./width.js";

const separator = " · ";
const fewestColumns = 8;

/** What the first row says about a run. */
export interface HeaderFacts {
  agentName: string;
  model?: string | undefined;
  cwd: string;
  /** What the agent may do, if that is known. */
  permissions?: string | undefined;
}

/** The first row: agent, model, directory and permissions, as far as there is room. */
export function toHeader({ agentName, model, cwd, permissions }: HeaderFacts, columns: number): Line {
  const name = cutEnd(cleanLine(agentName), columns);
  let left = columns - widthOf(name);
  const detail = (text: string, cut: (text: string, columns: number) => string): string => {
    const room = left - separator.length;
    if (text === "" || room < Math.min(fewestColumns, widthOf(text))) return "";
    const shown = separator + cut(text, room);
    left -= widthOf(shown);
    return shown;
  };
  // Permissions get their room first, although they come last.
  const allowed = detail(wordsOf(cleanLine(permissions ?? "")), cutEnd);
  const details = detail(cleanLine(model ?? ""), cutEnd) + detail(cleanLine(cwd), cutMiddle) + allowed;
  return [
    { text: name, style: "bold" },
    { text: details, style: "dim" },
  ];
}

/** `full-access` is "full access" in a row that people read. */
function wordsOf(permissions: string): string {
  return permissions.replaceAll("-", " ");
}
