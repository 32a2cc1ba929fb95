import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty, portNumber } from "../option-values.js";

const options = [
  {
    flags: "--port <number>",
    description: "the port to serve it on (default: 4280, or the next free one)",
    parse: portNumber,
  },
  {
    flags: "--host <address>",
    description: "the address to serve it on",
    parse: notEmpty,
    default: "127.0.0.1",
  },
  { flags: "--open", description: "open it in the browser" },
  {
    flags: "--directory <directory>",
    description: "the recordings to show, instead of your own",
    parse: notEmpty,
  },
  {
    flags: "--batches <directory>",
    description: "the batches to show, instead of your own",
    parse: notEmpty,
  },
] as const satisfies readonly OptionDeclaration[];
export type ViewFlags = FlagsOf<typeof options>;

export const viewCommand = defineCommand({
  name: "view",
  description: "show runs and batches, live, on a page in your browser",
  options,
  help: `The address that it prints contains a token. Whoever has it can see every run and start agents.

Examples:
  harness view --open
  harness view --port 8080 --directory ./recordings`,
  run: async ({ flags }) => (await import("./action.js")).viewAction(flags),
});
