import { HarnessError } from "../../errors.js";
import type { FileChange } from "../../events/changes.js";
import type { HarnessEvent } from "../../events/event.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { createReplay } from "../../runs/archive/replay.js";
import { readPatchBytes } from "../../runs/recording/read-patch.js";
import { patchOfEdits } from "../../story/changed-files.js";
import { createSummary } from "../../story/create-summary.js";
import type { ChangedFiles } from "../../story/run-summary.js";
import { cleanText } from "../../text/clean-text.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import type { DiffFlags } from "./command.js";
import { readerOf } from "./recorded-agent.js";

/** Prints what a recorded run changed: the patch, or the list of files. */
export async function diffAction(id: string, flags: DiffFlags): Promise<number> {
  const recording = await recordings.find(id);
  const events = await eventsOf(recording);
  const summary = createSummary();
  for (const event of events) summary.add(event);
  const { changes } = summary.read();
  if (changes === undefined) throw nothingKnown(recording);
  const output = createOutput(process.stdout);
  if (flags.json) await output.printJson(changes);
  else if (flags.stat) await output.print(statOf(changes));
  else await printPatch(recording, changes, events);
  return 0;
}

async function eventsOf(recording: Recording): Promise<HarnessEvent[]> {
  const events: HarnessEvent[] = [];
  for await (const event of createReplay(recording, readerOf(recording))) events.push(event);
  return events;
}

function nothingKnown({ id, outcome }: Recording): HarnessError {
  const when =
    outcome === "running" ? "it is still running" : "it was not in a git workspace, and made no edits";
  return new HarnessError("no_changes", `what ${id} changed is not known: ${when}`);
}

async function printPatch(
  recording: Recording,
  changes: ChangedFiles,
  events: readonly HarnessEvent[],
): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const output = createOutput(process.stdout);
  const bytes = changes.source === "git" ? readPatchBytes(recording.paths.patch) : undefined;
  const patch = bytes ?? Buffer.from(patchOfEdits(events) ?? "");
  if (bytes === undefined)
    complain(
      changes.insertions === 0 && changes.deletions === 0
        ? `the edits of ${recording.id} name files, and not the lines; runs in a git repository record a whole diff`
        : `this is what the edits of ${recording.id} said; it is for reading, and cannot be applied`,
    );
  else if (patch.length === 0) complain(`${recording.id} changed nothing`);
  if (changes.isCut) complain("the patch was too large: it does not have all of the changes");
  // For `git apply`, every byte counts.
  if (!isTerminal) return void (await output.write(patch));
  const hasColors = hasColorSupport({ env: process.env, isTerminal });
  const lines = cleanText(patch.toString("utf8")).split("\n");
  await output.write(lines.map((line) => (hasColors ? colored(line) : line)).join("\n"));
}

const colors: readonly [RegExp, string][] = [
  [/^(?:diff --git |index |--- |\+\+\+ |(?:new|deleted|old) |rename |similarity )/, "1"],
  [/^@@/, "36"],
  [/^\+/, "32"],
  [/^-/, "31"],
];

function colored(line: string): string {
  const color = colors.find(([pattern]) => pattern.test(line))?.[1];
  return color === undefined ? line : `\u001b[${color}m${line}\u001b[0m`;
}

function statOf({ files, moreFiles = 0, insertions, deletions }: ChangedFiles): string {
  const rows = files.map((file) => [toVisibleLine(nameOf(file), 200), numbersOf(file)] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const all = formatNumberOf(files.length + moreFiles, "file");
  return [
    ...rows.map(([name, numbers]) => `${name.padEnd(width)}  ${numbers}`),
    ...(moreFiles > 0 ? [`and ${formatCount(moreFiles)} more`] : []),
    `${all} changed, +${formatCount(insertions)} −${formatCount(deletions)}`,
    "",
  ].join("\n");
}

function nameOf({ path, from }: FileChange): string {
  return from === undefined ? path : `${from} → ${path}`;
}

function numbersOf({ kind, insertions, deletions, isBinary }: FileChange): string {
  const isUncounted = insertions === 0 && deletions === 0;
  const lines = isUncounted ? "" : `+${formatCount(insertions)} −${formatCount(deletions)}`;
  const numbers = isBinary ? "binary" : lines;
  return [numbers, ...(kind === "modified" ? [] : [kind])].filter((word) => word !== "").join("  ");
}
