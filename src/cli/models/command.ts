import type { Command } from "commander";
import type { AddCommand } from "../add-command.js";
import { notEmpty, positiveNumber } from "../option-values.js";

export const addModelsCommand: AddCommand = (program, done) => {
  const models = program
    .command("models")
    .description("one name for a model with every agent, and what models cost");
  addList(models, done);
  addResolve(models, done);
  addUpdate(models, done);
  addPath(models, done);
};

type Add = (models: Command, done: (exitCode: number) => void) => void;

const addList: Add = (models, done) => {
  models
    .command("list")
    .description("list the names, and where each is known from")
    .option("-a, --agent <name>", "only names that this agent has an id for, with that id", notEmpty)
    .option("--json", "print JSON")
    .action(async (flags) => {
      const { listModelsAction } = await import("./list.js");
      done(await listModelsAction(flags));
    })
    .addHelpText(
      "after",
      `
Prices are US dollars per million tokens, input and output, of the vendor's own API.

Examples:
  harness models list --agent opencode
  harness models list --json`,
    );
};

const addResolve: Add = (models, done) => {
  models
    .command("resolve")
    .description("print the id that an agent is given for a name")
    .argument("<name>", "a name from the list, or an agent's own id")
    .option("-a, --agent <name>", "the agent (else default_agent of the configuration)", notEmpty)
    .option("--json", "print JSON")
    .action(async (name, flags) => {
      const { resolveModelAction } = await import("./resolve.js");
      done(await resolveModelAction(name, flags));
    })
    .addHelpText(
      "after",
      `
The id goes to standard output, the explanation to standard error.

Examples:
  harness models resolve opus --agent opencode
  opencode run --model "$(harness models resolve opus -a opencode 2>/dev/null)"`,
    );
};

const addUpdate: Add = (models, done) => {
  models
    .command("update")
    .description("fetch the registry of names from models_url")
    .option("--timeout <seconds>", "give up after this time (default: 10)", positiveNumber)
    .option("--json", "print JSON")
    .action(async (flags) => {
      const { updateModelsAction } = await import("./update.js");
      done(await updateModelsAction(flags));
    })
    .addHelpText(
      "after",
      `
models_url is a setting of harness.toml or of the user's configuration. What is fetched is kept for a day and then
fetched again beside a run; when that fails, what there is stays in use. A server that cannot be reached is no
error (exit code 0); an answer that is no registry is one (exit code 1).

Example:
  harness models update`,
    );
};

const addPath: Add = (models, done) => {
  models
    .command("path")
    .description("print where the fetched registry is kept, and whether it is in use")
    .option("--json", "print JSON")
    .action(async (flags) => {
      const { modelsPathAction } = await import("./path.js");
      done(await modelsPathAction(flags));
    })
    .addHelpText(
      "after",
      `
Example:
  cat "$(harness models path 2>/dev/null)"`,
    );
};
