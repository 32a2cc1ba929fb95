import { InvalidArgumentError } from "commander";
import { outputNames } from "../../outputs/registry.js";
import { recordingOutcomes } from "../../runs/archive/recording.js";
import type { ArgumentDeclaration, FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand, defineGroup } from "../define-command.js";
import { notEmpty, positiveInteger } from "../option-values.js";
import { directoryOptions, moment, periodOptions } from "../run-filters.js";
import { outputOption, printedTargets } from "../running/output-targets.js";
import {
  formatOption,
  jobsOption,
  jsonOption,
  otlpOptions,
  refuseIdleThinking,
  thinkingOption,
} from "../shared-options.js";
import { importLogs } from "./import-command.js";

const idHelp = 'the id or the beginning of it, or "last"';
const idArgument = { name: "<id>", description: idHelp } as const satisfies ArgumentDeclaration;

const listOptions = [
  { flags: "-a, --agent <name>", description: "only runs of this agent", parse: notEmpty },
  { flags: "--outcome <outcome>", description: "only runs with this outcome", choices: recordingOutcomes },
  {
    flags: "-m, --model <name>",
    description: "only runs with a model whose name has this in it",
    parse: notEmpty,
  },
  ...directoryOptions,
  ...periodOptions,
  { flags: "-n, --limit <n>", description: "list at most this many", parse: positiveInteger, default: 20 },
  { flags: "--all", description: "list all of them, whatever --limit says, runs of batches too" },
  {
    flags: "--batch <id>",
    description: "only runs of this batch, by its id or the beginning of it",
    parse: notEmpty,
  },
  jsonOption,
] as const satisfies readonly OptionDeclaration[];
export type ListFlags = FlagsOf<typeof listOptions>;

const list = defineCommand({
  name: "list",
  description: "list recorded runs, newest first",
  options: listOptions,
  help: `Runs that belong to a batch are left out unless --all or --batch asks for them.

Examples:
  harness sessions list --outcome failed --since 2d
  harness sessions list --here --agent codex --days 7
  harness sessions list --model opus --all --json | jq '[.[].costUsd] | add'`,
  run: async ({ flags }) => (await import("./list.js")).listRecordingsAction(flags),
});

const showOptions = [jsonOption] as const satisfies readonly OptionDeclaration[];
export type ShowFlags = FlagsOf<typeof showOptions>;

const show = defineCommand({
  name: "show",
  description: "show what a recorded run did, how it ended, and what it took",
  arguments: [idArgument],
  options: showOptions,
  help: `Examples:
  harness sessions show last
  harness sessions show 20261115-19 --json | jq .filesWritten`,
  run: async ({ flags, words: [id] }) => (await import("./show.js")).showAction(id, flags),
});

const replayOptions = [
  {
    flags: formatOption.flags,
    description: `how to print it (default: ${formatOption.defaultText})`,
    choices: outputNames,
  },
  outputOption,
  thinkingOption,
  {
    flags: "--speed <factor>",
    description: "1 is the original speed, 10 is ten times as fast, max is without pauses",
    parse: speed,
    default: 1,
  },
] as const satisfies readonly OptionDeclaration[];
export type ReplayFlags = FlagsOf<typeof replayOptions>;

const replay = defineCommand({
  name: "replay",
  description: "play a recorded run again, with its original timing",
  arguments: [idArgument],
  options: replayOptions,
  help: `Examples:
  harness sessions replay last --speed 10
  harness sessions replay 20261115-19 --format events --speed max`,
  async run({ flags, words: [id], refuse }) {
    const targets = printedTargets(flags);
    refuseIdleThinking({ flags: { ...flags, ...targets }, refuse });
    return (await import("./replay.js")).replayAction(id, flags, targets);
  },
});

const exportOptions = [
  {
    flags: "-f, --format <format>",
    description: "what to write (default: what the extension of the file says, else markdown)",
    choices: outputNames,
  },
  {
    ...outputOption,
    description:
      "write this output, to a file if one is named: run.html, atif=run.json (repeatable); with several runs, html=DIR/ writes a file for each",
  },
  {
    flags: "-o, --output-file <file>",
    description: "where to write it; standard output if left out",
    parse: notEmpty,
  },
  { flags: "--full", description: "shorten nothing, however long the document becomes" },
  { flags: "--all", description: "all runs that the next options choose, those of batches too" },
  { flags: "-a, --agent <name>", description: "with --all: only runs of this agent", parse: notEmpty },
  {
    flags: "--outcome <outcome>",
    description: "with --all: only runs with this outcome",
    choices: recordingOutcomes,
  },
  ...directoryOptions,
  ...periodOptions,
  jobsOption,
  ...otlpOptions,
] as const satisfies readonly OptionDeclaration[];
export type ExportFlags = FlagsOf<typeof exportOptions>;

