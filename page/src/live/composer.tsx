import { useState } from "preact/hooks";
import type { SessionHere } from "../../../src/server/protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import type { ViewState } from "../run/view-state.js";
import { PromptBox } from "./prompt-box.js";
import type { SessionActions } from "./session-actions.js";

/** What was typed and not sent, by the run's id. It survives a look at another page. */
const drafts = new Map<string, string>();

interface ComposerProps {
  view: ViewState;
  session: SessionHere;
  actions: SessionActions;
  /** Escape was pressed once. */
  isEscaping: boolean;
}

export function Composer({ view, session, actions, isEscaping }: ComposerProps) {
  const { id, about } = view.source;
  const { can, isBusy } = session;
  const [text, setText] = useState(drafts.get(id) ?? "");
  const [isClosing, setClosing] = useState(false);
  const write = (next: string): void => {
    drafts.set(id, next);
    setText(next);
  };
  const send = async (whileBusy: "queue" | "steer"): Promise<void> => {
    if (text.trim() === "") return;
    write("");
    view.isFollowing.value = true;
    if (!(await actions.send(text, whileBusy)) && (drafts.get(id) ?? "") === "") write(text);
  };
  const agent = about.value?.row.agent ?? "the agent";
  return (
    <form
      class="composer"
      aria-label="Next prompt"
      onSubmit={(event) => {
        event.preventDefault();
        void send("queue");
      }}
    >
      <PromptBox
        label={`Prompt for ${agent}`}
        placeholder={isBusy ? `Prompt for ${agent}: waits until this turn has ended` : `Prompt for ${agent}`}
        text={text}
        onText={write}
        onSend={() => void send("queue")}
      />
      <div class="composer-row">
        <span class={`turn-state${isEscaping ? " warning" : ""}`} role="status">
          {stateWords(session, isEscaping)}
        </span>
        {can.setModel && <ModelMenu model={session.model} actions={actions} />}
        <span class="space" />
        {isBusy && (
          <button type="button" class="danger" title="Esc, twice" onClick={() => void actions.interrupt()}>
            Interrupt
          </button>
        )}
        <button
          type="button"
          disabled={isClosing}
          title="Ends the running turn and the agent. The session can be continued later."
          onClick={() => {
            setClosing(true);
            void actions.close().then((isDone) => setClosing(isDone));
          }}
        >
          {isClosing ? "Ending…" : "End session"}
        </button>
        {isBusy && can.steer && (
          <button
            type="button"
            disabled={text.trim() === ""}
            title="The prompt joins the turn that runs"
            onClick={() => void send("steer")}
          >
            Steer
          </button>
        )}
        <button type="submit" class="primary" disabled={text.trim() === ""} title="Enter">
          {isBusy ? "Queue" : "Send"}
        </button>
      </div>
    </form>
  );
}

function stateWords({ isBusy, queue, requests }: SessionHere, isEscaping: boolean): string {
  if (isEscaping && isBusy) return "Press Esc again to interrupt";
  if (requests.length > 0) return "Waits for your answer";
  if (!isBusy && queue.length > 0) return "Starting…";
  return isBusy ? "Working…" : "Waiting for a prompt";
}

function ModelMenu({ model, actions }: { model: string | undefined; actions: SessionActions }) {
  const [wanted, setWanted] = useState("");
  const set = async (details: Element | null): Promise<void> => {
    if (wanted.trim() === "" || !(await actions.setModel(wanted.trim()))) return;
    setWanted("");
    details?.removeAttribute("open");
  };
  return (
    <details class="menu model-menu">
      <summary title="The model from the next turn on">{toVisibleLine(model ?? "Model", 40)}</summary>
      <div class="menu-items">
        <label>
          Model from the next turn on
          <input
            value={wanted}
            spellcheck={false}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              void set(event.currentTarget.closest("details"));
            }}
          />
        </label>
        <button type="button" onClick={({ currentTarget }) => void set(currentTarget.closest("details"))}>
          Use it
        </button>
      </div>
    </details>
  );
}
