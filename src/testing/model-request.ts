/** A request to a model, independent of the API. */
export interface ModelRequest {
  readonly model: string;
  readonly isStreaming: boolean;
  readonly tools: readonly AdvertisedTool[];
  readonly history: readonly HistoryItem[];
}

/** A tool that the agent offers to the model. */
export interface AdvertisedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly form: "json" | "freeform";
}

/** One item of the history, in order. A message with several parts becomes several items. */
export type HistoryItem =
  | { readonly from: "system" | "user"; readonly text: string }
  | { readonly from: "assistant"; readonly text: string; readonly callId?: string; readonly tool?: string }
  | { readonly from: "tool"; readonly text: string; readonly callId: string; readonly isError?: boolean };

/** The result of a call, as the agent sent it to the model. */
export interface ToolResult {
  readonly callId: string;
  readonly tool?: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** Prefix of the ids of calls that the server adds by itself. They are not turns of the script. */
export const followUpPrefix = "followup_";

const turnIdPattern = /(?:call|followup)_[0-9a-f]+_\d+/;

/**
 * Counts the completed turns of a conversation. An answer counts only if something follows it: some agents send the rest
 * of an interrupted answer along with their retry, and that does not count. Some agents (Goose) separate the parallel
 * calls of a turn; their ids show that they belong to one turn.
 */
export function countTurns(history: readonly HistoryItem[]): number {
  let turns = 0;
  let counted: string | undefined;
  let answer: HistoryItem[] = [];
  for (const item of history) {
    if (item.from === "assistant") {
      answer.push(item);
      continue;
    }
    const turn = answer.map(turnOf).find((id) => id !== undefined);
    if (answer.length > 0 && !turn?.startsWith(followUpPrefix) && (turn === undefined || turn !== counted))
      turns += 1;
    if (answer.length > 0) counted = turn;
    answer = [];
  }
  return turns;
}

/** The turn of a call or its result, from the call's id. Agents may have extended the id. */
function turnOf(item: HistoryItem): string | undefined {
  const callId = "callId" in item ? item.callId : undefined;
  return callId === undefined ? undefined : turnIdPattern.exec(callId)?.[0];
}

/** True for the id of a call that this server has sent. Agents may have extended it. */
export function isSentCall(callId: string): boolean {
  return turnIdPattern.test(callId);
}

/** The instructions that a conversation opens with. */
export function systemText(history: readonly HistoryItem[]): string {
  return textFrom(opening(history), "system");
}

/** What the user, or the parent of a subagent, wrote before the model's first answer. */
export function openingText(history: readonly HistoryItem[]): string {
  return textFrom(opening(history), "user");
}

function opening(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const first = history.findIndex(({ from }) => from === "assistant");
  return first === -1 ? history : history.slice(0, first);
}

function textFrom(history: readonly HistoryItem[], from: "system" | "user"): string {
  return history
    .filter((item) => item.from === from)
    .map(({ text }) => text)
    .join("\n");
}

/** The results of the calls in the model's last answer. The rest of an interrupted answer does not count. */
export function newToolResults(history: readonly HistoryItem[]): ToolResult[] {
  const end = history.findLastIndex(({ from }) => from !== "assistant") + 1;
  const last = history.slice(0, end).findLastIndex(({ from }) => from === "assistant");
  const turn = history.slice(last, last + 1).map(turnOf)[0];
  const isNew = (item: HistoryItem, index: number) =>
    index > last || (turn !== undefined && turnOf(item) === turn);
  return toolResults(history.slice(0, end).filter(isNew), history);
}

export function allToolResults(history: readonly HistoryItem[]): ToolResult[] {
  return toolResults(history, history);
}

function toolResults(items: readonly HistoryItem[], history: readonly HistoryItem[]): ToolResult[] {
  return items.flatMap((item) => {
    if (item.from !== "tool") return [];
    const { callId, text, isError } = item;
    const tool = toolOf(callId, history);
    return [
      {
        callId,
        text,
        ...(tool === undefined ? {} : { tool }),
        ...(isError === undefined ? {} : { isError }),
      },
    ];
  });
}

function toolOf(callId: string, history: readonly HistoryItem[]): string | undefined {
  const call = history.find((item) => item.from === "assistant" && item.callId === callId);
  return call?.from === "assistant" ? call.tool : undefined;
}
