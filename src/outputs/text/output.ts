import type { Output, OutputDefinition, OutputOptions } from "../contract.js";
import type { CreateRowMaker } from "./row-maker.js";
import type { TextView } from "./text-view.js";

/** Rows for people, each when it is finished. A terminal that can move its cursor has a live row as well: `live-writer.ts`. */
export const textOutput = {
  name: "text",
  summary: "rows for people: what the agent says and does",
  isForPeople: true,
  extensions: [".txt"],
  open: createTextOutput,
} as const satisfies OutputDefinition;

async function createTextOutput(options: OutputOptions = {}): Promise<Output> {
  const { createPlainWriter, paintRows } = await import("./plain-writer.js");
  const { hasColors = false } = options;
  const view = await openTextView(options);
  const write = createPlainWriter(view, hasColors);
  return {
    push: (steps) => [steps.map(({ events }) => write(events)).join("")],
    end: () => [paintRows(view.end(), hasColors)],
  };
}

/** The rows of one run, as wide as the terminal, with Markdown rendered; in a file or a pipe, as long as they are, as it was written. */
export async function openTextView(options: OutputOptions): Promise<TextView> {
  const { createTextView } = await import("./text-view.js");
  const {
    columns = Number.POSITIVE_INFINITY,
    agentName,
    home,
    prompt,
    permissions,
    recording,
    showsThinking,
    check,
  } = options;
  const createRows = Number.isFinite(columns) ? await loadMarkdown(options.hasColors ?? false) : undefined;
  return createTextView({
    columns,
    agentName,
    home,
    prompt,
    permissions,
    recording,
    createRows,
    showsThinking,
    check,
  });
}

async function loadMarkdown(hasColors: boolean): Promise<CreateRowMaker> {
  const { createMarkdownRows } = await import("./markdown/markdown-rows.js");
  return (columns) => createMarkdownRows(columns, hasColors);
}
