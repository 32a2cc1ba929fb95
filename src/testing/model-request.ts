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

/**
 * How many turns the conversation has behind it. An answer counts once something follows it, so the remains of
 * an interrupted one, which some agents send along with their retry, do not count.
 */
export function countTurns(history: readonly HistoryItem[]): number {
  let turns = 0;
  let answer: HistoryItem[] = [];
  for (const item of history) {
    if (item.from === "assistant") {
      answer.push(item);
      continue;
    }
    if (answer.length > 0 && !isFollowUp(answer)) turns += 1;
    answer = [];
  }
  return turns;
}

function isFollowUp(answer: readonly HistoryItem[]): boolean {
  return answer.some((item) => item.from === "assistant" && item.callId?.startsWith(followUpPrefix));
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

/** The results that came after the model's last answer. */
export function newToolResults(history: readonly HistoryItem[]): ToolResult[] {
  const tools = new Map<string, string>();
  for (const item of history) {
    if (item.from === "assistant" && item.callId !== undefined && item.tool !== undefined)
      tools.set(item.callId, item.tool);
  }
  const last = history.findLastIndex(({ from }) => from === "assistant");
  return history.slice(last + 1).flatMap((item) => {
    if (item.from !== "tool") return [];
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
