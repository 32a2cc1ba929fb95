import { type Command, InvalidArgumentError } from "commander";
import { outputNames } from "../../outputs/registry.js";
import { parseTime } from "../../runs/archive/parse-time.js";
import { outcomeWords } from "../../story/outcomes.js";
import type { AddCommand } from "../add-command.js";
import {
  choiceOption,
  defaultFormat,
  defaultFormatHelp,
  notEmpty,
  positiveInteger,
} from "../option-values.js";
import { refuseIdleThinking, thinkingOption } from "../thinking-option.js";

const outcomes = Object.keys(outcomeWords);
const idHelp = 'the id, the beginning of it, or "last"';

export const addSessionsCommand: AddCommand = (program, done) => {
  const sessions = program
    .command("sessions")
    .description("list, show, replay, export and remove recorded runs");
  addList(sessions, done);
  addShow(sessions, done);
  addReplay(sessions, done);
  addExport(sessions, done);
  addRemove(sessions, done);
  addPrune(sessions, done);
};

type Add = (sessions: Command, done: (exitCode: number) => void) => void;

const addList: Add = (sessions, done) => {
  sessions
    .command("list")
    .description("list recorded runs, newest first")
    .option("-a, --agent <name>", "only runs of this agent", notEmpty)
    .addOption(choiceOption("--outcome <outcome>", "only runs that ended so", outcomes))
    .option("--cwd <directory>", "only runs that worked in this directory or below it", notEmpty)
    .option("--since <time>", "only runs since then: 2h, 3d, 1w, or a date such as 2026-11-15", moment)
    .option("-n, --limit <n>", "at most so many", positiveInteger, 20)
    .option("--all", "all of them, whatever --limit says")
    .option("--json", "print JSON")
    .action(async (flags) => {
      const { listRecordingsAction } = await import("./list.js");
      done(await listRecordingsAction(flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness sessions list --outcome failed --since 2d
  harness sessions list --cwd . --agent codex`,
    );
};

const addShow: Add = (sessions, done) => {
  sessions
    .command("show")
    .description("say what a recorded run did, how it ended and what it took")
    .argument("<id>", idHelp)
    .option("--json", "print JSON")
    .action(async (id, flags) => {
      const { showAction } = await import("./show.js");
      done(await showAction(id, flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness sessions show last
  harness sessions show 20261115-19 --json | jq .filesWritten`,
    );
};

const addReplay: Add = (sessions, done) => {
  sessions
    .command("replay")
    .description("play a recorded run again, as it was, with its timing")
    .argument("<id>", idHelp)
    .addOption(
      choiceOption("-f, --format <format>", "how to print it", outputNames).default(
        defaultFormat,
        defaultFormatHelp,
      ),
    )
    .addOption(thinkingOption())
    .option("--speed <factor>", "1 is as it was, 10 ten times as fast, max at once", speed, 1)
    .action(async (id, flags, command) => {
      refuseIdleThinking(command);
      const { replayAction } = await import("./replay.js");
      done(await replayAction(id, flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness sessions replay last --speed 10
  harness sessions replay 20261115-19 --format events --speed max`,
    );
};

const addExport: Add = (sessions, done) => {
  sessions
    .command("export")
    .description("write a recorded run as a document or a stream")
    .argument("<id>", idHelp)
    .addOption(
      choiceOption(
        "-f, --format <format>",
        "what to write (default: what the name of the file says, else markdown)",
        outputNames,
      ),
    )
    .option("-o, --output-file <file>", "where to write it; standard output when left out", notEmpty)
    .option("--full", "cut nothing, however long a document becomes")
    .action(async (id, flags) => {
      const { exportAction } = await import("./export.js");
      done(await exportAction(id, flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness sessions export last -o run.html       one page that opens offline
  harness sessions export last > run.md          a transcript for a pull request`,
    );
};

const addRemove: Add = (sessions, done) => {
  sessions
    .command("rm")
    .description("remove recorded runs")
    .argument("<id...>", idHelp)
    .action(async (ids) => {
      const { removeAction } = await import("./remove.js");
      done(await removeAction(ids));
    })
    .addHelpText(
      "after",
      `
All of them are removed, or, if one cannot be found or is under way, none.

Example:
  harness sessions rm 20261115-19 20261114-2`,
    );
};

const addPrune: Add = (sessions, done) => {
  sessions
    .command("prune")
    .description("remove old recorded runs")
    .requiredOption("--older-than <age>", "remove what began before: 30d, 12w, or a date", moment)
    .option("--dry-run", "only say what would be removed")
    .action(async (flags) => {
      const { pruneAction } = await import("./remove.js");
      done(await pruneAction(flags));
    })
    .addHelpText(
      "after",
      `
Example:
  harness sessions prune --older-than 30d --dry-run`,
    );
};

function moment(text: string): Date {
  const time = parseTime(text);
  if (time === undefined)
    throw new InvalidArgumentError("It must be an age such as 2h, 3d or 1w, or a date such as 2026-11-15.");
  return time;
}

function speed(text: string): number {
  const factor = text === "max" ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() !== "" && factor > 0) return factor;
  throw new InvalidArgumentError("It must be a number above 0, or max.");
}
