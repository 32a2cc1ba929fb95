import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentHere, AgentsHere, NewRun, StartedRun } from "../../../src/server/protocol.js";
import { go } from "../router.js";
import { getJson, postJson } from "../server/api.js";
import { runs } from "../server/live-runs.js";
import { Dialog } from "../ui/dialog.js";
import { say } from "../ui/toast.js";

interface NewRunForm {
  /** The agents and defaults of the chosen directory, once they are known. */
  here: AgentsHere | undefined;
  /** The chosen agent. */
  agent: AgentHere | undefined;
  problem: string;
  isStarting: boolean;
  chooseAgent(id: string): void;
  chooseDirectory(directory: string): void;
  start(form: HTMLFormElement): Promise<void>;
}

function useNewRun(onClose: () => void): NewRunForm {
  const [here, setHere] = useState<AgentsHere | undefined>(undefined);
  const [agent, setAgent] = useState("");
  const [problem, setProblem] = useState("");
  const [isStarting, setStarting] = useState(false);
  /** True: the user chose the agent, so another directory does not change it. */
  const isChosen = useRef(false);

  function load(directory?: string): void {
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
  useEffect(() => load(), []);

  return {
    here,
    agent: here?.agents.find(({ id }) => id === agent),
    problem,
    isStarting,
    chooseAgent(id) {
      isChosen.current = true;
      setAgent(id);
    },
    chooseDirectory: load,
    async start(form) {
      setStarting(true);
      setProblem("");
      try {
        const { id, warnings } = await postJson<StartedRun>("/api/runs", readForm(form, agent));
        for (const warning of warnings) say(warning, true);
        onClose();
        go({ page: "run", id, tab: "timeline" });
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
        setStarting(false);
      }
    },
  };
}

function readForm(form: HTMLFormElement, agent: string): NewRun {
  const field = (name: string): string | undefined => {
    const value = new FormData(form).get(name);
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  };
  return {
    agent,
    prompt: field("prompt") ?? "",
    cwd: field("cwd"),
    model: field("model"),
    // A disabled option is not sent; the server then says what is wrong.
    permissions: permissionsOf(field("permissions")),
  };
}

/** Starts an agent on this machine, as the user who runs the server. */
export function NewRunDialog({ onClose }: { onClose(): void }) {
  const run = useNewRun(onClose);
  const { here, agent, problem, isStarting } = run;
  return (
    <Dialog title="New run" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void run.start(event.currentTarget);
        }}
      >
        <AgentField run={run} />
        {agent?.problem !== undefined && <p class="note">{agent.problem}</p>}
        <label>
          Prompt
          <textarea name="prompt" rows={5} required autofocus placeholder="What should the agent do?" />
        </label>
        <DirectoryField run={run} />
        {here?.notice !== undefined && (
          <p class="note" role="status">
            {here.notice}
          </p>
        )}
        <div class="form-row">
          <PermissionsField run={run} />
          <ModelField run={run} />
        </div>
        <p class="dim">
          The agent works on this machine, as you. With full access, it acts without asking. Empty fields use
          the defaults of <code>harness run</code> in that directory.
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

function AgentField({ run: { here, agent, chooseAgent } }: { run: NewRunForm }) {
  return (
    <label>
      Agent
      <select
        name="agent"
        value={agent?.id ?? ""}
        onChange={({ currentTarget }) => chooseAgent(currentTarget.value)}
      >
        <AgentGroup label="Installed" agents={here?.agents.filter(({ isInstalled }) => isInstalled)} />
        <AgentGroup label="Not installed" agents={here?.agents.filter((each) => !each.isInstalled)} />
      </select>
    </label>
  );
}

function DirectoryField({ run: { here, chooseDirectory } }: { run: NewRunForm }) {
  return (
    <label>
      Directory
      <input
        name="cwd"
        list="directories"
        defaultValue={here?.cwd}
        key={here?.cwd}
        spellcheck={false}
        onChange={({ currentTarget }) => chooseDirectory(currentTarget.value)}
      />
      <Choices id="directories" values={directoriesOf(here)} />
    </label>
  );
}

function PermissionsField({ run: { here, agent } }: { run: NewRunForm }) {
  const canReadOnly = agent?.capabilities.readOnly !== false;
  return (
    <label>
      Permissions
      <select name="permissions" key={here?.permissions}>
        <option value="full-access">Full access: changes files and runs commands without asking</option>
        <option value="read-only" selected={here?.permissions === "read-only"} disabled={!canReadOnly}>
          Read only{canReadOnly ? "" : " (not with this agent)"}
        </option>
      </select>
    </label>
  );
}

function ModelField({ run: { agent } }: { run: NewRunForm }) {
  return (
    <label>
      Model
      <input
        name="model"
        list="models"
        placeholder={agent?.model ?? "the agent’s default"}
        disabled={agent?.capabilities.model === false}
        spellcheck={false}
      />
      <Choices id="models" values={agent?.models ?? []} />
    </label>
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

/** The configured agent, else the one that was used last, else the first that is installed. */
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
