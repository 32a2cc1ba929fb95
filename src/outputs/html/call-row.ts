import { type Deed, describeDeed } from "../../story/describe-operation.js";
import { hasFailed } from "../../story/outcomes.js";
import {
  describeCall,
  durationOfCall,
  exitCodeOfCall,
  isFailedCall,
} from "../../story/timeline/describe-call.js";
import type { CallItem } from "../../story/timeline/items.js";
import type { Row } from "../../story/timeline/thin-out.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatNumberOf } from "../../text/numbers.js";
import { html, type Markup } from "./markup.js";
import { lineLength, type RowContext, renderRows } from "./rows.js";
import { renderValue } from "./views.js";

type CallRow = CallItem & { rows: Row[] };

/** A tool call: one line says what it did; a fold has its input, its output and all that its subagent did. */
export function renderCall(call: CallRow, context: RowContext): Markup {
  const { input, output, rows } = call;
  const { allowance } = context;
  const deed = describeCall(call, context.cwd);
  const isNested = rows.length > 0;
  return html`
    <details class="body"${isNested && html` open`}>
      ${renderSummary(call, deed)}
      <div class="inside">
        ${deed.more > 0 && renderOperations(call, context)}
        ${input !== undefined && foldIf(isNested, "Task", renderValue("Input", input, allowance))}
        ${isNested && renderRows(rows, context)}
        ${output !== undefined && foldIf(isNested, "Report", renderValue("Output", output, allowance))}
        ${output === undefined && html`<p class="nothing">no output</p>`}
      </div>
    </details>`;
}

function renderSummary(call: CallRow, { verb, object, more }: Deed & { more: number }): Markup {
  return html`
    <summary>
      ${renderStatusOfCall(call)}${" "}
      <span class="verb">${toVisibleLine(verb, 60)}</span>${" "}
      <span class="object">${toVisibleLine(object, lineLength)}</span>
      ${more > 0 && html` <span class="more">and ${formatCount(more)} more</span>`}
      <span class="aside">${factsOf(call)}</span>
    </summary>`;
}

function factsOf(call: CallRow): (Markup | false)[] {
  const exitCode = exitCodeOfCall(call) ?? 0;
  const took = durationOfCall(call);
  return [
    exitCode !== 0 && html`<span class="exit">exit ${exitCode}</span>`,
    call.rows.length > 0 && html`<span>${formatNumberOf(call.rows.length, "step")}</span>`,
    call.operations.length > 0 && html`<span class="tool">${toVisibleLine(call.name, 40)}</span>`,
    took !== undefined && html`<span class="took">${formatDuration(took)}</span>`,
  ];
}

/** For a subagent, its work comes first: its task and report are folded. */
function foldIf(isNested: boolean, title: string, value: Markup): Markup {
  return isNested ? html`<details class="part"><summary>${title}</summary>${value}</details>` : value;
}

function renderOperations({ operations }: CallItem, { cwd }: RowContext): Markup {
  const lines = operations.map((event) => {
    const { verb, object } = describeDeed(event, cwd);
    return html`
      <li>
        ${renderStatus(hasFailed(event))} <span class="verb">${verb}</span>${" "}
        <span class="object">${toVisibleLine(object, lineLength)}</span>
      </li>`;
  });
  return html`<ul class="deeds">${lines}</ul>`;
}

function renderStatusOfCall(call: CallItem): Markup {
  if (isFailedCall(call) || call.isSuccess !== undefined) return renderStatus(isFailedCall(call));
  return html`<span class="status open" role="img" aria-label="not finished">○</span>`;
}

export function renderStatus(hasFailed: boolean): Markup {
  return hasFailed
    ? html`<span class="status failed" role="img" aria-label="failed">✗</span>`
    : html`<span class="status ok" role="img" aria-label="succeeded">✓</span>`;
}
