import { InvalidArgumentError } from "commander";
import type { ArgumentDeclaration, FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty, positiveInteger, toPositiveNumber } from "../option-values.js";
import { withQueue } from "../queue-address.js";
import { jsonOption, trustOption } from "../shared-options.js";
import { reportExtensions } from "./report-formats.js";

const directoryOption = {
  flags: "--directory <directory>",
  description: "where batches are kept, instead of your data directory",
  parse: notEmpty,
} as const satisfies OptionDeclaration;

const idArgument = {
  name: "[id]",
  description: "the id of a batch or the beginning of it, or its directory (default: the newest)",
} as const satisfies ArgumentDeclaration;

/** What a new batch and a resumed one have in common. */
const runningOptions = [
  { flags: "--concurrency <n>", description: "how many runs at once", parse: positiveInteger },
  {
    flags: "--budget-usd <amount>",
    description: "start no run that would exceed this, together with what was spent and what is under way",
    parse: toPositiveNumber,
  },
  { flags: "--keep", description: "keep the workspaces of the runs" },
  {
    flags: "--fail-under <rate>",
    description: "exit with 1 if an arm passes less than this share of its cells: 0.8, or 80%",
    parse: rate,
  },
  {
    flags: "-f, --format <format>",
    description: "how to show the progress: text, or the lines of the ledger",
    choices: ["text", "ndjson"],
    default: "text",
  },
  {
    flags: "--queue <url>",
    description:
      "give the cells to workers: redis://host:6379 (harness worker; default: HARNESS_QUEUE of the environment)",
    parse: notEmpty,
  },
  {
    flags: "--shelf <address>",
    description: "with --queue: how files get to and from workers: redis, a shared directory, or s3://…",
    parse: notEmpty,
  },
  directoryOption,
  trustOption,
] as const satisfies readonly OptionDeclaration[];

const resumeOptions = [...runningOptions] as const;
export type ResumeFlags = FlagsOf<typeof resumeOptions>;

const resume = defineCommand({
  name: "resume",
  description: "go on with a batch: run exactly what is missing",
  arguments: [
    {
      ...idArgument,
      description:
        "the id of a batch or the beginning of it, or its directory (default: the last unfinished)",
    },
  ],
  options: resumeOptions,
  help: `Cells that ended with an error and cells that were skipped are run again. --concurrency and --budget-usd replace those of the plan.

Examples:
  harness batch resume
  harness batch resume 20261115-19 --budget-usd 40`,
  run: async ({ flags, words: [id] }) => (await import("./resume.js")).resumeAction(id, withQueue(flags)),
});

const reportOptions = [
  {
    flags: "-f, --format <format>",
    description:
      "text, json, markdown, junit or html (default: what the extension of the file says, else text)",
    choices: Object.keys(reportExtensions),
  },
  {
    flags: "-o, --output-file <file>",
    description: "where to write it; standard output if left out",
    parse: notEmpty,
  },
  {
    flags: "--output <name[=file]>",
    description: "write this form, to a file if one is named: junit=tests.xml, report.html (repeatable)",
    parse: notEmpty,
    isRepeatable: true,
  },
  directoryOption,
] as const satisfies readonly OptionDeclaration[];
export type ReportFlags = FlagsOf<typeof reportOptions>;

const report = defineCommand({
  name: "report",
  description: "what came out of a batch so far: pass rates, costs, differences between arms",
  arguments: [idArgument],
  options: reportOptions,
  help: `Examples:
  harness batch report
  harness batch report -o report.html                one page that opens offline
  harness batch report 20261115-19 -f markdown > report.md
  harness batch report --output junit=tests.xml --output report.html`,
  run: async ({ flags, words: [id] }) => (await import("./report.js")).reportAction(id, flags),
});

const statusOptions = [jsonOption, directoryOption] as const satisfies readonly OptionDeclaration[];
export type StatusFlags = FlagsOf<typeof statusOptions>;

const status = defineCommand({
  name: "status",
  description: "where a batch stands: what is done, runs, waits, and what could not be run",
  arguments: [idArgument],
  options: statusOptions,
  help: `Example:
  harness batch status`,
  run: async ({ flags, words: [id] }) => (await import("./status.js")).statusAction(id, flags),
});

const list = defineCommand({
  name: "list",
  description: "list the batches, newest first",
  options: statusOptions,
  help: `Example:
  harness batch list`,
  run: async ({ flags }) => (await import("./list.js")).listBatchesAction(flags),
});

const batchOptions = [
  {
    flags: "--dry-run",
    description: "show the cells, what would be executed and what it may cost, and do nothing",
  },
  {
    flags: "--only <ids...>",
    description: "only these tasks and arms, by their ids, separated by commas (repeatable)",
  },
  { flags: "--repeats <n>", description: "how often each arm does each task", parse: positiveInteger },
  {
    flags: "--work-directory <directory>",
    description: "where the workspaces are made, instead of the directory for temporary files",
    parse: notEmpty,
  },
  { flags: "--no-isolated", description: "let the agents use your own home, settings and skills" },
  { flags: "--new", description: "begin another batch although one with the same cells is unfinished" },
  ...runningOptions,
] as const satisfies readonly OptionDeclaration[];
export type BatchFlags = FlagsOf<typeof batchOptions>;

export const batchCommand = defineCommand({
  name: "batch",
  description: "run agents × tasks × repetitions, check and compare results",
  arguments: [{ name: "<plan>", description: "the plan: a TOML or JSON file" }],
  options: batchOptions,
  commands: [resume, report, status, list],
  help: `A plan is a program: its setup and check commands run as you. --dry-run shows them.

  name = "cart"
  repeats = 5
  [[tasks]]
  id = "fix-total"
  prompt = "The test for the cart total fails. Fix it."
  workspace = { git = "./cart" }
  check = "npm test"
  [[arms]]
  agent = "claude"
  [[arms]]
  agent = "codex"

Examples:
  harness batch plan.toml --dry-run
  harness batch plan.toml --only fix-total,claude --repeats 1
  harness batch plan.toml --fail-under 0.8
  harness batch resume
  harness batch report -o report.html

Exit codes: 0 every cell has a verdict, 1 cells are missing or --fail-under is not reached, 2 usage or plan, 130 interrupted`,
  run: async ({ flags, words: [plan] }) => (await import("./action.js")).batchAction(plan, withQueue(flags)),
});

function rate(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim()) ?? [];
  const value = Number(digits) / (percent === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError(
    "It must be a share between 0 and 1, such as 0.8, or a percentage such as 80%.",
  );
}
