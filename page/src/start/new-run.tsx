import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentHere, AgentsHere, NewRun, StartedRun } from "../../../src/server/protocol.js";
import { go } from "../router.js";
import { getJson, postJson } from "../server/api.js";
import { runs } from "../server/live-runs.js";
import { Dialog } from "../ui/dialog.js";
import { say } from "../ui/toast.js";

/** Starts an agent on this machine, as the user who runs the server. */
export function NewRunDialog({ onClose }: { onClose(): void }) {
  const [here, setHere] = useState<AgentsHere | undefined>(undefined);
  const [agent, setAgent] = useState("");
  const [problem, setProblem] = useState("");
  const [isStarting, setStarting] = useState(false);
  /** The agent was chosen by the user: another directory does not change it. */
  const isChosen = useRef(false);
  const chosen = here?.agents.find(({ id }) => id === agent);

  /** What a run in this directory would begin with. */
  function look(directory?: string): void {
    const asked = directory === undefined ? "" : `?cwd=${encodeURIComponent(directory)}`;
    getJson<AgentsHere>(`/api/agents${asked}`).then(
      (found) => {
        setHere(found);
        setProblem("");
        if (!isChosen.current) setAgent(suitableAgent(found));
      },
      (error: Error) => setProblem(error.message),
    );
  }
  useEffect(() => look(), []);

  async function start(form: HTMLFormElement): Promise<void> {
    const field = (name: string): string | undefined => {
      const value = new FormData(form).get(name);
      return typeof value === "string" && value.trim() !== "" ? value : undefined;
    };
    const wanted: NewRun = {
      agent,
      prompt: field("prompt") ?? "",
      cwd: field("cwd"),
      model: field("model"),
      // An option that the agent cannot have is no choice: the server then says so.
      permissions: permissionsOf(field("permissions")),
    };
    setStarting(true);
    setProblem("");
    try {
      const { id, warnings } = await postJson<StartedRun>("/api/runs", wanted);
      for (const warning of warnings) say(warning, true);
      onClose();
      go({ page: "run", id, tab: "timeline" });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setStarting(false);
    }
  }

  return (
    <Dialog title="New run" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void start(event.currentTarget);
        }}
      >
        <label>
          Agent
          <select
            name="agent"
            value={agent}
            onChange={({ currentTarget }) => {
              isChosen.current = true;
              setAgent(currentTarget.value);
            }}
          >
            <AgentGroup label="Installed" agents={here?.agents.filter(({ isInstalled }) => isInstalled)} />
            <AgentGroup label="Not installed" agents={here?.agents.filter((each) => !each.isInstalled)} />
          </select>
        </label>
        {chosen?.problem !== undefined && <p class="note">{chosen.problem}</p>}
        <label>
          Prompt
          <textarea name="prompt" rows={5} required autofocus placeholder="What is the agent to do?" />
        </label>
        <label>
          Directory
          <input
            name="cwd"
            list="directories"
            defaultValue={here?.cwd}
            key={here?.cwd}
            spellcheck={false}
            onChange={({ currentTarget }) => look(currentTarget.value)}
          />
          <Choices id="directories" values={directoriesOf(here)} />
        </label>
        {here?.notice !== undefined && (
          <p class="note" role="status">
            {here.notice}
          </p>
        )}
        <div class="form-row">
          <label>
            Permissions
            <select name="permissions" key={here?.permissions}>
              <option value="full-access">
                Full access: it changes files and runs commands without asking
              </option>
              <option
                value="read-only"
                selected={here?.permissions === "read-only"}
                disabled={chosen?.capabilities.readOnly === false}
              >
                Read only{chosen?.capabilities.readOnly === false ? " (not with this agent)" : ""}
              </option>
            </select>
          </label>
          <label>
            Model
            <input
              name="model"
              list="models"
              placeholder={chosen?.model ?? "the agent’s default"}
              disabled={chosen?.capabilities.model === false}
              spellcheck={false}
            />
            <Choices id="models" values={chosen?.models ?? []} />
          </label>
        </div>
        <p class="dim">
          The agent works on this machine, as you. Full access means that nobody is asked before it acts. What
          is left open is as <code>harness.toml</code> has it.
        </p>
        {problem !== "" && (
          <p class="failure" role="alert">
            {problem}
          </p>
        )}
        <div class="form-end">
          <button type="submit" class="primary" disabled={isStarting || here === undefined}>
            {isStarting ? "Starting…" : "Start"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function AgentGroup({ label, agents = [] }: { label: string; agents?: readonly AgentHere[] | undefined }) {
  if (agents.length === 0) return null;
  return (
    <optgroup label={label}>
      {agents.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

function Choices({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((each) => (
        <option key={each} value={each} />
      ))}
    </datalist>
  );
}

function permissionsOf(text: string | undefined): NewRun["permissions"] {
  return text === "read-only" || text === "full-access" ? text : undefined;
}

/** The one of the configuration, else the one that was used last, else the first that is installed. */
function suitableAgent({ agent, agents }: AgentsHere): string {
  const installed = agents.filter(({ isInstalled }) => isInstalled);
  const last = runs.value.find((row) => installed.some(({ id }) => id === row.agent))?.agent;
  const known = agents.some(({ id }) => id === agent) ? agent : undefined;
  return known ?? last ?? installed[0]?.id ?? agents[0]?.id ?? "";
}

const shownDirectories = 30;

function directoriesOf(here: AgentsHere | undefined): string[] {
  const all = [...(here === undefined ? [] : [here.cwd]), ...runs.value.map(({ cwd }) => cwd)];
  return [...new Set(all)].filter((each) => each !== "").slice(0, shownDirectories);
}
