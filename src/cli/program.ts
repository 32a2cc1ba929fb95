import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { HarnessError } from "../errors.js";
import { formatNames } from "../formats/formats.js";
import { exitCodes } from "./exit-codes.js";

/** Parses the arguments and runs the command. Gives the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.success;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (!(error instanceof HarnessError)) throw error;
    process.stderr.write(`harness: ${error.message}\n`);
    return exitCodes.usage;
  }
  return exitCode;
}

const streamFormats = [...formatNames, "raw"];

function createProgram(done: (exitCode: number) => void): Command {
  const program = new Command("harness")
    .description("Run any coding agent and get one live, ordered, lossless stream of events.")
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("(run with --help for what there is)")
    .exitOverride();

  program
    .command("run")
    .description("run an agent and stream what it does")
    .requiredOption("-a, --agent <name>", "the agent to run")
    .option("-p, --prompt <text>", "what the agent is to do")
    .option("--prompt-file <file>", "read the prompt from a file")
    .option("-m, --model <model>", "the model to use, as the agent names it")
    .addOption(new Option("--permissions <mode>", "what the agent may do").choices(["full-access", "read-only"]).default("full-access"))
    .addOption(new Option("-f, --format <format>", "how to print the run").choices(streamFormats).default("ndjson"))
    .option("--cwd <directory>", "where the agent works")
    .option("--timeout <seconds>", "end the run after this time", positiveNumber)
    .option("--idle-timeout <seconds>", "end the run after this much silence", positiveNumber)
    .option("--system-prompt <text>", "replace the agent's system prompt")
    .option("--append-system-prompt <text>", "add to the agent's system prompt")
    .option("--max-turns <n>", "end after this many turns", positiveInteger)
    .option("--max-budget-usd <amount>", "end when this much was spent", positiveNumber)
    .option("--resume <id>", "go on with an earlier session of the agent")
    .option("--binary <path>", "the agent's program, instead of the one on PATH")
    .option("--env <NAME=value...>", "a variable for the agent (repeatable)")
    .option("--record <directory>", "also write the recording to this directory")
    .option("--no-log", "do not record the run")
    .argument("[arguments...]", "passed on to the agent, behind --")
    .action(async (extraArgs, flags) => {
      const { runCommand } = await import("./commands/run.js");
      done(await runCommand(extraArgs, flags));
    });

  program
    .command("translate")
    .description("turn an agent's own output, or a raw.jsonl, into any format")
    .argument("[file]", "what to read; standard input when left out")
    .requiredOption("-a, --agent <name>", "the agent whose output it is")
    .addOption(new Option("-f, --format <format>", "how to print it").choices(streamFormats).default("ndjson"))
    .option("--explain", "show for every line what became of it")
    .option("--cwd <directory>", "where the agent worked; relative paths resolve against it")
    .option("--run-id <id>", "the run id to put on events")
    .option("--resumed", "the run went on with an earlier session, so totals cover more than it")
    .option("--exit-code <code>", "how the process ended, when the input does not tell (default: 0)", wholeNumber)
    .option("--signal <name>", "the signal that ended the process")
    .action(async (file, flags) => {
      const { translateCommand } = await import("./commands/translate.js");
      done(await translateCommand(file, flags));
    });

  for (const command of program.commands) command.exitOverride().showHelpAfterError("(run with --help for what there is)");
  return program;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("it must be a number above 0.");
  return value;
}

function positiveInteger(text: string): number {
  const value = positiveNumber(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("it must be a whole number above 0.");
  return value;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value)) throw new InvalidArgumentError("it must be a whole number.");
  return value;
}
