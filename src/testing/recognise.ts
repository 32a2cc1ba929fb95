import { type HistoryItem, type ModelRequest, openingText, systemText } from "./model-request.js";
import { toolTables } from "./tools/index.js";
import type { ToolTable } from "./tools/tool-table.js";

/** A request with its agent and purpose. */
export interface RecognisedRequest extends ModelRequest {
  readonly table: ToolTable | undefined;
  /** True for requests outside the conversation, such as one for a title. */
  readonly isSide: boolean;
  /** The agent's working directory, if its tools need absolute paths and its prompt names it. */
  readonly workspace: string | undefined;
}

/** Finds the agent of a request: the given one, or else the table that knows most of the advertised tools. */
export function recognise(asked: ModelRequest, agent: ToolTable | undefined): RecognisedRequest {
  const table = agent ?? bestTable(asked);
  const history = asked.history.filter((item) => !isInvented(item, table));
  const instructions = systemText(history).trimStart();
  const tables = table === undefined ? toolTables : [...toolTables, table];
  return {
    ...asked,
    history,
    table,
    isSide: tables.some(
      ({ sideRequests, sideQuestions }) =>
        sideRequests?.test(instructions) || sideQuestions?.test(history.at(-1)?.text ?? ""),
    ),
    workspace: table?.needsAbsolutePaths?.exec(`${instructions}\n${openingText(history)}`)?.[1],
  };
}

function bestTable({ tools }: ModelRequest): ToolTable | undefined {
  const names = new Set(tools.map(({ name }) => name));
  let best: { table: ToolTable | undefined; known: number } = { table: undefined, known: 0 };
  for (const table of toolTables) {
    const known = table.tools.filter((name) => names.has(name)).length;
    if (known > best.known) best = { table, known };
  }
  return best.table;
}

function isInvented(item: HistoryItem, table: ToolTable | undefined): boolean {
  return item.from === "assistant" && table?.inventedAnswers?.test(item.text) === true;
}
