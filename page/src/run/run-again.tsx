import { useState } from "preact/hooks";
import type { Permissions } from "../../../src/agents/definition.js";
import type { NewRun, RunAbout, StartedRun } from "../../../src/server/protocol.js";
import { go } from "../router.js";
import { postJson } from "../server/api.js";
import { copy } from "../ui/copy.js";
import { say } from "../ui/toast.js";
import { resumeCommand, runCommand } from "./run-command.js";

/** Starts the same run again, or lets the agent go on in its session. */
export function RunAgain({ about, id }: { about: RunAbout; id: string }) {
  const [isResuming, setResuming] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const canStart = permissionsOf(about) !== undefined && about.prompt.trim() !== "";
  const start = async (wanted: NewRun): Promise<void> => {
    setStarting(true);
    try {
      const started = await postJson<StartedRun>("/api/runs", wanted);
      for (const warning of started.warnings) say(warning);
      go({ page: "run", id: started.id, tab: "timeline" });
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
    } finally {
      setStarting(false);
    }
  };
  return (
    <div class="again">
      <div class="again-buttons">
        {canStart && (
          <button
            type="button"
            class="primary"
            disabled={isStarting}
            title="The same prompt in the same directory"
            onClick={() => void start(taskOf(about))}
          >
            Run again
          </button>
        )}
        {canResume(about) && (
          <button type="button" aria-expanded={isResuming} onClick={() => setResuming(!isResuming)}>
            Resume
          </button>
        )}
        <button type="button" class="quiet" onClick={() => void copy(runCommand(about), "Command")}>
          Copy command
        </button>
      </div>
      {isResuming && (
        <ResumeForm
          isStarting={isStarting}
          onCopy={(prompt) => void copy(resumeCommand(id, prompt), "Command")}
          onSend={(prompt) => void start({ ...taskOf(about), prompt, resume: id })}
        />
      )}
    </div>
  );
}

interface ResumeFormProps {
  isStarting: boolean;
  onSend(prompt: string): void;
  onCopy(prompt: string): void;
}

function ResumeForm({ isStarting, onSend, onCopy }: ResumeFormProps) {
  const [prompt, setPrompt] = useState("Go on.");
  return (
    <form
      class="resume"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(prompt);
      }}
    >
      <label>
        What to say to the agent in its session
        <textarea rows={2} value={prompt} onInput={({ currentTarget }) => setPrompt(currentTarget.value)} />
      </label>
      <div class="again-buttons">
        <button type="submit" class="primary" disabled={isStarting || prompt.trim() === ""}>
          Send
        </button>
        <button type="button" class="quiet" onClick={() => onCopy(prompt)}>
          Copy command
        </button>
      </div>
    </form>
  );
}

/** The agent can only go on in a session of its own that it has named. */
function canResume(about: RunAbout): boolean {
  return about.sessionId !== undefined && permissionsOf(about) !== undefined;
}

const known: readonly Permissions[] = ["full-access", "read-only"];

/** Another mode cannot be asked for here. To leave it out would mean full access. */
function permissionsOf({ permissions }: RunAbout): Permissions | undefined {
  return known.find((each) => each === permissions);
}

function taskOf(about: RunAbout): NewRun {
  const { row, prompt, argv } = about;
  // A model that was not asked for is the agent's own choice, which may be another one by now.
  const { model } = row;
  const isAsked = model !== undefined && argv.some((each) => each.includes(model));
  return {
    agent: row.agent,
    prompt,
    cwd: row.cwd,
    permissions: permissionsOf(about),
    ...(isAsked && { model }),
  };
}