const exportRun = defineCommand({
  name: "export",
  description: "write a recorded run as a document or a stream",
  arguments: [{ name: "[id...]", description: `which runs: ${idHelp}` }],
  options: exportOptions,
  help: `With --output, a recording is read once for all of them. Several runs are read at the same time and printed one after the other, in the order
in which they are named; with --all, the oldest first. A run that cannot be read is reported; the others go on, and the exit code is 1.

Examples:
  harness sessions export last -o run.html       one page that opens offline
  harness sessions export last > run.md          a transcript for a pull request
  harness sessions export last --output run.html --output run.atif.json
  harness sessions export last --otlp            its spans, to a collector on this machine
  harness sessions export --all --since 7d --output html=pages/
  harness sessions export --all --here --format json | jq -s 'map(.costUsd) | add'`,
  async run({ flags, words: [ids], refuse }) {
    refuseBothWays(flags, refuse);
    const problem = choiceProblem(ids, flags);
    if (problem !== undefined) return refuse(problem);
    const [id] = ids;
    if (id === undefined || ids.length > 1) return (await import("./export-many.js")).exportMany(ids, flags);
    return (await import("./export.js")).exportAction(id, flags);
  },
});

/** Which runs are meant must be certain: they are named, or `--all` chooses them. */
function choiceProblem(ids: readonly string[], flags: ExportFlags): string | undefined {
  const filters = {
    agent: "--agent",
    outcome: "--outcome",
    cwd: "--cwd",
    here: "--here",
    since: "--since",
    until: "--until",
    days: "--days",
  };
  const idle = Object.entries(filters).find(([key]) => flags[key as keyof typeof filters] !== undefined);
  if (!flags.all && idle !== undefined) return `${idle[1]} only counts with --all`;
  if (!flags.all && ids.length === 0) return 'name a run by its id, or "last", or choose runs with --all';
  if (flags.all && ids.length > 0) return "--all chooses runs by itself; leave the ids out, or --all";
  if (flags.outputFile !== undefined && ids.length !== 1)
    return "--output-file is one file, and every run needs a file of its own; write --output html=DIR/";
  return undefined;
}

/** A run is written or sent. */
function refuseBothWays(flags: ExportFlags, refuse: (sentence: string) => never): void {
  const { otlp, format, output = [], outputFile, full, otlpContents } = flags;
  if (otlp && (format !== undefined || output.length > 0 || outputFile !== undefined || full))
    refuse(
      "--otlp sends the run and writes nothing; leave --format, --output, --output-file and --full out, or --otlp",
    );
  const isWritten = format === "otlp" || output.some((target) => target.startsWith("otlp"));
  if (otlpContents && !otlp && !isWritten)
    refuse("--otlp-contents says what spans contain; add --otlp to send them, or --format otlp");
}

const diffOptions = [
  { flags: "--stat", description: "only the files, with the number of lines" },
  { ...jsonOption, description: "the list of files as JSON" },
] as const satisfies readonly OptionDeclaration[];
export type DiffFlags = FlagsOf<typeof diffOptions>;

const diff = defineCommand({
  name: "diff",
  description: "print what a recorded run changed",
  arguments: [idArgument],
  options: diffOptions,
  help: `In a git workspace this is a patch: what was changed before the run is not part of it. Elsewhere it is what the agent's edits said.

Examples:
  harness sessions diff last --stat
  harness sessions diff last | git apply -R     take back what the run changed`,
  run: async ({ flags, words: [id] }) => (await import("./diff.js")).diffAction(id, flags),
});

const remove = defineCommand({
  name: "rm",
  description: "remove recorded runs",
  arguments: [{ name: "<id...>", description: idHelp }],
  help: `If one of them cannot be found or is still running, none is removed.

Example:
  harness sessions rm 20261115-19 20261114-2`,
  run: async ({ words: [ids] }) => (await import("./remove.js")).removeAction(ids),
});

const pruneOptions = [
  {
    flags: "--older-than <age>",
    description: "remove runs that started before: 30d, 12w, or a date",
    parse: moment,
    isRequired: true,
  },
  { flags: "--dry-run", description: "only say what would be removed" },
] as const satisfies readonly OptionDeclaration[];
export type PruneFlags = FlagsOf<typeof pruneOptions>;

const prune = defineCommand({
  name: "prune",
  description: "remove old recorded runs",
  options: pruneOptions,
  help: `Example:
  harness sessions prune --older-than 30d --dry-run`,
  run: async ({ flags }) => (await import("./remove.js")).pruneAction(flags),
});

export const sessionsCommand = defineGroup({
  name: "sessions",
  description: "list, show, diff, replay, export, import and remove runs",
  commands: [list, show, diff, replay, exportRun, importLogs, remove, prune],
  help: `Every run is recorded unless --no-log says otherwise. Its id can be shortened to any unique beginning; "last" is the
newest run. harness stats sums up what runs cost, and harness view shows them in a browser.

Examples:
  harness sessions list --outcome failed --days 7
  harness sessions show last
  harness sessions export last -o run.html
  harness run --resume last "And now the docs"`,
});

function speed(text: string): number {
  const factor = text === "max" ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() !== "" && factor > 0) return factor;
  throw new InvalidArgumentError("It must be a number above 0, or max.");
}
