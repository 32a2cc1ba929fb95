import { outputNames } from "../../outputs/registry.js";
import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import {
  lengthOfTime,
  notEmpty,
  permissionModes,
  positiveInteger,
  toPositiveNumber,
} from "../option-values.js";
import { outputOption } from "../running/output-targets.js";
import { otlpOptions, thinkingOption, trustOption } from "../shared-options.js";

const options = [
  {
    flags: "-a, --agent <name>",
    description:
      "the agent to run (default: default_agent of the configuration, else the only one installed)",
    parse: notEmpty,
  },
  {
    flags: "-p, --prompt <text>",
    description:
      "what the agent is to do, instead of the argument (if there is neither: --prompt-file, else standard input)",
  },
  {
    flags: "--prompt-file <file>",
    description: "read the prompt from a file; - is standard input",
    parse: notEmpty,
    conflicts: ["prompt"],
  },
  {
    flags: "-m, --model <model>",
    description: "the model to use: a name from harness models list, or the agent's own id",
  },
  {
    flags: "--permissions <mode>",
    description:
      "what the agent may do (default: default_permissions of the configuration, else full-access: it changes files and runs commands without asking)",
    choices: permissionModes,
    conflicts: ["allow", "deny", "ask"],
  },
  {
    flags: "--allow <rule...>",
    description:
      'allow what a rule names, such as "read" or "command: npm test" (repeatable; see: harness help permissions)',
  },
  {
    flags: "--deny <rule...>",
    description: "deny what a rule names, whatever others allow (repeatable)",
  },
  {
    flags: "--ask <rule...>",
    description: "what a rule names is asked: nobody can answer here, so it is denied (repeatable)",
  },
  // Before the format that it implies: --quiet conflicts with both, and the error names the first one.
  thinkingOption,
  {
    flags: "-f, --format <format>",
    description:
      "how to print the run: --output for standard output (default: text on a terminal, else ndjson)",
    choices: outputNames,
  },
  outputOption,
  {
    flags: "-q, --quiet",
    description: "print only the answer; if there is none, say why on standard error",
    conflicts: ["format", "thinking"],
  },
  {
    flags: "--cwd <directory>",
    description: "where the agent works (default: here, or where the resumed session was)",
    parse: notEmpty,
  },
  {
    flags: "--timeout <time>",
    description: "end the run after this time: 90s, 10m, 1h30m, or seconds",
    parse: lengthOfTime,
  },
  {
    flags: "--idle-timeout <time>",
    description: "end the run after this much silence: 90s, 10m, or seconds",
    parse: lengthOfTime,
  },
  {
    flags: "--check <command>",
    description:
      'run this command in a shell after a run that succeeded, such as "npm test"; if it fails, the exit code is 3',
    parse: notEmpty,
  },
  {
    flags: "--check-timeout <time>",
    description: "end the check after this time (default: 10m)",
    parse: lengthOfTime,
  },
  { flags: "--system-prompt <text>", description: "replace the agent's system prompt" },
  { flags: "--append-system-prompt <text>", description: "add to the agent's system prompt" },
  { flags: "--max-turns <n>", description: "end the run after this many turns", parse: positiveInteger },
  {
    flags: "--max-budget-usd <amount>",
    description: "end the run when it has cost this much",
    parse: toPositiveNumber,
  },
  {
    flags: "--effort <level>",
    description: "how hard the model is to think (harness check AGENT lists the levels)",
    parse: notEmpty,
  },
  {
    flags: "--allowed-tools <names...>",
    description: "the agent gets only these tools, by its own names, separated by commas (repeatable)",
  },
  {
    flags: "--mcp-config <file>",
    description:
      'start these MCP servers for the agent: JSON as { "mcpServers": { "name": { "command": … } } }',
    parse: notEmpty,
  },
  {
    flags: "--schema <file>",
    description: "a JSON Schema that the answer must fit; with --quiet the answer is printed as JSON",
    parse: notEmpty,
  },
  {
    flags: "--isolated",
    description:
      "give the agent a fresh home: your settings, skills and MCP servers do not reach it, your credentials do",
  },
  {
    flags: "--home <directory>",
    description: "like --isolated, and copy the content of this directory into the fresh home",
    parse: notEmpty,
    implies: { isolated: true },
  },
  {
    flags: "--resume <id>",
    description:
      'continue an earlier session: the id of a recording (or its beginning, or "last"), or the agent\'s own id',
    parse: notEmpty,
  },
  {
    flags: "--binary <path>",
    description: "the agent's program, instead of the one on PATH",
    parse: notEmpty,
  },
  { flags: "--extra-args <words>", description: "more arguments for the agent, quoted as in a shell" },
  { flags: "--env <NAME=value...>", description: "a variable for the agent (repeatable)" },
  {
    flags: "-o, --output-file <file>",
    description: "also write what is printed to this file, while the run goes on",
    parse: notEmpty,
  },
  {
    flags: "--record <directory>",
    description: "also write raw.jsonl and events.jsonl to this directory, replacing those that are there",
    parse: notEmpty,
  },
  {
    flags: "--redact",
    description: "mask keys, passwords and the values of secret variables in what is printed and recorded",
  },
  ...otlpOptions,
  {
    flags: "--webhook <url>",
    description:
      "post a message when the run begins and when it ends, signed with HARNESS_WEBHOOK_SECRET (repeatable)",
    parse: notEmpty,
    isRepeatable: true,
  },
  {
    flags: "--webhook-events <which>",
    description: "what webhooks get: the ends of the run, or all its events too (default: ends)",
    choices: ["ends", "all"],
  },
  { flags: "--no-log", description: "do not record the run" },
  { flags: "--no-changes", description: "do not find out what the run changes in a git workspace" },
  {
    flags: "--dry-run",
    description: "print the command that would be executed, and do nothing (with -f json: as JSON)",
  },
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type RunFlags = FlagsOf<typeof options>;

export const runCommand = defineCommand({
  name: "run",
  description: "run an agent and stream what it does",
  arguments: [
    { name: "[prompt]", description: "what the agent is to do, as one argument: quote several words" },
    { name: "[arguments...]", description: "more arguments for the agent, after --" },
  ],
  options,
  help: `Examples:
  harness run "Fix the failing test"
  harness run "Fix the failing test" -a claude --timeout 30m
  harness run "Fix the failing test" --output text --output run.html --output json=run.json
  harness run "Fix the failing test" -a claude --check "npm test"
  harness run -a codex --quiet --permissions read-only < question.md > answer.md
  harness run "Fix the test" -a claude --allow read --allow "write: src/**" --allow "command: npm test"
  harness run "Go on" --resume last
  harness run "Fix the test" -a claude --isolated --mcp-config servers.json --effort high
  harness run "Which tests are slow?" -a codex --schema answer.schema.json --quiet | jq .
  harness run "Fix the test" -a claude --dry-run -- --effort high
  harness run "Fix the test" -a opencode | jq -r 'select(.type == "Message") | .text'

Exit codes: 0 success, 1 the run failed, 2 usage or configuration, 3 the check failed, 124 timed out or stalled, 127 not installed (harness help outcomes)`,
  async run({ flags, words: [first, rest], refuse }) {
    const words = first === undefined ? rest : [first, ...rest];
    return (await import("./action.js")).runAction({ words, flags, refuse });
  },
});
