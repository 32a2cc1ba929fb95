import { type HistoryItem, isSentCall, type ModelRequest, openingText, systemText } from "./model-request.js";
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
  const history = withoutInvented(asked.history, table);
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

/** Leaves out the answers and calls that the model has not made, and the results of such calls. */
function withoutInvented(history: readonly HistoryItem[], table: ToolTable | undefined): HistoryItem[] {
  const invented = history.filter((item) => isInvented(item, table));
  const calls = new Set(invented.flatMap((item) => ("callId" in item ? [item.callId] : [])));
  return history.filter(
    (item) => !invented.includes(item) && !(item.from === "tool" && calls.has(item.callId)),
  );
}

function isInvented(item: HistoryItem, table: ToolTable | undefined): boolean {
  if (item.from !== "assistant" || table === undefined) return false;
  if (item.callId === undefined) return table.inventedAnswers?.test(item.text) === true;
  return table.inventedCalls?.test(item.tool ?? "") === true && !isSentCall(item.callId);
}
