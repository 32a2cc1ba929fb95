import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { percent } from "./kept-runs.mjs";
import { readRecorded } from "./recorded.mjs";

const page = fileURLToPath(new URL("../../docs/real-agents.md", import.meta.url));

const written = ["docs/real-agents.md", "test/real/recorded.json"];

/** Writes docs/real-agents.md from what was recorded, formatted like everything else. */
export function writeDocs(agents) {
  const recorded = readRecorded();
  const known = agents.flatMap(({ id, package: name }) =>
    recorded[id] === undefined ? [] : [{ id, name, ...recorded[id] }],
  );
  const all = [...new Set(known.flatMap(({ scenarios }) => scenarios))];
  const rows = known.map(
    ({ id, name, version, date, scenarios, unknown }) =>
      `| ${id} | \`${name}\` | ${version} | ${date} | ${scenarios.length} | ${unknown.unknown} of ${unknown.lines} (${percent(unknown)}) |`,
  );
  const matrix = all.map(
    (scenario) =>
      `| ${scenario} | ${known.map(({ scenarios }) => (scenarios.includes(scenario) ? "✓" : "–")).join(" | ")} |`,
  );
  writeFileSync(
    page,
    `${intro}
| agent | package | version recorded | date | scenarios | lines that became \`unknown\` |
|---|---|---|---|---|---|
${rows.join("\n")}

These are the lines of the scenarios below. [coverage.md](coverage.md) has higher rates because it counts every capture in \`test/fixtures/captures/\`,
also those of programs that were asked for another output than the stream (\`json\` of Goose and Gemini CLI: nearly every line is \`unknown\`).

## Scenarios

| scenario | ${known.map(({ id }) => id).join(" | ")} |
|---|${known.map(() => "---|").join("")}
${matrix.join("\n")}
${outro}`,
  );
  const root = fileURLToPath(new URL("../../", import.meta.url));
  spawnSync("npx", ["--no-install", "biome", "format", "--write", ...written], { cwd: root });
}

const intro = `<!-- Written by \`npm run agents:record\`. Change scripts/agents/docs.mjs, not this page. -->
# The real agents

This project is tested against the real programs, by exact version (\`agents.lock.json\`), with a scripted model on
127.0.0.1 in place of the real one ([testing.md](testing.md)): no key, no cost, no network.

    npm run agents:install            # into ~/.cache/harness/agents, or $HARNESS_AGENTS_DIR
    npm run test:agents               # the scenarios below, with the agents that are there
    npm run agents:record             # fresh captures as fixtures, and this page
    npm run agents:drift              # the newest versions: what has changed in their streams?

All of them take agents' ids behind \`--\` (\`npm run test:agents -- claude pi\`). \`npm test\` includes \`test:agents\`; agents
that are not installed are named and skipped, and are a failure with \`HARNESS_REQUIRE_AGENTS=1\`.

Every scenario runs the built \`harness\` with the real program, an empty home and a fresh workspace. What the stream says
was done must be what happened on the disk and on the model's side: files, commands and their exit codes,
requests, results of tools, tokens by class. The outcome, the final text and the session id must be right, nothing of the
run may be alive afterwards, and replaying the recording must give the same bytes. Where an agent differs, its file in
\`test/real/agents/\` says how and why.
`;

const outro = `
## Stopping

A stopped run does nothing more. Every agent is stopped in every way that there is, while its model's command
(\`echo begun > begun.trace; sleep 1000\`) is under way, and the script goes on with files to be written (\`AFTER.txt\` and more), for
an agent that takes the end of its command for a failure and asks what to do next.

| scenario | how the run is stopped |
|---|---|
| cancelled | SIGINT to \`harness\`, as Ctrl-C sends it |
| sigterm | SIGTERM to \`harness\` |
| aborted | an \`AbortSignal\`, in a program that uses the library |
| timedout | \`--timeout\` |
| stalled | \`--idle-timeout\` |
| orphaned | SIGKILL to \`harness\`, so that its watchdog has to do it |
| unanswered | SIGINT to \`harness\` while the agent waits for its model, whose answer (a file to be written) comes a second later |

From the moment of the stop on, no request reaches the model, those for titles included, nothing in the workspace is created, changed or
touched, and afterwards nobody of the run is alive. Claude Code says when it is about to ask its model, and must not say so
either. The time limits are made from how long the agent has just taken to come to its command; one that was not met in the middle
of the command is tried again with another. \`killed\` and \`terminated\` are no stops: there the agent itself gets the
signal from somebody else. (\`orphaned\` is not in the table above, since of such a run there is no complete recording.)

## What is not played, and what is written

An agent that does not play a scenario says why in its file: it has no such tool (Pi has no subagents), or cannot
be asked to (Cline cannot resume without a terminal); Kilo plays few because it takes long to start. Kilo and Goose
are published for Linux on x64 only, and are reported as skipped elsewhere. Qwen Code and Copilot CLI have no translator yet, so
they are not in the lock file.

\`agents:record\` writes what it played to new folders, \`test/fixtures/captures/<agent>/real-<scenario>/\` (or below \`--to DIR\`). None of these is in
the project: its captures are in \`<agent>/<name>/\`. \`npm run fixtures:accept -- <agent>\` then adds the expected outputs,
which are a claim to be read before it is committed. \`agents:drift\` changes nothing in the project:
it prints new and lost kinds of records and fields, the lines that became \`unknown\`, and the scenarios that no longer go as
expected.

\`rg\` (OpenCode) and \`fd\` (Pi) have to be on PATH for the search tools. Where \`unshare -n\` is allowed, the whole suite runs in
a network namespace with nothing but loopback; elsewhere it says so, and the agents get a proxy that is not there.
`;
