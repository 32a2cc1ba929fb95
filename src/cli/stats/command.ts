import type { Grouping } from "../../story/run-totals.js";
import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty } from "../option-values.js";
import { directoryOptions, periodOptions } from "../run-filters.js";
import { jsonOption } from "../shared-options.js";

const bys = ["day", "agent", "model", "directory"] as const satisfies readonly Grouping[];

const options = [
  { flags: "--by <what>", description: "only this table: day, agent, model or directory", choices: bys },
  ...periodOptions,
  {
    flags: "--all",
    description: "all recorded runs, instead of those of the last 30 days",
    conflicts: ["since", "until", "days"],
  },
  { flags: "-a, --agent <name>", description: "only runs of this agent", parse: notEmpty },
  {
    flags: "-m, --model <name>",
    description: "only runs with a model whose name has this in it",
    parse: notEmpty,
  },
  ...directoryOptions,
  { flags: "--imported", description: "count imported runs and sessions too" },
  { flags: "--no-batches", description: "leave out runs that belong to a batch" },
  { ...jsonOption, conflicts: ["csv"] },
  { flags: "--csv", description: "print the table as CSV (RFC 4180), by day unless --by says otherwise" },
] as const satisfies readonly OptionDeclaration[];
export type StatsFlags = FlagsOf<typeof options>;

export const statsCommand = defineCommand({
  name: "stats",
  description: "what runs cost, took and achieved: by day, agent, model",
  options,
  help: `Without --since, --days or --all: the last 30 days. Days begin at midnight, local time. Runs of batches are counted.
Demo runs are not, and imported ones only with --imported. A cost with ~ is estimated in part; runs that report no cost add nothing to it.

Examples:
  harness stats
  harness stats --by model --days 7
  harness stats --here --json | jq .totals.costUsd
  harness stats --all --by day --csv > runs.csv`,
  run: async ({ flags }) => (await import("./action.js")).statsAction(flags),
});
