import type { Line } from "../../outputs/text/line.js";
import type { Screen } from "../screen.js";
import { toFittedTable } from "../table.js";

/** What a list shows of an agent. */
export interface AgentRow {
  agent: string;
  name: string;
  isInstalled: boolean;
  /** It has no program of its own: the user names one for each run. */
  isAnyProgram: boolean;
  /** Its version has been asked for, and has not come yet. */
  isAsked: boolean;
  version?: string | undefined;
  /** Its program, or how to install it. */
  place: string;
}

/** The table of agents, and on a terminal how many there are. */
export function toAgentTable(
  rows: readonly AgentRow[],
  screen: Pick<Screen, "columns" | "isTerminal">,
): Line[] {
  const table = toFittedTable<AgentRow>(
    [
      {
        title: "AGENT",
        text: ({ agent }) => agent,
        style: ({ isInstalled }) => (isInstalled ? "bold" : "dim"),
      },
      { title: "NAME", text: ({ name }) => name, style: dimUnlessInstalled, most: 30, rank: 1 },
      {
        title: "VERSION",
        text: versionOf,
        style: ({ isInstalled, isAsked }) => (isInstalled && !isAsked ? "success" : "dim"),
        most: 30,
      },
      {
        title: "PROGRAM, OR HOW TO INSTALL IT",
        text: ({ place }) => place,
        style: dimUnlessInstalled,
        least: 30,
      },
    ],
    rows,
    screen.columns,
  );
  if (!screen.isTerminal) return table;
  const real = rows.filter(({ isAnyProgram }) => !isAnyProgram).length;
  const installed = rows.filter(({ isInstalled }) => isInstalled).length;
  const asked = rows.filter(({ isInstalled, isAsked }) => isInstalled && isAsked).length;
  const next =
    asked === 0 ? "; details: harness check AGENT" : `, waiting for ${asked} to say their version…`;
  return [...table, [], [{ text: `${installed} of ${real} installed${next}`, style: "dim" }]];
}

function versionOf({ isInstalled, isAnyProgram, isAsked, version }: AgentRow): string {
  if (isAnyProgram) return "-";
  if (!isInstalled) return "not installed";
  return isAsked ? "…" : (version ?? "installed");
}

function dimUnlessInstalled({ isInstalled }: AgentRow): "dim" | undefined {
  return isInstalled ? undefined : "dim";
}
