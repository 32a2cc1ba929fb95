import { useState } from "preact/hooks";
import type { NewSession, RunAbout, StartedRun } from "../../../src/server/protocol.js";
import { go } from "../router.js";
import { postJson } from "../server/api.js";
import { say } from "../ui/toast.js";
import { PromptBox } from "./prompt-box.js";

/** Goes on with the session of a run that has ended, as a live session of its own. */
export function ContinueBar({ about: { row, permissions } }: { about: RunAbout }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (text.trim() === "" || isStarting) return;
    setStarting(true);
    try {
      const body: NewSession = {
        agent: row.agent,
        prompt: text,
        resume: row.id,
        // Otherwise the configuration decides, or the agent asks. It never gets more than it had.
        ...(permissions === "read-only" && { permissions }),
        // Rules of a command line are not in the recording: what they allowed is asked for again.
        ...((permissions === "ask" || permissions === "rules") && { permissions: "ask" }),
      };
      const { id, warnings } = await postJson<StartedRun>("/api/sessions", body);
      for (const warning of warnings) say(warning, true);
      go({ page: "run", id, tab: "timeline" });
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
      setStarting(false);
    }
  };
  if (!isOpen)
    return (
      <section class="dock closed" aria-label="Continue">
        <button type="button" onClick={() => setOpen(true)}>
          Continue this session
        </button>
        <small>as a live session, in the same directory</small>
      </section>
    );
  return (
    <section class="dock" aria-label="Continue">
      <form
        class="composer"
        aria-label="Continue this session"
        ref={(form) => {
          if (form !== null && text === "") form.querySelector("textarea")?.focus();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <PromptBox
          label={`Next prompt for ${row.agent}`}
          placeholder={`What should ${row.agent} do next?`}
          text={text}
          onText={setText}
          onSend={() => void start()}
        />
        <div class="composer-row">
          <span class="turn-state">
            It goes on in a recording of its own, and asks before it acts if it can.
          </span>
          <span class="space" />
          <button type="button" onClick={() => setOpen(false)}>
            Not now
          </button>
          <button type="submit" class="primary" disabled={isStarting || text.trim() === ""}>
            {isStarting ? "Starting…" : "Continue"}
          </button>
        </div>
      </form>
    </section>
  );
}
