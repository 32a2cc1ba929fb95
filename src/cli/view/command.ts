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
  {
    flags: "--json",
    description: "print address, token and port as one line of JSON, for programs that use the HTTP API",
    conflicts: ["openapi"],
  },
  {
    flags: "--openapi",
    description: "print the description of the HTTP API (OpenAPI 3.1), and serve nothing",
  },
] as const satisfies readonly OptionDeclaration[];
export type ViewFlags = FlagsOf<typeof options>;

export const viewCommand = defineCommand({
  name: "view",
  description: "show runs and batches, live, on a page in your browser",
  options,
  help: `The address that it prints contains a token. Whoever has it can see every run and start agents.

HARNESS_VIEW_TOKEN sets the token; without it, each start has a new one. While it runs, its address and token are in
$XDG_STATE_HOME/harness/view/PORT.json, which only you can read. docs/reference/http-api.md describes the HTTP API.

Examples:
  harness view --open
  harness view --json --port 0
  harness view --port 8080 --directory ./recordings`,
  run: async ({ flags }) => (await import("./action.js")).viewAction(flags),
});
