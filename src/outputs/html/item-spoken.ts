import type { SpokenItem } from "../../story/timeline/describe-item.js";
import type { MessageItem, NoticeItem, TurnItem } from "../../story/timeline/items.js";
import { type RowContext, renderSign } from "./item-head.js";
import { html, type Markup } from "./markup.js";
import { renderProse, renderWords } from "./views.js";

/** Prompts, messages, errors and warnings: they are shown in full. */
export function renderSpoken(item: SpokenItem, context: RowContext): Markup {
  switch (item.kind) {
    case "message":
      return renderMessage(item, context);
    case "turn":
      return renderTurn(item, context);
    case "error":
    case "warning":
      return renderNotice(item, context);
  }
}

const roles = { assistant: "Assistant", user: "User", system: "System" };
/** A text that still grows is rendered often. Beyond this length it is plain text until it is complete. */
const longestStreamed = 12_000;

function renderMessage(item: MessageItem, context: RowContext): Markup {
  const { allowance, answer, answerTitle, isUnderWay } = context;
  const isAnswer = item === answer;
  const isWriting = item.isCutOff && isUnderWay === true;
  const isPlain = isWriting && item.text.length > longestStreamed;
  return html`
    <div class="said ${item.role}${isAnswer && answerTitle === "Answer" && " answer"}">
      <span class="verb">${isAnswer ? answerTitle : roles[item.role]}
        ${isWriting ? html` ${renderSign({ sign: "running", words: "writing" })}` : item.isCutOff && " (cut off)"}</span>
      ${
        isPlain
          ? html`<div class="plain" dir="auto">${renderWords(allowance, item.text)}</div>`
          : renderProse(item.text, allowance)
      }
    </div>`;
}

function renderNotice({ kind, message, code }: NoticeItem, { allowance }: RowContext): Markup {
  return html`
    <div class="notice">
      <span class="verb">${kind === "error" ? "Error" : "Warning"}</span>${" "}
      <span class="words plain" dir="auto">${renderWords(allowance, message)}</span>
      ${code !== undefined && html` <code class="code">${code}</code>`}
    </div>`;
}

/** A turn of a live session begins: the rows up to its end belong to it. */
function renderTurn({ number, origin, prompt = "" }: TurnItem, { allowance }: RowContext): Markup {
  const by = origin === "agent" ? " · the agent went on by itself" : "";
  return html`
    <div class="turn-start">
      <h2>Turn ${number}${by}</h2>
      ${prompt.trim() !== "" && html`<div class="plain" dir="auto">${renderWords(allowance, prompt)}</div>`}
    </div>`;
}
