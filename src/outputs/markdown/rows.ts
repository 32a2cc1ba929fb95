import { type Deed, describeDeed } from "../../story/describe-operation.js";
import { findDiffs } from "../../story/find-diffs.js";
import { hasFailed, signOf } from "../../story/outcomes.js";
import {
  describeCall,
  durationOfCall,
  exitCodeOfCall,
  isFailedCall,
} from "../../story/timeline/describe-call.js";
import type {
  CallItem,
  EditsItem,
  Item,
  MessageItem,
  RequestItem,
  TurnItem,
} from "../../story/timeline/items.js";
import { kinds } from "../../story/timeline/kinds.js";
import type { Gap, Row } from "../../story/timeline/thin-out.js";
import { toVisibleLine } from "../../text/cut.js";
import { escapeHtml } from "../../text/escape-html.js";
import type { JsonValue } from "../../text/json.js";
import { formatCount, formatDuration, formatNumberOf, formatOffset } from "../../text/numbers.js";
import { toPrettyJson } from "../../text/to-json.js";
import { codeSpan, escapeMarkdown, fence, fold, shorten } from "../markdown-fence.js";
import { quoteMarkdown } from "../markdown-quote.js";
import { renderPlan, renderRequest, renderTurnEnd, titleOfTurn } from "./turns.js";

export interface RowContext {
  cwd: string | undefined;
  /** It is already shown above. */
  answer: Item | undefined;
  /** The most characters of one input, output or message. 0 leaves them out and shows only what was done. */
  body: number;
}

const lineLength = 160;

/** The conversation, block by block. */
export function renderRows(rows: readonly Row[], context: RowContext): string[] {
  return rows.flatMap((row) => renderRow(row, context) ?? []);
}

function renderRow(row: Row, context: RowContext): string | undefined {
  switch (row.kind) {
    case "gap":
      return renderGap(row);
    case "message":
      return renderMessage(row, context);
    case "thinking":
      return context.body === 0
        ? undefined
        : fold("Thinking", quoteMarkdown(shorten(row.text, context.body)));
    case "call":
      return renderCall(row, context);
    case "operation": {
      const deed = describeDeed(row.operation, context.cwd);
      return `- ${signOf(hasFailed(row.operation))} ${deed.verb} ${codeSpan(toVisibleLine(deed.object, lineLength))}`;
    }
    case "error":
    case "warning":
      return `**${row.kind === "error" ? "Error" : "Warning"}**\n\n${quoteMarkdown(shorten(row.message, context.body || 200))}`;
    case "edits":
      return renderEdits(row, context);
    case "turn":
      return [`**${titleOfTurn(row)}**`, ...renderPrompt(row, context)].join("\n\n");
    case "turn_end":
      return `Turn ${row.number}: ${renderTurnEnd(row)}`;
    case "request":
      return [renderRequest(row, context.cwd), ...renderWordsOf(row, context)].join("\n\n");
    case "plan":
      return renderPlan(row);
    case "unknown":
    case "session":
    case "end":
      return undefined;
  }
}

/** What the user asked for, if the turn began with a prompt. */
export function renderPrompt({ prompt = "" }: TurnItem, { body }: RowContext): string[] {
  return prompt.trim() === "" ? [] : [quoteMarkdown(shorten(prompt, Math.max(body, 400)))];
}

/** The agent's own words about a request, such as the plan that it wants to carry out. */
function renderWordsOf({ request: { message = "" } }: RequestItem, { body }: RowContext): string[] {
  return message.trim() === "" || body === 0 ? [] : [quoteMarkdown(shorten(message, body))];
}

function renderMessage(row: MessageItem, context: RowContext): string {
  const titles = { assistant: "Assistant", user: "User", system: "System" };
  const title = `**${titles[row.role]}** · ${formatOffset(row.time)}${row.isCutOff ? " · cut off" : ""}`;
  if (row === context.answer) return `${title} · shown above`;
  return `${title}\n\n${quoteMarkdown(shorten(row.text, Math.max(context.body, 400)))}`;
}

function renderCall(call: CallItem & { rows: Row[] }, context: RowContext): string {
  const deed = describeCall(call, context.cwd);
  const title = titleOf(call, deed);
  const parts = [
    ...(deed.more > 0
      ? [call.operations.map((event) => listed(describeDeed(event, context.cwd))).join("\n")]
      : []),
    ...(context.body === 0 || isInTitle(call) ? [] : renderInput(call.input, context)),
    ...renderRows(call.rows, context),
    ...(context.body === 0 ? [] : renderOutput(call.output, context)),
  ];
  return parts.length === 0 ? `- ${title}` : fold(title, parts.join("\n\n"), true);
}

/** True if the title shows what was read, searched, listed or run: the input would repeat it. */
function isInTitle({ operations }: CallItem): boolean {
  const [only, ...others] = operations;
  if (only === undefined || others.length > 0) return false;
  if (only.type === "command") return only.command.length <= lineLength && !only.command.includes("\n");
  return only.type === "read" || only.type === "search" || only.type === "list";
}

function renderInput(input: JsonValue | undefined, { body }: RowContext): string[] {
  if (input === undefined) return [];
  const diffs = findDiffs(input);
  if (diffs.length > 0) return diffs.map((diff) => fence(shorten(diff, body), "diff"));
  return [`Input\n\n${renderJsonOrText(input, body)}`];
}

function renderOutput(output: JsonValue | undefined, { body }: RowContext): string[] {
  return output === undefined || output === "" ? [] : [`Output\n\n${renderJsonOrText(output, body)}`];
}

function renderJsonOrText(value: JsonValue, body: number): string {
  if (typeof value === "string") return fence(shorten(value, body));
  return fence(shorten(toPrettyJson(value), body), "json");
}

function listed(deed: Deed): string {
  return `- ${deed.verb} ${codeSpan(toVisibleLine(deed.object, lineLength))}`;
}

/** In HTML, because it is the title of a fold. */
function titleOf(call: CallItem, deed: Deed & { more: number }): string {
  const exitCode = exitCodeOfCall(call);
  const took = durationOfCall(call);
  const object = toVisibleLine(deed.object, lineLength);
  const facts = [
    ...(deed.more > 0 ? [`and ${formatCount(deed.more)} more`] : []),
    ...(exitCode === undefined || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(call.children.length > 0 ? [formatNumberOf(call.children.length, "step")] : []),
    ...(call.end === undefined ? ["not finished"] : []),
    ...(took === undefined ? [] : [formatDuration(took)]),
  ];
  const what = `${escapeHtml(toVisibleLine(deed.verb, 60))}${object === "" ? "" : ` <code>${escapeHtml(object)}</code>`}`;
  return `${signOf(isFailedCall(call))} ${[what, ...facts].join(" · ")}`;
}

function renderEdits({ edits }: EditsItem, context: RowContext): string {
  const lines = edits.map((edit) => listed({ verb: titleOfEdit(edit.title), object: edit.filePath }));
  return [
    `Proposed ${formatNumberOf(edits.length, "edit")}:`,
    "",
    ...lines.slice(0, Math.max(10, context.body)),
  ].join("\n");
}

/** The agent's own words: nothing in them is Markdown. */
function titleOfEdit(title = "Edit"): string {
  return escapeMarkdown(toVisibleLine(title, lineLength));
}

function renderGap({ counts }: Gap): string {
  const parts = kinds.flatMap(({ id, label }) => {
    const count = counts.get(id);
    return count === undefined ? [] : [`${label.toLowerCase()} ${formatCount(count)}`];
  });
  return `*Left out here: ${parts.join(", ")}*`;
}
