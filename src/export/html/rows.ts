import { toJsonText } from "../../formats/json-text.js";
import { relativeTo } from "../../translator/paths.js";
import { outcomeWords } from "../facts.js";
import { formatCount, formatDuration, formatNumberOf, formatOffset } from "../text/numbers.js";
import { toVisibleLine } from "../text/visible-text.js";
import { describeCall } from "../timeline/describe-call.js";
import {
  describeDeed,
  exitCodeOfCall,
  isFailedCall,
  isFailedOperation,
} from "../timeline/describe-operation.js";
import type { CallItem, EditsItem, EndItem, Item, MessageItem, OperationEvent } from "../timeline/items.js";
import { isProblem, kinds, kindsOf } from "../timeline/kinds.js";
import type { Gap, Row } from "../timeline/thin-out.js";
import type { Allowance } from "./limits.js";
import { longestMarkdown, renderMarkdown } from "./markdown-view.js";
import { html, type Markup } from "./markup.js";
import { omission, renderText, renderValue } from "./views.js";

/** What rows need to know of their run. */
export interface RowContext {
  allowance: Allowance;
  cwd: string | undefined;
  /** The message that is the answer. */
  answer: Item | undefined;
  answerTitle: string;
}

const lineLength = 200;

export function renderRows(rows: readonly Row[], context: RowContext): Markup {
  return html`<ol class="timeline">${rows.map((row) =>
    row.kind === "gap" ? renderGap(row) : renderRow(row, context),
  )}</ol>`;
}

function renderRow(row: Exclude<Row, Gap>, context: RowContext): Markup {
  const own = kindsOf(row);
  const classes = `item ${row.kind === "call" ? "call " : ""}${own[0]}${isProblem(row) ? " problem" : ""}`;
  return html`<li class="${classes}" id="e${row.seq}" data-kinds="${own.join(" ")}"><a class="time" href="#e${row.seq}">${formatOffset(row.time)}</a>${renderBody(row, context)}</li>
`;
}

function renderBody(row: Exclude<Row, Gap>, context: RowContext): Markup {
  switch (row.kind) {
    case "message":
      return renderMessage(row, context);
    case "thinking":
      return renderFold("Thinking", row.text, renderText(row.text, context.allowance));
    case "call":
      return renderCall(row, context);
    case "operation":
      return renderLine(describeDeed(row.operation, context.cwd), statusOf(isFailedOperation(row.operation)));
    case "error":
    case "warning": {
      const title = row.kind === "error" ? "Error" : "Warning";
      return html`<div class="body notice"><span class="verb">${title}</span> <span class="words">${cutWords(row.message, context)}</span>${row.code !== undefined && html` <code class="code">${row.code}</code>`}</div>`;
    }
    case "edits":
      return renderEdits(row, context);
    case "unknown": {
      const text = toJsonText(row.raw);
      return renderFold("Not understood", text, renderValue("Raw", row.raw, context.allowance));
    }
    case "session":
      return renderLine({ verb: "Session", object: row.model ?? row.sessionId ?? "" });
    case "end":
      return renderEnd(row);
  }
}

function renderMessage(row: MessageItem, { allowance, answer, answerTitle }: RowContext): Markup {
  const titles = { assistant: "Assistant", user: "User", system: "System" };
  const cut = allowance.cut(row.text);
  const isShort = cut.omitted === 0 && row.text.length <= longestMarkdown;
  const words = isShort
    ? html`<div class="prose" dir="auto">${renderMarkdown(row.text)}</div>`
    : html`<pre class="prose" dir="auto">${cut.head}${omission(cut)}${cut.tail}</pre>`;
  return html`<div class="body said ${row.role}${row === answer && answerTitle === "Answer" && " answer"}"><span class="verb">${row === answer ? answerTitle : titles[row.role]}${row.isCutOff && " (cut off)"}</span>${words}</div>`;
}

function renderFold(title: string, text: string, inside: Markup): Markup {
  return html`<details class="body"><summary><span class="verb">${title}</span> <span class="object">${toVisibleLine(text, lineLength)}</span></summary><div class="inside">${inside}</div></details>`;
}

function renderLine(deed: { verb: string; object: string }, status?: Markup): Markup {
  return html`<div class="body line">${status} <span class="verb">${deed.verb}</span> <span class="object">${toVisibleLine(deed.object, lineLength)}</span></div>`;
}

