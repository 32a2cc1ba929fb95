import { statSync } from "node:fs";
import { outputNames } from "../../outputs/registry.js";
import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty, signalName, wholeNumber } from "../option-values.js";
import { outputOption } from "../running/output-targets.js";
import { jobsOption, otlpContentsOption, trustOption } from "../shared-options.js";

const options = [
  {
    flags: "-a, --agent <name>",
    description: "the agent that printed it, if it is not recognised, or not rightly",
    parse: notEmpty,
  },
  {
    flags: "-f, --format <format>",
    description: "how to print it: --output for standard output (default: ndjson)",
    choices: outputNames,
  },
  {
    ...outputOption,
    description: `${outputOption.description}; with several logs, name=DIR/ writes a file for each`,
  },
  {
    flags: "--explain",
    description: "show for every line what became of it",
    conflicts: ["format"],
  },
  {
    flags: "--cwd <directory>",
    description: "where the agent worked; relative paths are resolved against it",
  },
  { flags: "--run-id <id>", description: "the run id to put on events", parse: notEmpty },
  {
    flags: "--resumed",
    description: "the run resumed an earlier session, so its totals cover more than the run",
  },
  {
    flags: "--exit-code <code>",
    description: "the exit code of the process, if the input does not have it (default: 0)",
    parse: wholeNumber,
  },
  { flags: "--signal <name>", description: "the signal that ended the process", parse: signalName },
  otlpContentsOption,
  jobsOption,
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type TranslateFlags = FlagsOf<typeof options>;

export const translateCommand = defineCommand({
  name: "translate",
  description: "turn an agent's own output, or a raw.jsonl, into any format",
  arguments: [
    {
      name: "[path...]",
      description: "what to read: files, and directories with logs or recordings; standard input if left out",
    },
  ],
  options,
  help: `The agent is recognised by the first lines. If two agents print the same, --agent says which it is.

In a directory and below it, files that end with .jsonl, .ndjson or .log are read, and of a recording its raw.jsonl. Several logs are read at the same time
and printed in the order of their names, each as if it was the only one. A log that cannot be read is reported; the others go on, and the exit code is 1.
--output html=DIR/ writes a file for each log instead.

Examples:
  claude -p "Fix the test" --output-format stream-json --verbose | harness translate --format events
  harness translate --agent codex --explain saved.jsonl
  harness translate saved.jsonl --output text --output run.html --output run.atif.json
  harness translate --format json ~/.local/share/harness/sessions/20261115-191302-k3f9x2/raw.jsonl
  harness translate ci-logs/ --format json | jq -c '[.runId, .costUsd]'
  harness translate ci-logs/ --output html=pages/ --output events=events/`,
  async run({ flags, words: [paths] }) {
    const [path] = paths;
    if (paths.length > 1 || (path !== undefined && isDirectory(path)))
      return (await import("./translate-many.js")).translateMany(paths, flags);
    return (await import("./action.js")).translateAction(path, flags);
  },
});

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whoever opens it says why it cannot be read.
    return false;
  }
}
