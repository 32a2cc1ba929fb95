import { useState } from "preact/hooks";
import type { Answer } from "../../../src/agents/live-contract.js";
import type { EventOf } from "../../../src/events/event.js";
import type { Question } from "../../../src/events/live-event.js";
import { toVisibleLine } from "../../../src/text/cut.js";

export interface AnswerProps {
  request: EventOf<"request">;
  isReady: boolean;
  onAnswer(answer: Answer): void;
}

interface Given {
  labels: readonly string[];
  text: string;
}

const nothing: Given = { labels: [], text: "" };

/** Questions of the agent, with their options and a field for an answer of one's own. */
export function Questions({ request: { questions = [] }, isReady, onAnswer }: AnswerProps) {
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  const answers = Object.fromEntries(questions.map(({ id }) => [id, answerOf(given[id] ?? nothing)]));
  const isComplete = questions.every(({ id }) => (answers[id] ?? []).length > 0);
  return (
    <form
      class="questions"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && isComplete) onAnswer({ answers });
      }}
    >
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          isOnly={questions.length === 1}
          given={given[question.id] ?? nothing}
          onGiven={(next) => setGiven({ ...given, [question.id]: next })}
        />
      ))}
      <div class="card-choices">
        <button type="submit" class="primary" disabled={!isReady || !isComplete}>
          Answer
        </button>
        <button
          type="button"
          data-key="n"
          aria-keyshortcuts="n"
          disabled={!isReady}
          onClick={() => onAnswer({ decline: true })}
        >
          Give no answer <kbd>n</kbd>
        </button>
      </div>
    </form>
  );
}

function answerOf({ labels, text }: Given): string[] {
  return [...labels, ...(text.trim() === "" ? [] : [text.trim()])];
}

interface QuestionFieldProps {
  question: Question;
  /** The card's head already says the question. */
  isOnly: boolean;
  given: Given;
  onGiven(given: Given): void;
}

function QuestionField({ question, isOnly, given, onGiven }: QuestionFieldProps) {
  const { id, question: words, options = [], isMultiple = false } = question;
  const choose = (label: string): void => {
    const others = given.labels.filter((each) => each !== label);
    const isChosen = others.length < given.labels.length;
    if (!isMultiple) onGiven({ labels: [label], text: "" });
    else onGiven({ ...given, labels: isChosen ? others : [...given.labels, label] });
  };
  return (
    <fieldset>
      <legend class={isOnly ? "visually-hidden" : ""} dir="auto">
        {toVisibleLine(words, 600)}
      </legend>
      {options.map(({ label, description = "" }) => (
        <label key={label} class="option">
          <input
            type={isMultiple ? "checkbox" : "radio"}
            name={`question-${id}`}
            checked={given.labels.includes(label)}
            onChange={() => choose(label)}
          />
          <span dir="auto">
            <b>{toVisibleLine(label, 200)}</b> <small>{toVisibleLine(description, 300)}</small>
          </span>
        </label>
      ))}
      <input
        class="own-answer"
        dir="auto"
        aria-label={options.length > 0 ? `Another answer to: ${toVisibleLine(words, 200)}` : "Answer"}
        placeholder={options.length > 0 ? "Another answer" : "Answer"}
        value={given.text}
        onInput={({ currentTarget: { value } }) =>
          onGiven({ labels: isMultiple || value === "" ? given.labels : [], text: value })
        }
      />
    </fieldset>
  );
}
