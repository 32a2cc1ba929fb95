import { failureKinds } from "../../events/failure.js";
import { type OutputName, outputs } from "../../outputs/registry.js";
import { wrapText } from "../../outputs/text/wrap.js";
import type { TopicName } from "../help-topics.js";

/** What `harness help TOPIC` prints. */
export const topicTexts: Readonly<Record<TopicName, string>> = {
  events: `Every run is a stream of events, one flat JSON object each, discriminated by "type".

  started session            the run starts; the agent reports its session
  text agent thinking        pieces of the answer; whole messages; model reasoning
  tool_start tool_end        a tool call, with its input and output
  read write search list     what was done to files
  command skill              a shell command ran; a skill was used
  orchestration              a subagent started, completed or failed
  edits                      edits were proposed
  usage                      tokens (input, cache read, cache write, output, reasoning) and cost
  warning error unknown      diagnostics; lines that no rule understands are kept as "unknown"
  result exited              how the run ended: always the last two events, once each

Every event has timestamp, runId and seq; where known also sessionId, line (of raw.jsonl) and parentCallId (in a subagent).
To see what became of every line of an agent's output:  harness translate --agent NAME --explain FILE
`,
  formats: `${formatRows()}
  --quiet               only the answer; if there is none, standard error says why

  harness run -a claude -p "Fix the test" | jq -r 'select(.type == "Message") | .text'
`,
  outcomes: `A run failed if any of these holds: it could not start; it was cancelled, timed out or stalled; the agent's own record says so; a
fatal error was reported and no success after it; it was killed; it exited with another code than 0; the final record that the
agent always sends is missing. Exit code 0 of the agent alone is never a success.

${failureRows()}

failure.hint says what to do next, failure.retryAt when a limit ends, where that is known.

Exit codes of harness run:
  0    success
  1    the run failed
  2    usage or configuration
  3    succeeded, but the command of --check failed
  74   succeeded, but recording or output not written
  124  timed out or stalled
  127  not installed
  129  hung up
  130  interrupted
  141  output closed by its reader
  143  terminated
`,
  configuration: `Flags win over harness.toml (found here or in a folder above), which wins over ~/.config/harness/config.toml.

  default_agent = "claude"
  default_model = "sonnet"
  default_permissions = "read-only"   # or "full-access", "ask"
  default_timeout = "30m"             # or default_timeout_secs = 1800
  models_url = "https://…"         # more names for models (harness models update)

  [permissions]                    # rules: harness help permissions
  allow = ["read", "command: npm test"]
  deny = ["read: .env*"]           # and ask

  [agents.claude]                  # binary, model, extra_args, env
  extra_args = ["--effort", "high"]

  [agents.parrot]                  # an agent of your own
  module = "./parrot.mjs"          # or: translator = "claude", or protocol = "acp"

  [models.big]                     # a name of your own for a model
  claude = "claude-opus-4-8"

Until you trust a harness.toml (harness trust), only its default_*, [models.…] and rules that deny or ask take effect: harness help security

  harness config init | show | path
`,
  permissions: `Rules say what an agent may do. They need an agent that can ask. Deny comes before ask, ask before allow. What no rule
names is asked. In harness run nobody can answer, so what would be asked is denied.

  [permissions]                                   # in harness.toml, or: --allow RULE --deny RULE --ask RULE
  allow = ["read", "search", "list", "command: npm test", "command: git diff *", "write: src/**"]
  deny  = ["read: .env*", "write: .git/**", "command: git push *", "command: rm -rf *"]
  ask   = ["command", "fetch", "mcp: *"]

  read write search list      a path: src/**, ~/notes/**, /etc/*; a name without / is that name in any directory
  command                     words of one command; * is any text in a word, and at the end any words or none
  fetch                       a host (example.com, *.example.com) or a URL
  mcp                         server/tool, server/*, server
  skill, tool                 a name; tool is for tools of which harness does not know what they do

A script is allowed only if every command in it, every redirection and every substitution is. A rule that allows must match exactly;
a rule that denies also matches other spellings, wrappers (bash -c, env, xargs, sudo …) and symbolic links. What cannot be parsed is
never allowed by a rule. Rules are not a sandbox: a program that is allowed to run can do anything.
`,
  security: `Everything runs as you, with full access by default. A project's harness.toml comes with its folder, so it is not trusted.

Until you trust it, it may only set default_* (never more permissions), rules that deny or ask, and names of models. Everything else that it sets has no
effect, and is listed on standard error. It can never replace a built-in agent.

  harness trust                    show what it sets, and ask
  harness trust --list             what is trusted, and whether it has changed since
  harness trust --revoke [PATH]
  harness run --trust              trust it this time only (also batch, worker, list, check, translate)
  HARNESS_TRUST=1                  trust every project's file, for CI

Trust ends when the file changes, or when a module, program or script of the project that it names changes. What those load in
turn is not checked. With --permissions read-only, what a file passes to the agent is refused unless it is known to be harmless.
Modules are only imported by run, batch, worker and translate --agent, never to list, check, dry-run or read recordings.
`,
  agents: `  harness list                 all agents, installed or not
  harness check codex          program, version, capabilities, credentials
  harness run --agent generic --binary ./any-program -p "…"    anything else: every line is kept

What an agent cannot express (a budget, a system prompt, …) is refused with a clear error, never ignored.
An agent of your own: [agents.NAME] in harness.toml (see: harness help configuration), or defineAgent() in code.
`,
};

function formatRows(): string {
  const notes: Partial<Record<OutputName, string>> = {
    text: " (the default on a terminal)",
    ndjson: " (the default when piped)",
  };
  return outputs
    .map(({ name, summary }) => `  --format ${name.padEnd(13)}${summary}${notes[name] ?? ""}`)
    .join("\n");
}

function failureRows(): string {
  return wrapText(`failure.kind: ${failureKinds.join(" ")}`, 126).join("\n");
}
