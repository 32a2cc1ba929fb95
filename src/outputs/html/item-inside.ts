import type { EventOf } from "../../events/event.js";
import type { PlanEntry } from "../../events/live-event.js";
import { describeDeed } from "../../story/describe-operation.js";
import { hasFailed } from "../../story/outcomes.js";
import { describeCall } from "../../story/timeline/describe-call.js";
import type { FoldedItem } from "../../story/timeline/describe-item.js";
import type { CallItem, EditsItem, PlanItem, RequestItem } from "../../story/timeline/items.js";
import { toVisibleLine } from "../../text/cut.js";
import type { JsonValue } from "../../text/json.js";
import { relativeTo } from "../../text/paths.js";
import { lineLength, type RowContext, renderSign } from "./item-head.js";
import { html, type Markup } from "./markup.js";
import { renderProse, renderText, renderValue } from "./views.js";

/** What an item shows when it is unfolded. Undefined: its line says everything. */
export function renderInside(item: FoldedItem, context: RowContext, steps?: Markup): Markup | undefined {
  const { allowance } = context;
  switch (item.kind) {
    case "call":
      return renderCall(item, context, steps);
    case "request":
      return renderRequest(item, context);
    case "plan":
      return renderPlan(item);
    case "edits":
      return renderEdits(item, context);
    case "thinking":
      return renderProse(item.text, allowance);
    case "session":
      return undefined;
    default:
      return html`${valuesOf(item).map(({ title, value }) => renderValue(title, value, allowance))}`;
  }
}

/** The structured contents of an item, as they are copied. */
export function valuesOf(item: FoldedItem): { title: string; value: JsonValue }[] {
  switch (item.kind) {
    case "call":
      return [...named("Input", item.input), ...named("Output", item.output)];
    case "request":
      return named("Input", item.request.input);
    case "operation":
      return named("Event", toPlain(item.operation));
    case "turn_end":
      return named("Turn", toPlain(item.end));
    case "unknown":
      return named("Raw", item.raw);
    case "end":
      return [
        ...(item.result === undefined ? [] : named("Result", toPlain(item.result))),
        ...(item.exited === undefined ? [] : named("Exit", toPlain(item.exited))),
      ];
    default:
      return [];
  }
}

function named(title: string, value: JsonValue | undefined): { title: string; value: JsonValue }[] {
  return value === undefined ? [] : [{ title, value }];
}

/** Without the fields that every event has. */
function toPlain<T extends { runId: string; timestamp: string }>({
  runId,
  timestamp,
  ...rest
}: T): JsonValue {
  return JSON.parse(JSON.stringify(rest));
}

/** For a subagent, its steps come first: its task and report are folded. */
function renderCall(call: CallItem, context: RowContext, steps: Markup | undefined): Markup {
  const { input, output } = call;
  const { allowance } = context;
  const value = (title: string, fold: string, content: JsonValue): Markup => {
    const shown = renderValue(title, content, allowance);
    if (steps === undefined) return shown;
    return html`<details class="part"><summary>${fold}</summary>${shown}</details>`;
  };
  const isOpen = call.end === undefined && context.isUnderWay === true;
  return html`
    ${describeCall(call, context.cwd).more > 0 && renderOperations(call, context)}
    ${input !== undefined && value("Input", "Task", input)}
    ${steps}
    ${output !== undefined && value("Output", "Report", output)}
    ${output === undefined && html`<p class="nothing">${isOpen ? "no output yet" : "no output"}</p>`}`;
}

function renderOperations({ operations }: CallItem, { cwd }: RowContext): Markup {
  const lines = operations.map((event) => {
    const { verb, object } = describeDeed(event, cwd);
    const isFailed = hasFailed(event);
    const sign = isFailed
      ? ({ sign: "failed", words: "failed" } as const)
      : ({ sign: "completed", words: "done" } as const);
    return html`
      <li class="${isFailed && "failed"}">
        ${renderSign(sign)} <span class="verb">${verb}</span>${" "}
        <span class="object mono" dir="auto">${toVisibleLine(object, lineLength)}</span>
      </li>`;
  });
  return html`<ul class="deeds">${lines}</ul>`;
}

function renderEdits({ edits }: EditsItem, { allowance, cwd }: RowContext): Markup {
  const parts = edits.map(
    ({ title = "Edit", filePath, range, replacement }) => html`
      <p>${toVisibleLine(title, lineLength)} <code>${toVisibleLine(relativeTo(filePath, cwd), lineLength)}</code>,
        bytes ${range.start} to ${range.end}</p>
      ${renderText(replacement, allowance)}`,
  );
  return html`${parts}`;
}

/** The agent's own words, the questions and the input. */
function renderRequest({ request, decision }: RequestItem, { allowance }: RowContext): Markup {
  const { message, questions = [], input } = request;
  return html`
    ${decision?.message !== undefined && html`<p dir="auto">${toVisibleLine(decision.message, lineLength)}</p>`}
    ${message !== undefined && renderProse(message, allowance)}
    ${questions.map(renderQuestion)}
    ${input !== undefined && renderValue("Input", input, allowance)}`;
}

type Question = NonNullable<EventOf<"request">["questions"]>[number];

function renderQuestion({ question, options = [] }: Question): Markup {
  const choices = options.map(
    ({ label, description = "" }) => html`
      <li><b dir="auto">${toVisibleLine(label, lineLength)}</b>${" "}
        <span dir="auto">${toVisibleLine(description, lineLength)}</span></li>`,
  );
  return html`<p dir="auto">${toVisibleLine(question, 2 * lineLength)}</p><ul class="choices">${choices}</ul>`;
}

const entrySigns: Record<PlanEntry["status"], string> = { completed: "✓", in_progress: "▸", pending: "○" };
const entryWords: Record<PlanEntry["status"], string> = {
  completed: "done",
  in_progress: "in progress",
  pending: "to do",
};

function renderPlan({ entries }: PlanItem): Markup {
  const lines = entries.map(
    ({ content, status }) => html`
      <li class="${status}">
        <span class="status" role="img" aria-label="${entryWords[status]}">${entrySigns[status]}</span>${" "}
        <span dir="auto">${toVisibleLine(content, lineLength)}</span>
      </li>`,
  );
  return html`<ul class="entries">${lines}</ul>`;
}
