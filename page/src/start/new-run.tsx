import { useEffect, useState } from "preact/hooks";
import type { AgentsHere, NewRun } from "../../../src/view/protocol.js";
import { go } from "../router.js";
import { getJson, postJson } from "../server/api.js";
import { runs } from "../server/live-runs.js";
import { Dialog } from "../ui/dialog.js";

/** Starts an agent on this machine, as the user who runs the server. */
export function NewRunDialog({ onClose }: { onClose(): void }) {
  const [here, setHere] = useState<AgentsHere | undefined>(undefined);
  const [agent, setAgent] = useState("");
  const [problem, setProblem] = useState("");
  const [isStarting, setStarting] = useState(false);
  useEffect(() => {
    getJson<AgentsHere>("/api/agents").then(
      (found) => {
        setHere(found);
        const last = runs.value.find((row) =>
          found.agents.some(({ id, isInstalled }) => isInstalled && id === row.agent),
        );
        setAgent(
          (last?.agent ?? found.agents.find(({ isInstalled }) => isInstalled)?.id ?? found.agents[0]?.id) ||
            "",
        );
      },
      (error: Error) => setProblem(error.message),
    );
  }, []);
  const chosen = here?.agents.find(({ id }) => id === agent);
  const directories = [...new Set([here?.cwd ?? "", ...runs.value.map(({ cwd }) => cwd)])].filter(
    (each) => each !== "",
  );

  async function start(form: HTMLFormElement): Promise<void> {
    const field = (name: string): string | undefined => {
      const value = new FormData(form).get(name);
      return typeof value === "string" && value.trim() !== "" ? value : undefined;
    };
    const permissions = field("permissions") === "read-only" ? "read-only" : "full-access";
    const wanted: NewRun = {
      agent,
      prompt: field("prompt") ?? "",
      cwd: field("cwd"),
      model: field("model"),
      permissions,
    };
    setStarting(true);
    setProblem("");
    try {
      const { id } = await postJson<{ id: string }>("/api/runs", wanted);
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
          <select name="agent" value={agent} onChange={({ currentTarget }) => setAgent(currentTarget.value)}>
            {here?.agents.map(({ id, name, isInstalled }) => (
              <option key={id} value={id}>
                {name}
                {isInstalled ? "" : " (not installed)"}
              </option>
            ))}
          </select>
        </label>
        {chosen?.problem !== undefined && <p class="note">{chosen.problem}</p>}
        <label>
          Prompt
          <textarea name="prompt" rows={5} required autofocus placeholder="What is the agent to do?" />
        </label>
        <label>
          Directory
          <input name="cwd" list="directories" defaultValue={here?.cwd} key={here?.cwd} spellcheck={false} />
          <datalist id="directories">
            {directories.slice(0, 30).map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
        <div class="form-row">
          <label>
            Permissions
            <select name="permissions">
              <option value="full-access">Full access</option>
              <option value="read-only" disabled={chosen?.capabilities.readOnly === false}>
                Read only{chosen?.capabilities.readOnly === false ? " (not with this agent)" : ""}
              </option>
            </select>
          </label>
          <label>
            Model
            <input
              name="model"
              placeholder="the agent’s default"
              disabled={chosen?.capabilities.model === false}
            />
          </label>
        </div>
        <p class="dim">
          The agent works on this machine, as you. Full access means that nobody is asked before it acts.
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
