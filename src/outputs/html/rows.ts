import { type Deed, describeDeed } from "../../story/describe-operation.js";
import { hasFailed, outcomeWords } from "../../story/outcomes.js";
import type { EditsItem, EndItem, Item, MessageItem, NoticeItem } from "../../story/timeline/items.js";
import { isProblem, kinds, kindsOf } from "../../story/timeline/kinds.js";
import type { Gap, Row } from "../../story/timeline/thin-out.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatNumberOf, formatOffset } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { toJsonText } from "../../text/to-json.js";
import { renderCall, renderStatus } from "./call-row.js";
import type { Allowance } from "./limits.js";
import { longestMarkdown, renderMarkdown } from "./markdown-view.js";
import { html, type Markup } from "./markup.js";
import { renderPlan, renderRequest, renderTurn, renderTurnEnd } from "./turn-rows.js";
import { renderText, renderValue, renderWords } from "./views.js";

/** What rows need to know about their run. */
export interface RowContext {
  allowance: Allowance;
  cwd: string | undefined;
  /** The message that is the answer. */
  answer: Item | undefined;
  answerTitle: string;
}

export const lineLength = 200;

export function renderRows(rows: readonly Row[], context: RowContext): Markup {
  return html`
    <ol class="timeline">
      ${rows.map((row) => (row.kind === "gap" ? renderGap(row) : renderRow(row, context)))}
    </ol>`;
}

/** Each on a line of its own, for those who read the source. */
function renderRow(row: Exclude<Row, Gap>, context: RowContext): Markup {
  const own = kindsOf(row);
  const classes = [
    "item",
    ...(row.kind === "call" ? ["call"] : []),
    own[0],
    ...(isProblem(row) ? ["problem"] : []),
  ];
  const id = `e${row.seq}`;
  return html`${"\n"}
    <li class="${classes.join(" ")}" id="${id}" data-kinds="${own.join(" ")}">
      <a class="time" href="#${id}">${formatOffset(row.time)}</a>
      ${renderBody(row, context)}
    </li>`;
}

function renderBody(row: Exclude<Row, Gap>, context: RowContext): Markup {
  const { allowance, cwd } = context;
  switch (row.kind) {
    case "message":
      return renderMessage(row, context);
    case "thinking":
      return renderFold("Thinking", row.text, renderText(row.text, allowance));
    case "call":
      return renderCall(row, context);
    case "operation":
      return renderLine(describeDeed(row.operation, cwd), renderStatus(hasFailed(row.operation)));
    case "error":
    case "warning":
      return renderNotice(row, context);
    case "edits":
      return renderEdits(row, context);
    case "unknown":
      return renderFold("Not understood", toJsonText(row.raw), renderValue("Raw", row.raw, allowance));
    case "turn":
      return renderTurn(row, allowance);
    case "turn_end":
      return renderTurnEnd(row);
    case "request":
      return renderRequest(row, context);
    case "plan":
      return renderPlan(row);
    case "session":
      return renderLine({ verb: "Session", object: row.model ?? row.sessionId ?? "" });
    case "end":
      return renderEnd(row);
  }
}

const roles = { assistant: "Assistant", user: "User", system: "System" };

function renderMessage(row: MessageItem, { allowance, answer, answerTitle }: RowContext): Markup {
  const isAnswer = row === answer;
  const cut = allowance.cut(row.text);
  const isShort = cut.omitted === 0 && row.text.length <= longestMarkdown;
  return html`
    <div class="body said ${row.role}${isAnswer && answerTitle === "Answer" && " answer"}">
      <span class="verb">${isAnswer ? answerTitle : roles[row.role]}${row.isCutOff && " (cut off)"}</span>
      ${
        isShort
          ? html`<div class="prose" dir="auto">${renderMarkdown(row.text)}</div>`
          : html`<pre class="prose" dir="auto">${renderWords(cut)}</pre>`
      }
    </div>`;
}

function renderNotice(row: NoticeItem, { allowance }: RowContext): Markup {
  return html`
    <div class="body notice">
      <span class="verb">${row.kind === "error" ? "Error" : "Warning"}</span>${" "}
      <span class="words">${renderWords(allowance.cut(row.message))}</span>
      ${row.code !== undefined && html` <code class="code">${row.code}</code>`}
    </div>`;
}

export function renderFold(title: string, text: string, inside: Markup): Markup {
  return html`
    <details class="body">
      <summary>
        <span class="verb">${title}</span>${" "}
        <span class="object">${toVisibleLine(text, lineLength)}</span>
      </summary>
      <div class="inside">${inside}</div>
    </details>`;
}

export function renderLine({ verb, object }: Deed, status?: Markup): Markup {
  return html`
    <div class="body line">
      ${status} <span class="verb">${verb}</span> <span class="object">${toVisibleLine(object, lineLength)}</span>
    </div>`;
}

function renderEdits({ edits }: EditsItem, { allowance, cwd }: RowContext): Markup {
  const files = new Set(edits.map((edit) => relativeTo(edit.filePath, cwd)));
  const parts = edits.map(
    ({ title = "Edit", filePath, range, replacement }) => html`
      <p>${title} <code>${relativeTo(filePath, cwd)}</code>, bytes ${range.start} to ${range.end}</p>
      ${renderText(replacement, allowance)}`,
  );
  return renderFold(
    `Proposed ${formatNumberOf(edits.length, "edit")}`,
    [...files].join(", "),
    html`${parts}`,
  );
}

function renderEnd({ result, exited }: EndItem): Markup {
  const isSuccess = result?.isSuccess === true;
  const exit = exited?.exitCode === null ? exited.signal : exited && `exit code ${exited.exitCode}`;
  const facts = [result?.failure?.kind, exit].filter((fact) => fact !== undefined);
  const verb = outcomeWords[isSuccess ? "completed" : (exited?.reason ?? "failed")];
  return renderLine({ verb, object: facts.join(", ") }, renderStatus(!isSuccess));
}

function renderGap({ counts }: Gap): Markup {
  const parts = kinds.flatMap(({ id, label }) => {
    const count = counts.get(id);
    return count === undefined ? [] : [`${label.toLowerCase()} ${formatCount(count)}`];
  });
  return html`${"\n"}
    <li class="item gap" data-kinds="gap">
      <span class="time"></span>
      <div class="body">Left out here, to keep the page light: ${parts.join(", ")}</div>
    </li>`;
}
