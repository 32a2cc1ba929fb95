import type { Command } from "commander";
import { agents } from "../../agents/registry.js";
import { createOutput } from "../output.js";
import { bashCompletion } from "./bash.js";
import type { Shell } from "./command.js";
import { type CommandShape, describeProgram } from "./describe-program.js";
import { fishCompletion } from "./fish.js";
import { zshCompletion } from "./zsh.js";

const scripts: Readonly<Record<Shell, (shapes: readonly CommandShape[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export async function completionAction(shell: Shell, program: Command): Promise<number> {
  const shapes = describeProgram(
    program,
    agents.map(({ id }) => id),
  );
  await createOutput(process.stdout).print(scripts[shell](shapes));
  return 0;
}
