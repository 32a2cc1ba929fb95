import { type HistoryItem, type ModelRequest, openingText, systemText } from "./model-request.js";
import { toolTables } from "./tools/index.js";
import type { ToolTable } from "./tools/tool-table.js";

/** What a request is, once it is known whose it is. */
export interface RecognisedRequest extends ModelRequest {
  readonly table: ToolTable | undefined;
  /** True for requests beside the conversation, such as one for a title. */
  readonly isSide: boolean;
  /** Where the agent works, if it said so and if that matters. */
  readonly workspace: string | undefined;
}

/** Whose request it is (the given agent's, else that of the table that knows most of its tools), and what for. */
export function recognise(asked: ModelRequest, agent: ToolTable | undefined): RecognisedRequest {
  const table = agent ?? bestTable(asked);
  const history = asked.history.filter((item) => !isInvented(item, table));
  const instructions = systemText(history).trimStart();
  const tables = table === undefined ? toolTables : [...toolTables, table];
  return {
    ...asked,
    history,
    table,
    isSide: tables.some(({ sideRequests }) => sideRequests?.test(instructions)),
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
