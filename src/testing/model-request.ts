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

/** The instructions that a conversation opens with. */
export function systemText(history: readonly HistoryItem[]): string {
  return textFrom(opening(history), "system");
}

/** What the user, or the parent of a subagent, said before the model's first answer. */
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

/** The results of the calls of the model's last answer; the remains of an interrupted one are no answer. */
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
