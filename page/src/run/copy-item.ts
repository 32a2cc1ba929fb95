import type { Item } from "../../../src/story/timeline/items.js";
import { eventsOfItem } from "../model/event-place.js";
import type { RunSource } from "../model/run-source.js";
import { copy } from "../ui/copy.js";

/** Copies one event, or an array of events. */
export function copyItemAsJson({ model }: RunSource, item: Item): void {
  const events = eventsOfItem(model, item);
  void copy(JSON.stringify(events.length === 1 ? events[0] : events, null, 2), "JSON");
}

export function copyItemAsMarkdown(_source: RunSource, item: Item, cwd: string): void {
  void (async () => {
    const { renderRows } = await import("../../../src/outputs/markdown/rows.js");
    const { thinOut } = await import("../../../src/story/timeline/thin-out.js");
    const rows = thinOut([item], Number.POSITIVE_INFINITY);
    const text = renderRows(rows, { cwd, answer: undefined, body: Number.POSITIVE_INFINITY }).join("\n\n");
    await copy(text === "" ? `\`\`\`json\n${JSON.stringify(item, null, 2)}\n\`\`\`` : text, "Markdown");
  })();
}

/** Copies the events that are shown, one per line. */
export function copyRunAsJson({ model }: RunSource): void {
  const lines = model.events.slice(0, model.shown).map((event) => JSON.stringify(event));
  void copy(`${lines.join("\n")}\n`, `${lines.length} events`);
}

export function copyRunAsMarkdown({ model, about }: RunSource, cwd: string): void {
  void (async () => {
    const { toMarkdown } = await import("../../../src/outputs/markdown/transcript.js");
    if (about.value === undefined) return;
    const { row, prompt, argv, permissions } = about.value;
    const meta = { ...row, runId: row.id, prompt, argv, permissions, cwd };
    const { id, outcome, files, commands, errors, warnings, costSource, ...rest } = meta;
    const events = model.events.slice(0, model.shown);
    const priced = { ...rest, ...(costSource === "estimated" && { costSource }) };
    await copy(toMarkdown({ meta: priced, outcome: row.outcome, events }), "Transcript");
  })();
}