function renderCall(call: CallItem & { rows: Row[] }, context: RowContext): Markup {
  const deed = describeCall(call, context.cwd);
  const summary = html`<summary>${statusOfCall(call)} <span class="verb">${toVisibleLine(deed.verb, 60)}</span> <span class="object">${toVisibleLine(deed.object, lineLength)}</span>${deed.more > 0 && html` <span class="more">and ${formatCount(deed.more)} more</span>`}<span class="aside">${asideOf(call)}</span></summary>`;
  const isNested = call.rows.length > 0;
  return html`<details class="body"${isNested && html` open`}>${summary}<div class="inside">${
    deed.more > 0 && renderOperations(call.operations, context)
  }${call.input !== undefined && folded(isNested, "Task", renderValue("Input", call.input, context.allowance))}${
    isNested && renderRows(call.rows, context)
  }${call.output !== undefined && folded(isNested, "Report", renderValue("Output", call.output, context.allowance))}${
    call.output === undefined && html`<p class="nothing">no output</p>`
  }</div></details>`;
}

/** Of a subagent, what it did comes first. */
function folded(isNested: boolean, title: string, value: Markup): Markup {
  return isNested ? html`<details class="part"><summary>${title}</summary>${value}</details>` : value;
}

function renderOperations(operations: readonly OperationEvent[], { cwd }: RowContext): Markup {
  return html`<ul class="deeds">${operations.map((event) => {
    const deed = describeDeed(event, cwd);
    return html`<li>${statusOf(isFailedOperation(event))} <span class="verb">${deed.verb}</span> <span class="object">${toVisibleLine(deed.object, lineLength)}</span></li>`;
  })}</ul>`;
}

function renderEdits({ edits }: EditsItem, { allowance, cwd }: RowContext): Markup {
  const files = new Set(edits.map((edit) => relativeTo(edit.filePath, cwd)));
  const parts = edits.map(
    (edit) =>
      html`<p>${edit.title ?? "Edit"} <code>${relativeTo(edit.filePath, cwd)}</code>, bytes ${edit.range.start} to ${edit.range.end}</p>${renderText(edit.replacement, allowance)}`,
  );
  return renderFold(
    `Proposed ${formatNumberOf(edits.length, "edit")}`,
    [...files].join(", "),
    html`${parts}`,
  );
}

function renderEnd({ result, exited }: EndItem): Markup {
  const isSuccess = result?.isSuccess === true;
  const exit =
    exited === undefined
      ? ""
      : exited.exitCode === null
        ? (exited.signal ?? "")
        : `exit code ${exited.exitCode}`;
  const words = [result?.failure?.kind, exit].filter((word) => word !== undefined && word !== "").join(", ");
  return renderLine(
    { verb: outcomeWords[isSuccess ? "completed" : (exited?.reason ?? "failed")], object: words },
    statusOf(!isSuccess),
  );
}

function renderGap({ counts }: Gap): Markup {
  const parts = kinds.flatMap(({ id, label }) => {
    const count = counts.get(id);
    return count === undefined ? [] : [`${label.toLowerCase()} ${formatCount(count)}`];
  });
  return html`<li class="item gap" data-kinds="gap"><span class="time"></span><div class="body">Left out here, to keep the page light: ${parts.join(", ")}</div></li>
`;
}

function statusOfCall(call: CallItem): Markup {
  if (isFailedCall(call)) return statusOf(true);
  return call.isSuccess === undefined
    ? html`<span class="status open" role="img" aria-label="not finished">○</span>`
    : statusOf(false);
}

function statusOf(hasFailed: boolean): Markup {
  return hasFailed
    ? html`<span class="status failed" role="img" aria-label="failed">✗</span>`
    : html`<span class="status ok" role="img" aria-label="succeeded">✓</span>`;
}

function asideOf(call: CallItem & { rows: Row[] }): Markup {
  const exitCode = exitCodeOfCall(call);
  return html`${exitCode !== undefined && exitCode !== 0 && html`<span class="exit">exit ${exitCode}</span>`}${
    call.rows.length > 0 && html`<span>${formatNumberOf(call.rows.length, "step")}</span>`
  }${call.operations.length > 0 && html`<span class="tool">${toVisibleLine(call.name, 40)}</span>`}${
    call.end !== undefined && html`<span class="took">${formatDuration(call.end - call.time)}</span>`
  }`;
}

function cutWords(text: string, { allowance }: RowContext): Markup {
  const cut = allowance.cut(text);
  return html`${cut.head}${omission(cut)}${cut.tail}`;
}
