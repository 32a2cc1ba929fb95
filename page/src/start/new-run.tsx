import { useEffect, useRef, useState } from "preact/hooks";
import type { PermissionMode } from "../../../src/agents/definition.js";
import type { AgentHere, AgentsHere, NewSession, StartedRun } from "../../../src/server/protocol.js";
import { go } from "../router.js";
import { getJson, postJson } from "../server/api.js";
import { runs } from "../server/live-runs.js";
import { Dialog } from "../ui/dialog.js";
import { say } from "../ui/toast.js";
import {
  AgentField,
  DirectoryField,
  KindField,
  ModelField,
  NotInstalled,
  PermissionsField,
  PromptField,
} from "./new-run-fields.js";

export interface NewRunForm {
  /** The agents and defaults of the chosen directory, once they are known. */
  here: AgentsHere | undefined;
  /** The chosen agent. */
  agent: AgentHere | undefined;
  problem: string;
  isStarting: boolean;
  /** True: a live session, which asks and takes more prompts. */
  isLive: boolean;
  setLive(isLive: boolean): void;
  chooseAgent(id: string): void;
  chooseDirectory(directory: string): void;
  start(form: HTMLFormElement): Promise<void>;
}

function useNewRun(onClose: () => void): NewRunForm {
  const [here, setHere] = useState<AgentsHere | undefined>(undefined);
  const [agent, setAgent] = useState("");
  const [problem, setProblem] = useState("");
  const [isStarting, setStarting] = useState(false);
  const [wantsLive, setLive] = useState(false);
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

  const chosen = here?.agents.find(({ id }) => id === agent);
  const isLive = wantsLive && chosen?.live !== undefined;
  return {
    here,
    agent: chosen,
    problem,
    isStarting,
    isLive,
    setLive,
    chooseAgent(id) {
      isChosen.current = true;
      setAgent(id);
    },
    chooseDirectory: load,
    async start(form) {
      setStarting(true);
      setProblem("");
      try {
        const { id, warnings } = await postJson<StartedRun>(
          isLive ? "/api/sessions" : "/api/runs",
          readForm(form, agent),
        );
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

function readForm(form: HTMLFormElement, agent: string): NewSession {
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
    permissions: modes.find((mode) => mode === field("permissions")),
  };
}

/** `rules` is not among them: left out, the configuration decides. */
const modes: readonly PermissionMode[] = ["full-access", "read-only", "ask"];

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
        {agent?.problem !== undefined && <NotInstalled agent={agent} />}
        <KindField run={run} />
        <PromptField />
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
          {run.isLive && " A live session goes on until you end it, or until harness view stops."}
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

/** The configured agent, else the one that was used last, else the first that is installed. */
function suitableAgent({ agent, agents }: AgentsHere): string {
  const installed = agents.filter(({ isInstalled }) => isInstalled);
  const last = runs.value.find((row) => installed.some(({ id }) => id === row.agent))?.agent;
  const known = agents.some(({ id }) => id === agent) ? agent : undefined;
  return known ?? last ?? installed[0]?.id ?? agents[0]?.id ?? "";
}
