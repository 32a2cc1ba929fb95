import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty } from "../option-values.js";
import { moment } from "../run-filters.js";
import { jsonOption, trustOption } from "../shared-options.js";

const importOptions = [
  {
    flags: "--from [agent]",
    description: "the sessions that this agent keeps itself, or all; alone: which agents have some here",
  },
  {
    flags: "--since <time>",
    description: "with --from: only sessions that were used since then: 2h, 3d, 1w, or a date",
    parse: moment,
  },
  {
    flags: "--session <id>",
    description: "with --from: only the session with this id of the agent, or the beginning of it",
    parse: notEmpty,
  },
  {
    flags: "--home <directory>",
    description: "with --from: another home than yours, such as a backup",
    parse: notEmpty,
  },
  { flags: "--dry-run", description: "with --from: only say what would be imported" },
  {
    flags: "-a, --agent <name>",
    description: "the agent that printed it, if it is not recognised, or not rightly",
    parse: notEmpty,
  },
  {
    flags: "-p, --prompt <text>",
    description: "what the agent was asked (default: the name of the file)",
    parse: notEmpty,
  },
  {
    flags: "--cwd <directory>",
    description:
      "where the agent worked, if the log does not say it; with --from: only sessions in or below it",
    parse: notEmpty,
  },
  {
    flags: "--here",
    description: "with --from: only sessions in the current directory or below it",
    conflicts: ["cwd"],
  },
  jsonOption,
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type ImportFlags = FlagsOf<typeof importOptions>;

export const importLogs = defineCommand({
  name: "import",
  description: "make recordings out of logs, or out of the sessions that an agent keeps itself",
  arguments: [
    { name: "[file...]", description: "what an agent printed, or a raw.jsonl; - is standard input" },
  ],
  options: importOptions,
  help: `The agent is recognised by the first lines of a log. Imported runs are listed, shown and exported like others; they are
marked, and harness stats leaves them out unless --imported is given. What an agent printed has no times: such a run has no duration.

With --from, nothing is written to the agent's own files. A session that was imported before is left as it is, or
imported again in its place if it has grown. Sessions that harness itself recorded are skipped.

Examples:
  harness sessions import --from
  harness sessions import --from claude --since 30d
  harness sessions import --from all --here --dry-run
  harness sessions import saved.jsonl
  harness sessions import --agent kilo --prompt "Fix the test" ci/*.jsonl`,
  async run({ flags, words: [files], refuse }) {
    const problem = importProblem(files, flags);
    if (problem !== undefined) return refuse(problem);
    if (flags.from !== undefined)
      return (await import("./import-stored.js")).importStoredAction(flags.from, flags);
    return (await import("./import.js")).importAction(files, flags);
  },
});

/** Logs and stores are imported in different ways. */
function importProblem(files: readonly string[], flags: ImportFlags): string | undefined {
  const onlyFrom = {
    since: "--since",
    session: "--session",
    home: "--home",
    dryRun: "--dry-run",
    here: "--here",
  };
  const onlyFiles = { agent: "--agent", prompt: "--prompt" };
  if (flags.from === undefined) {
    const idle = Object.entries(onlyFrom).find(([key]) => flags[key as keyof typeof onlyFrom] !== undefined);
    if (idle !== undefined) return `${idle[1]} only counts with --from`;
    return files.length > 0
      ? undefined
      : "name a log, or choose --from claude (or another agent) for the sessions that it keeps itself";
  }
  if (files.length > 0) return "--from takes no files: it finds the sessions of the agent by itself";
  const idle = Object.entries(onlyFiles).find(([key]) => flags[key as keyof typeof onlyFiles] !== undefined);
  return idle && `${idle[1]} does not count with --from`;
}
