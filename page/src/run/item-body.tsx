import { useEffect } from "preact/hooks";
import { describeDeed } from "../../../src/story/describe-operation.js";
import { hasFailed } from "../../../src/story/outcomes.js";
import type { CallItem, Item, PlanItem, RequestItem } from "../../../src/story/timeline/items.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatNumberOf } from "../../../src/text/numbers.js";
import { eventsOfItem } from "../model/event-place.js";
import type { RunSource } from "../model/run-source.js";
import { say } from "../ui/toast.js";
import { AgentText } from "./agent-text.js";
import { ValueView } from "./value-view.js";
import { toggle, type ViewState, watchRun } from "./view-state.js";

/** The contents of an unfolded entry. Events that were cut are fetched in full. */
export function ItemBody({ item, view }: { item: Item; view: ViewState }) {
  watchRun(view);
  const { source } = view;
  useEffect(() => {
    void completeItem(source, item);
  }, [source, item]);
  return (
    <div class="inside">
      <Contents item={item} view={view} />
    </div>
  );
}

async function completeItem(source: RunSource, item: Item): Promise<void> {
  const cut = eventsOfItem(source.model, item).filter(({ seq }) => source.model.cut.has(seq));
  try {
    for (const { seq } of cut) source.model.complete(await source.readEvent(seq));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
  }
}

function Contents({ item, view }: { item: Item; view: ViewState }) {
  watchRun(view);
  switch (item.kind) {
    case "call":
      return <Call call={item} view={view} />;
    case "thinking":
      return <AgentText text={item.text} />;
    case "operation":
      return <ValueView title="Event" value={toPlain(item.operation)} />;
    case "edits":
      return (
        <>
          {item.edits.map((edit, index) => (
            <section key={index}>
              <p>
                {edit.title === undefined ? "Edit" : toVisibleLine(edit.title, 200)}{" "}
                <code>{toVisibleLine(edit.filePath, 300)}</code>, bytes {edit.range.start} to {edit.range.end}
              </p>
              <ValueView title="Replacement" value={edit.replacement} />
            </section>
          ))}
        </>
      );
    case "request":
      return <Request item={item} />;
    case "plan":
      return <Plan item={item} />;
    case "turn_end":
      return <ValueView title="Turn" value={toPlain(item.end)} />;
    case "unknown":
      return <ValueView title="Raw" value={item.raw} />;
    case "end":
      return (
        <>
          {item.result !== undefined && <ValueView title="Result" value={toPlain(item.result)} />}
          {item.exited !== undefined && <ValueView title="Exit" value={toPlain(item.exited)} />}
        </>
      );
    default:
      return null;
  }
}

function Call({ call, view }: { call: CallItem; view: ViewState }) {
  watchRun(view);
  const isFolded = view.folded.value.has(call.callId);
  return (
    <>
      {call.children.length > 0 && (
        <button type="button" onClick={() => toggle(view.folded, call.callId)}>
          {isFolded ? "Show" : "Hide"} {formatNumberOf(call.children.length, "step")} of the subagent
        </button>
      )}
      {call.operations.length > 1 && (
        <ul class="deeds">
          {call.operations.map((operation) => {
            const { verb, object } = describeDeed(operation, view.cwd.value);
            const isFailed = hasFailed(operation);
            return (
              <li key={operation.seq} class={isFailed ? "failed" : ""}>
                <b>{verb}</b> <code dir="auto">{toVisibleLine(object, 300)}</code>{" "}
                {isFailed && <small>failed</small>}
              </li>
            );
          })}
        </ul>
      )}
      {call.input !== undefined && <ValueView title="Input" value={call.input} />}
      {call.output !== undefined ? (
        <ValueView title="Output" value={call.output} />
      ) : (
        <p class="dim">{call.end === undefined ? "No output yet." : "No output."}</p>
      )}
    </>
  );
}

function Request({ item: { request, decision } }: { item: RequestItem }) {
  const { message, questions = [], input } = request;
  return (
    <>
      {decision?.message !== undefined && <p dir="auto">{toVisibleLine(decision.message, 300)}</p>}
      {message !== undefined && <AgentText text={message} />}
      {questions.map(({ id, question, options = [] }) => (
        <section key={id}>
          <p dir="auto">{toVisibleLine(question, 600)}</p>
          <ul class="deeds">
            {options.map(({ label, description = "" }, index) => (
              <li key={index}>
                <b dir="auto">{toVisibleLine(label, 200)}</b>{" "}
                <span dir="auto">{toVisibleLine(description, 300)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {input !== undefined && <ValueView title="Input" value={input} />}
    </>
  );
}

const entryWords = { completed: "done", in_progress: "in progress", pending: "to do" };

function Plan({ item }: { item: PlanItem }) {
  return (
    <ul class="deeds plan">
      {item.entries.map(({ content, status }, index) => (
        <li key={index} class={status}>
          <span dir="auto">{toVisibleLine(content, 300)}</span>{" "}
          <small class="dim">{entryWords[status]}</small>
        </li>
      ))}
    </ul>
  );
}

/** Without the fields that every event has. */
function toPlain<T extends { runId: string; timestamp: string }>({ runId, timestamp, ...rest }: T) {
  return JSON.parse(JSON.stringify(rest));
}
