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

These are the lines of the scenarios below. [coverage.md](coverage.md) has higher rates because it counts every capture in
\`test/fixtures/captures/\`, including other output formats than the stream (\`json\` of Goose and Gemini CLI: nearly every line is
\`unknown\`).

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

This project is tested against exact versions of the real programs (\`agents.lock.json\`). A scripted model on 127.0.0.1
replaces the real one ([testing.md](testing.md)), so the tests need no API key, no money and no network.

    npm run agents:install            # into ~/.cache/harness/agents, or $HARNESS_AGENTS_DIR
    npm run test:agents               # the scenarios below, with the installed agents
    npm run agents:record             # new captures as fixtures, and this page
    npm run agents:drift              # what has changed in the streams of the newest versions

All of them accept agent ids after \`--\` (\`npm run test:agents -- claude pi\`). \`npm test\` includes \`test:agents\`. Agents that
are not installed are named and skipped. With \`HARNESS_REQUIRE_AGENTS=1\` a missing agent is a failure.

Every scenario runs the built \`harness\` with the real program, an empty home and a new workspace. The stream must agree with
what happened on the disk and on the model's side: files, commands and their exit codes, requests, tool results, and tokens by
class. The outcome, the final text and the session id must be right, no process of the run may be alive afterwards, and a
replay of the recording must produce the same bytes. Where an agent differs, its file in \`test/real/agents/\` says how and why.
`;

const outro = `
## Stopping

A stopped run does nothing more. Every agent is stopped in every way while a command of its model is running
(\`echo begun > begun.trace; sleep 1000\`). The script continues with files to write (\`AFTER.txt\` and more), in case an agent takes
the end of its command for a failure and asks its model what to do next.

| scenario | how the run is stopped |
|---|---|
| cancelled | SIGINT to \`harness\`, like Ctrl-C |
| sigterm | SIGTERM to \`harness\` |
| aborted | an \`AbortSignal\`, in a program that uses the library |
| timedout | \`--timeout\` |
| stalled | \`--idle-timeout\` |
| orphaned | SIGKILL to \`harness\`, so that its watchdog has to stop the run |
| unanswered | SIGINT to \`harness\` while the agent waits for its model; the answer (a file to write) comes a second later |

After the stop, no request reaches the model (not even for a title), nothing in the workspace is created, changed or touched,
and in the end no process of the run is alive. Claude Code announces a request to its model, and must not announce one either.
Each time limit is derived from the time that the agent has just needed to start its command. If a limit does not end the run
in the middle of the command, the scenario is retried with another limit. \`killed\` and \`terminated\` are not stops: another
process sends the signal to the agent itself. (\`orphaned\` is missing in the table above, because such a run has no complete
recording.)

## What is not played, and what is written

If an agent does not play a scenario, its file says why: it has no such tool (Pi has no subagents), or no such option (Cline
cannot resume without a terminal). Kilo plays only a few because it starts slowly. Kilo and Goose are published for Linux on
x64 only, and are reported as skipped on other systems. Qwen Code and Copilot CLI have no translator yet, so they are not in
the lock file.

\`agents:record\` writes new captures to \`test/fixtures/captures/<agent>/real-<scenario>/\` (or below \`--to DIR\`). These folders are
not part of the project, whose captures are in \`<agent>/<name>/\`. \`npm run fixtures:accept -- <agent>\` then adds the expected
outputs. They are claims: check them before you commit them. \`agents:drift\` changes nothing in the project. It prints new and
lost kinds of records and fields, the lines that became \`unknown\`, and the scenarios that no longer pass.

\`rg\` (OpenCode) and \`fd\` (Pi) must be on PATH for the search tools. If \`unshare -n\` is permitted, the whole suite runs in a
network namespace with loopback only. Otherwise the suite says so, and the agents get a proxy that does not exist.
`;
