import type { PlanEntry } from "../../events/live-event.js";
import { describeDecision, describeRequest, wishesOf } from "../../story/describe-request.js";
import { outcomeWords, signOf } from "../../story/outcomes.js";
import { progressOf } from "../../story/plan-progress.js";
import type { PlanItem, RequestItem, TurnEndItem, TurnItem } from "../../story/timeline/items.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration, formatOffset, formatShortCount, formatUsd } from "../../text/numbers.js";
import { codeSpan, escapeMarkdown } from "../markdown-fence.js";

const lineLength = 160;

/** `Turn 2 · 0:20`. */
export function titleOfTurn({ number, time, origin }: TurnItem): string {
  return `Turn ${number} · ${formatOffset(time)}${origin === "agent" ? " · the agent went on by itself" : ""}`;
}

/** How a turn ended and what it took, in one line. */
export function renderTurnEnd({ end, tokens }: TurnEndItem): string {
  const { reason, isSuccess, failure, durationMs, costUsd, costSource } = end;
  const facts = [
    `${signOf(!isSuccess)} **${outcomeWords[reason]}**`,
    ...(failure === undefined ? [] : [codeSpan(toVisibleLine(failure.message, lineLength))]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens === undefined ? [] : [`${formatShortCount(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd) + (costSource === undefined ? "" : " (estimated)")]),
  ];
  return facts.join(" · ");
}

/** What was asked and who decided, as an entry of a list. */
export function renderRequest({ request, decision }: RequestItem, cwd: string | undefined): string {
  return `- ${renderWish(request, cwd)} · ${renderDecision(decision)}`;
}

function renderWish(request: RequestItem["request"], cwd: string | undefined): string {
  if (request.kind === "permission") {
    const wishes = wishesOf(request, cwd).map(
      ({ verb, object }) => `${verb} ${codeSpan(toVisibleLine(object, lineLength))}`,
    );
    return `Asked to ${wishes.join(" and ")}`;
  }
  const { verb, object } = describeRequest(request, cwd);
  return `${verb} ${escapeMarkdown(toVisibleLine(object, lineLength))}`;
}

function renderDecision(event: RequestItem["decision"]): string {
  if (event === undefined) return "**waits for an answer**";
  const { words, rule } = describeDecision(event, "the user");
  const named = rule === undefined ? "" : ` ${codeSpan(toVisibleLine(rule, lineLength))}`;
  const why = event.message?.trim() ? `: ${escapeMarkdown(toVisibleLine(event.message, lineLength))}` : "";
  return `**${words}**${named}${why}`;
}

export function renderPlan({ entries }: PlanItem): string {
  return [`Plan · ${progressOf(entries).words}`, "", ...renderEntries(entries)].join("\n");
}

/** The agent's to-do list as a task list. What it works on is bold. */
export function renderEntries(entries: readonly PlanEntry[]): string[] {
  return entries.map(({ content, status }) => {
    const text = escapeMarkdown(toVisibleLine(content, lineLength));
    const box = status === "completed" ? "[x]" : "[ ]";
    return `- ${box} ${status === "in_progress" && text !== "" ? `**${text}**` : text}`;
  });
}
