/** A request to a model, whatever API it came through. */
export interface ModelRequest {
  readonly model: string;
  readonly isStreaming: boolean;
  readonly tools: readonly AdvertisedTool[];
  readonly history: readonly HistoryItem[];
}

export interface AdvertisedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly form: "json" | "freeform";
}

/** One thing in the history, in order. A message that carries several is several items. */
export type HistoryItem =
  | { readonly from: "system" | "user"; readonly text: string }
  | { readonly from: "assistant"; readonly text: string; readonly callId?: string; readonly tool?: string }
  | { readonly from: "tool"; readonly text: string; readonly callId: string; readonly isError?: boolean };

/** What an agent told the model about a call. */
export interface ToolResult {
  readonly callId: string;
  readonly tool?: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** Ids of calls that the server adds by itself begin so; they are not turns of the script. */
export const followUpPrefix = "followup_";

const turnIdPattern = /(?:call|followup)_[0-9a-f]+_\d+/;

/**
 * How many turns the conversation has behind it. An answer counts once something follows it, so the remains of
 * an interrupted one, which some agents send along with their retry, do not count. Some agents (Goose) take the
 * parallel calls of a turn apart; their ids tell that they are one turn.
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

/** The turn that a call or its result belongs to, from the call's id. Agents may have added to the id. */
function turnOf(item: HistoryItem): string | undefined {
  const callId = "callId" in item ? item.callId : undefined;
  return callId === undefined ? undefined : turnIdPattern.exec(callId)?.[0];
}

/** The instructions, wherever they are in the history. */
export function systemText(history: readonly HistoryItem[]): string {
  return textFrom(history, "system");
}

/** What the user, or the parent of a subagent, said before the model's first answer. */
export function openingText(history: readonly HistoryItem[]): string {
  const first = history.findIndex(({ from }) => from === "assistant");
  return textFrom(first === -1 ? history : history.slice(0, first), "user");
}

function textFrom(history: readonly HistoryItem[], from: "system" | "user"): string {
  return history
    .filter((item) => item.from === from)
    .map(({ text }) => text)
    .join("\n");
}

/** The results of the calls of the model's last answer. */
export function newToolResults(history: readonly HistoryItem[]): ToolResult[] {
  const tools = new Map<string, string>();
  for (const item of history) {
    if (item.from === "assistant" && item.callId !== undefined && item.tool !== undefined)
      tools.set(item.callId, item.tool);
  }
  const last = history.findLastIndex(({ from }) => from === "assistant");
  const turn = history.slice(last, last + 1).map(turnOf)[0];
  return history.flatMap((item, index) => {
    if (item.from !== "tool" || (index < last && (turn === undefined || turnOf(item) !== turn))) return [];
    const tool = tools.get(item.callId);
    const { callId, text, isError } = item;
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
