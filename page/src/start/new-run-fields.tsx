import { useRef } from "preact/hooks";
import type { AgentHere, AgentsHere } from "../../../src/server/protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { runs } from "../server/live-runs.js";
import { copy } from "../ui/copy.js";
import type { NewRunForm } from "./new-run.js";

export function AgentField({ run: { here, agent, chooseAgent } }: { run: NewRunForm }) {
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

export function DirectoryField({ run: { here, chooseDirectory } }: { run: NewRunForm }) {
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

/** What the agent may do. A live session can ask. */
export function PermissionsField({ run: { here, agent, isLive } }: { run: NewRunForm }) {
  const canReadOnly = agent?.capabilities.readOnly !== false;
  const canAsk = agent?.live?.ask === true;
  const configured = here?.livePermissions;
  const first = isLive ? (configured ?? (canAsk ? "ask" : "full-access")) : here?.permissions;
  return (
    <label>
      Permissions
      {/* Another agent or kind of run begins with its own default again. */}
      <select name="permissions" key={`${agent?.id} ${isLive} ${first}`}>
        {isLive && configured === "rules" && (
          <option value="rules" selected={first === "rules"} disabled={!canAsk}>
            Rules of the configuration, and asks about the rest
          </option>
        )}
        {isLive && (
          <option value="ask" selected={first === "ask"} disabled={!canAsk}>
            Asks before it acts{canAsk ? "" : " (this agent cannot ask)"}
          </option>
        )}
        <option value="full-access" selected={first === "full-access"}>
          Full access
        </option>
        <option value="read-only" selected={first === "read-only"} disabled={!canReadOnly}>
          Read only{canReadOnly ? "" : " (not with this agent)"}
        </option>
      </select>
    </label>
  );
}

export function ModelField({ run: { agent } }: { run: NewRunForm }) {
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
      {agents.map(({ id, name, isInstalled }) => (
        <option key={id} value={id}>
          {isInstalled ? name : `${name} (not installed)`}
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

/** Why the agent cannot be run here, and the command that installs it. */
export function NotInstalled({ agent: { problem, install } }: { agent: AgentHere }) {
  return (
    <p class="note">
      {problem}{" "}
      {install !== "" && (
        <button type="button" class="link copy-install" onClick={() => void copy(install, "The command")}>
          Copy the command
        </button>
      )}
    </p>
  );
}

/** One run that ends by itself, or a conversation. */
export function KindField({ run: { agent, isLive, setLive } }: { run: NewRunForm }) {
  const canLive = agent?.live !== undefined;
  return (
    <fieldset class="kinds">
      <legend class="visually-hidden">Kind of run</legend>
      <label>
        <input type="radio" name="kind" checked={!isLive} onChange={() => setLive(false)} />
        <span>
          One run <small>ends with its answer</small>
        </span>
      </label>
      <label>
        <input type="radio" name="kind" checked={isLive} disabled={!canLive} onChange={() => setLive(true)} />
        <span>
          Live session{" "}
          <small>
            {canLive ? "asks, and takes more prompts" : "not with this agent: it cannot be talked with"}
          </small>
        </span>
      </label>
    </fieldset>
  );
}

export function PromptField() {
  const field = useRef<HTMLTextAreaElement>(null);
  const recent = recentPrompts();
  return (
    <>
      <label>
        Prompt
        <textarea
          ref={field}
          name="prompt"
          rows={5}
          required
          autofocus
          placeholder="What should the agent do?"
        />
      </label>
      {recent.length > 0 && (
        <select
          class="recent"
          aria-label="Recent prompts"
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = "";
            if (field.current === null || value === "") return;
            field.current.value = value;
            field.current.focus();
          }}
        >
          <option value="">Recent prompts…</option>
          {recent.map((prompt) => (
            <option key={prompt} value={prompt}>
              {toVisibleLine(prompt, 90)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

const shownPrompts = 15;

/** The newest prompts, each once. Those that came shortened are left out. */
function recentPrompts(): string[] {
  const all = runs.value.filter(({ batch, isDemo }) => batch === undefined && !isDemo);
  const whole = all.map(({ prompt }) => prompt).filter((each) => each !== "" && !each.endsWith("…"));
  return [...new Set(whole.slice(0, 200))].slice(0, shownPrompts);
}

const shownDirectories = 30;

function directoriesOf(here: AgentsHere | undefined): string[] {
  const all = [...(here === undefined ? [] : [here.cwd]), ...runs.value.map(({ cwd }) => cwd)];
  return [...new Set(all)].filter((each) => each !== "").slice(0, shownDirectories);
}
