import { agents } from "../../agents/registry.js";
import { type DeclaredAgent, declareAgent, ownAgentNames } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { messageOf } from "../../errors.js";
import { createLiveScreen } from "../../outputs/text/live-screen.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { type DeclaredReport, findDeclared, inspectDeclared } from "../inspect-declared.js";
import { createOutput, type StandardOutput } from "../output.js";
import { type Screen, standardScreen } from "../screen.js";
import { type AgentRow, toAgentTable } from "./agent-table.js";
import type { ListFlags } from "./command.js";

/**
 * Lists all agents, installed or not. Which of them are installed is known at once; their versions are asked for at the same
 * time, and on a terminal each is shown when it comes. The modules of the user's own agents are not loaded for it.
 */
export async function listAction(flags: ListFlags): Promise<number> {
  const config = readConfiguration({ trust: flags.trust });
  const own = ownAgentNames(config).flatMap((name) => declareOrComplain(name, config) ?? []);
  const builtIn = agents.map((agent): DeclaredAgent => ({ agent }));
  const declared = [...builtIn, ...own];
  const output = createOutput(process.stdout);
  if (flags.json) {
    await output.printJson(await Promise.all(declared.map((agent) => inspectDeclared(agent, config))));
    return 0;
  }
  const screen = standardScreen();
  const rows = declared.map((agent) => rowAtOnce(agent, config));
  const show = createTableShow(rows, screen, output);
  await show.start();
  await Promise.all(
    rows.map(async (row, at) => {
      const agent = declared[at];
      if (agent === undefined) return;
      rows[at] = withReport(row, await inspectDeclared(agent, config));
      await show.update();
    }),
  );
  await show.end();
  return 0;
}

/** Shows the table while it is being filled in. */
interface TableShow {
  start(): Promise<void> | undefined;
  update(): Promise<void> | undefined;
  end(): Promise<void> | undefined;
}

/** Where rows cannot be redrawn, the table is printed once, when it is complete. */
function createTableShow(rows: readonly AgentRow[], screen: Screen, output: StandardOutput): TableShow {
  const { columns, hasColors } = screen;
  const height = process.stdout.rows ?? 0;
  // The titles, an empty row and the totals.
  const isLive = screen.isTerminal && process.env["TERM"] !== "dumb" && height > rows.length + 3;
  if (!isLive)
    return {
      start: () => undefined,
      update: () => undefined,
      end: () => output.printLines(toAgentTable(rows, screen), screen),
    };
  const live = createLiveScreen(columns, hasColors);
  return {
    start: () => output.write(live.draw([], toAgentTable(rows, screen))),
    update: () => output.write(live.redraw(toAgentTable(rows, screen))),
    end: () => output.write(`${live.redraw(toAgentTable(rows, screen))}\n`),
  };
}

/** What is known without asking the agent. */
function rowAtOnce(declared: DeclaredAgent, config: Config): AgentRow {
  const { id, name, install, binaries } = declared.agent;
  const path = findDeclared(declared, config);
  return {
    agent: id,
    name,
    isInstalled: path !== undefined,
    isAnyProgram: path === undefined && binaries.length === 0,
    isAsked: true,
    place: path ?? install,
  };
}

function withReport(row: AgentRow, report: DeclaredReport): AgentRow {
  const { isInstalled, version, binary = "" } = report;
  return { ...row, isInstalled, isAsked: false, version, place: isInstalled ? binary : report.install };
}

/** An invalid agent of the user's own does not hide the others. */
function declareOrComplain(name: string, config: Config): DeclaredAgent | undefined {
  try {
    return declareAgent(name, config);
  } catch (error) {
    complain(messageOf(error));
    return undefined;
  }
}
