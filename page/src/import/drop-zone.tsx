import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { go } from "../router.js";
import { Dialog } from "../ui/dialog.js";
import { say } from "../ui/toast.js";
import { keepImported, nextImportId } from "./imported.js";
import type { Log } from "./read-log.js";

const largest = 256 * 1024 * 1024;

interface Dropped {
  log: Log;
  agent: string;
  agents: readonly { id: string; name: string }[];
}

const dropped = signal<Dropped | undefined>(undefined);

/** Lets the user choose a file instead of dropping one. */
export function chooseLog(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => void openLog(input.files?.[0]);
  input.click();
}

async function openLog(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  if (file.size > largest) {
    say("That file is too large for the page; read it with harness translate.", true);
    return;
  }
  // The translators are loaded on demand.
  const { parseLog, detectAgent } = await import("./read-log.js");
  const { agents } = await import("../../../src/agents/registry.js");
  const log = parseLog(file.name, await file.text());
  if (log.lines.length === 0) say(`${file.name} is empty.`, true);
  else dropped.value = { log, agent: detectAgent(log), agents };
}

/** Opens files that are dropped anywhere on the page. They stay in the browser. */
export function DropZone() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      void openLog(event.dataTransfer?.files[0]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return (
    <>
      {isOver && (
        <div class="drop-zone" aria-hidden="true">
          <p>Drop an agent’s log or a raw.jsonl</p>
        </div>
      )}
      {dropped.value !== undefined && (
        <ImportDialog
          dropped={dropped.value}
          onClose={() => {
            dropped.value = undefined;
          }}
        />
      )}
    </>
  );
}

function ImportDialog({ dropped, onClose }: { dropped: Dropped; onClose(): void }) {
  const { log, agents } = dropped;
  const [agent, setAgent] = useState(dropped.agent);
  const show = async (): Promise<void> => {
    const { importLog } = await import("./read-log.js");
    const source = importLog(log, agent, nextImportId());
    keepImported(source);
    onClose();
    go({ page: "run", id: source.id, tab: "timeline" });
  };
  return (
    <Dialog title="Open a log" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void show();
        }}
      >
        <p>
          <code>{log.name}</code>: {log.lines.length.toLocaleString("en-US")} lines
          {log.records === undefined ? " of an agent’s own output" : " of a recording"}.
        </p>
        <label>
          Agent
          <select value={agent} onChange={({ currentTarget }) => setAgent(currentTarget.value)}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
                {id === dropped.agent ? " (recognised)" : ""}
              </option>
            ))}
          </select>
        </label>
        <p class="dim">The log is read in the browser and not stored.</p>
        <div class="form-end">
          <button type="submit" class="primary" autofocus>
            Show
          </button>
        </div>
      </form>
    </Dialog>
  );
}
