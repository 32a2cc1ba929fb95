import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { RunRow } from "../../../src/server/protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatNumberOf } from "../../../src/text/numbers.js";
import { go } from "../router.js";
import { deleteRun, runPath } from "../server/api.js";
import { Dialog } from "../ui/dialog.js";
import { say } from "../ui/toast.js";

/** The ids of the chosen runs, in the order in which they were chosen. */
export const chosen = signal<readonly string[]>([]);

/** More runs do not fit beside each other. */
export const mostCompared = 6;
const mostExported = 50;
/** Browsers drop downloads that come at once. */
const downloadMs = 350;

export function choose(id: string): void {
  const others = chosen.value.filter((each) => each !== id);
  chosen.value = others.length < chosen.value.length ? others : [...others, id];
}

export function compareChosen(): void {
  const ids = chosen.value;
  if (ids.length >= 2 && ids.length <= mostCompared) go({ page: "compare", ids });
}

/** What can be done with the chosen runs. `rows`: the runs that are shown. */
export function ChosenBar({ rows }: { rows: readonly RunRow[] }) {
  const [isDeleting, setDeleting] = useState(false);
  const count = chosen.value.length;
  const canCompare = count >= 2 && count <= mostCompared;
  return (
    <div class="choice" role="status">
      <b>{formatNumberOf(count, "run")} chosen</b>
      <button
        type="button"
        class="primary"
        disabled={!canCompare}
        title={`2 to ${mostCompared} runs, side by side (c)`}
        onClick={compareChosen}
      >
        Compare
      </button>
      <select
        aria-label="Export the chosen runs"
        value=""
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = "";
          void exportAll(chosen.value, value);
        }}
      >
        <option value="">Export as…</option>
        <option value="html">HTML</option>
        <option value="markdown">Markdown</option>
        <option value="json">JSON</option>
      </select>
      <button type="button" class="danger" onClick={() => setDeleting(true)}>
        Delete…
      </button>
      <span class="space" />
      {rows.some(({ id }) => !chosen.value.includes(id)) && (
        <button
          type="button"
          onClick={() => {
            chosen.value = [...new Set([...chosen.value, ...rows.map(({ id }) => id)])];
          }}
        >
          Choose all {rows.length}
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          chosen.value = [];
        }}
      >
        Clear
      </button>
      {isDeleting && <DeleteDialog rows={rows} onClose={() => setDeleting(false)} />}
    </div>
  );
}

async function exportAll(ids: readonly string[], format: string): Promise<void> {
  if (format === "") return;
  if (ids.length > mostExported) say(`Only the first ${mostExported} runs are exported.`);
  for (const [index, id] of ids.slice(0, mostExported).entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, downloadMs));
    const link = document.createElement("a");
    link.href = `${runPath(id)}/export/${format}`;
    link.download = "";
    link.click();
  }
}

/** Recordings cannot be brought back, so the dialog says which ones go. */
function DeleteDialog({ rows, onClose }: { rows: readonly RunRow[]; onClose(): void }) {
  const [isBusy, setBusy] = useState(false);
  const all = chosen.value.map((id) => rows.find((row) => row.id === id) ?? { id, prompt: id, outcome: "" });
  const running = all.filter(({ outcome }) => outcome === "running");
  const going = all.filter(({ outcome }) => outcome !== "running");
  const remove = async (): Promise<void> => {
    setBusy(true);
    const failed: string[] = [];
    for (const { id } of going)
      await deleteRun(id).then(
        () => {
          chosen.value = chosen.value.filter((each) => each !== id);
        },
        (error: Error) => failed.push(error.message),
      );
    say(`${formatNumberOf(going.length - failed.length, "recording")} deleted`);
    for (const message of failed.slice(0, 2)) say(message, true);
    onClose();
  };
  return (
    <Dialog title={`Delete ${formatNumberOf(going.length, "recording")}?`} onClose={onClose}>
      <div class="form">
        <p>
          The recordings are removed from this machine. This cannot be undone. What the agents did to files
          stays.
        </p>
        <ul class="going">
          {going.slice(0, 8).map(({ id, prompt }) => (
            <li key={id} dir="auto">
              {toVisibleLine(prompt || id, 80)}
            </li>
          ))}
          {going.length > 8 && <li>and {going.length - 8} more</li>}
        </ul>
        {running.length > 0 && (
          <p class="note">{formatNumberOf(running.length, "run")} under way: kept. Stop it first.</p>
        )}
        <div class="form-end">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <button
            type="button"
            class="danger"
            disabled={isBusy || going.length === 0}
            onClick={() => void remove()}
          >
            {isBusy ? "Deleting…" : "Delete"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
