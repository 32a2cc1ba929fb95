import type { EventOf } from "../../events/event.js";
import type { PlanEntry } from "../../events/live-event.js";
import { describeDecision, describeRequest } from "../../story/describe-request.js";
import { outcomeWords } from "../../story/outcomes.js";
import { progressOf } from "../../story/plan-progress.js";
import type { PlanItem, RequestItem, TurnEndItem, TurnItem } from "../../story/timeline/items.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration, formatShortCount, formatUsd } from "../../text/numbers.js";
import { renderStatus } from "./call-row.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";
import { lineLength, type RowContext, renderLine } from "./rows.js";
import { renderText, renderValue, renderWords } from "./views.js";

/** A turn of a live session begins: the rows up to its end belong to it. */
export function renderTurn({ number, origin, prompt = "" }: TurnItem, allowance: Allowance): Markup {
  const by = origin === "agent" ? " · the agent went on by itself" : "";
  return html`
    <div class="body turn-start">
      <h2>Turn ${number}${by}</h2>
      ${prompt.trim() !== "" && html`<pre class="prose" dir="auto">${renderWords(allowance.cut(prompt))}</pre>`}
    </div>`;
}

export function renderTurnEnd({ number, end, tokens }: TurnEndItem): Markup {
  const { reason, isSuccess, failure, durationMs, costUsd, costSource } = end;
  const facts = [
    ...(failure === undefined ? [] : [failure.message]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(tokens === undefined ? [] : [`${formatShortCount(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd) + (costSource === undefined ? "" : " estimated")]),
  ];
  const verb = `Turn ${number}: ${outcomeWords[reason].toLowerCase()}`;
  return renderLine({ verb, object: facts.join(" · ") }, renderStatus(!isSuccess));
}

/** What was asked and who decided. The fold has the agent's own words, the questions and the input. */
export function renderRequest({ request, decision }: RequestItem, { allowance, cwd }: RowContext): Markup {
  const { message, questions = [], input } = request;
  const { verb, object } = describeRequest(request, cwd);
  return html`
    <details class="body">
      <summary>
        <span class="verb">${verb}</span> <span class="object">${toVisibleLine(object, lineLength)}</span>
        <span class="aside">${renderDecision(decision)}</span>
      </summary>
      <div class="inside">
        ${decision?.message !== undefined && html`<p>${toVisibleLine(decision.message, lineLength)}</p>`}
        ${message !== undefined && renderText(message, allowance)}
        ${questions.map(renderQuestion)}
        ${input !== undefined && renderValue("Input", input, allowance)}
      </div>
    </details>`;
}

function renderDecision(event: EventOf<"request_end"> | undefined): Markup {
  if (event === undefined) return html`<span>waits for an answer</span>`;
  const { words, rule, isDenied } = describeDecision(event, "the user");
  return html`
    <span class="${isDenied ? "exit" : event.outcome}">${words}
      ${rule !== undefined && html` <code>${toVisibleLine(rule, lineLength)}</code>`}</span>`;
}

type Question = NonNullable<EventOf<"request">["questions"]>[number];

function renderQuestion({ question, options = [] }: Question): Markup {
  const choices = options.map(
    ({ label, description = "" }) =>
      html`<li>${toVisibleLine(label, lineLength)} <small>${toVisibleLine(description, lineLength)}</small></li>`,
  );
  return html`<p dir="auto">${toVisibleLine(question, 2 * lineLength)}</p><ul>${choices}</ul>`;
}

export function renderPlan({ entries }: PlanItem): Markup {
  const { words, current = "" } = progressOf(entries);
  return html`
    <details class="body">
      <summary>
        <span class="verb">Plan</span> <span class="object">${toVisibleLine(current, lineLength)}</span>
        <span class="aside">${words}</span>
      </summary>
      <div class="inside"><ul class="plan">${entries.map(renderEntry)}</ul></div>
    </details>`;
}

const signs: Record<PlanEntry["status"], string> = { completed: "✓", in_progress: "▸", pending: "○" };

function renderEntry({ content, status }: PlanEntry): Markup {
  return html`
    <li class="${status}">
      <span class="status" role="img" aria-label="${status.replace("_", " ")}">${signs[status]}</span>
      <span dir="auto">${toVisibleLine(content, lineLength)}</span>
    </li>`;
}
