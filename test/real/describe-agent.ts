import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../scripts/agents/cache.mjs";
import { expectHidden, expectModelSide, expectSoundRun, expectUsage } from "./invariants.js";
import { keep } from "./keep.js";
import type { AgentProfile } from "./profile.js";
import { type Observed, patienceMs, runHarness } from "./run-harness.js";
import type { Expected, RealScenario } from "./scenario.js";
import { scenarios } from "./scenarios/index.js";
import { usualFiles } from "./scenarios/usual-files.js";
import { conversationOf, seenIn } from "./seen.js";
import { prepareStage, type Stage } from "./stage.js";

/** Plays every scenario with the real program of an agent. */
export function describeAgent(profile: AgentProfile): void {
  const locked = lockedAgents().find(({ id }) => id === profile.agent);
  if (locked === undefined) throw new Error(`agents.lock.json has no ${profile.agent}`);
  const program = installedProgram(locked);
  const isRequired = process.env["HARNESS_REQUIRE_AGENTS"] === "1";

  describe.skipIf(program === undefined && !isRequired)(`${locked.id} ${locked.version}`, () => {
    if (program === undefined) {
      it("is installed", () => expect.fail(`it is not in the cache: npm run agents:install -- ${locked.id}`));
    }
    for (const scenario of program === undefined ? [] : scenarios) {
      const omitted = omittedBecause(scenario, profile);
      if (omitted !== undefined) it.skip(`${scenario.name} (${omitted})`);
      else it(scenario.name, { timeout: 2 * patienceMs }, () => play(scenario, profile, program ?? ""));
    }
  });
}

function omittedBecause({ name }: RealScenario, { only, omitted }: AgentProfile): string | undefined {
  if (only !== undefined && !only.scenarios.includes(name)) return only.because;
  return omitted?.[name];
}

async function play(scenario: RealScenario, profile: AgentProfile, program: string): Promise<void> {
  const { because, options, ...different } = profile.differences?.[scenario.name] ?? {};
  const expected: Expected = { unrecognised: [], changes: {}, ...scenario.expected, ...different };
  const stage = await prepareStage({
    agent: profile.agent,
    script: scenario.script,
    files: { ...usualFiles, ...scenario.files, ...(scenario.name === "skill" && skill(profile)) },
    isRefused: scenario.isRefused,
    ...profile.models?.[scenario.name],
  });
  try {
    const base = baseArguments(profile, program, options ?? scenario.options ?? []);
    const earlier =
      scenario.resumes === undefined
        ? undefined
        : await runHarness(stage, prompted(stage, base, scenario.resumes));
    const resumed = earlier === undefined ? [] : ["--resume", sessionOf(earlier)];
    const run = await runHarness(stage, prompted(stage, [...base, ...resumed], scenario.prompt), {
      during: scenario.during,
      announcesCalls: profile.announcesCalls,
    });
    keep(profile.agent, scenario, run, stage);
    await expectRun(run, profile, expected, scenario, earlier);
  } finally {
    await stage.close();
  }
}

async function expectRun(
  run: Observed,
  profile: AgentProfile,
  expected: Expected,
  scenario: RealScenario,
  earlier: Observed | undefined,
): Promise<void> {
  const { hasUsage = true, hiddenCalls, masked, ...rest } = expected;
  const seen = seenIn(run);
  const order = (operations: Expected["operations"]) =>
    scenario.isUnordered && operations !== "*" ? operations.toSorted() : operations;
  const freedom = {
    ...(rest.requests === "*" && { requests: "*" as const }),
    ...(rest.text === "*" && { text: "*" }),
    operations: rest.operations === "*" ? ("*" as const) : order(seen.operations),
  };
  expect({ ...seen, ...freedom }).toEqual({ ...rest, operations: order(rest.operations) });
  if (run.exitCode === 2) return;
  await expectSoundRun(run, profile);
  expectModelSide(run, profile, expected);
  if (masked !== undefined) expectHidden(run, Object.keys(masked));
  if (hasUsage) expectUsage(run, profile, earlier);
  const prompts = promptsIn(run);
  // An agent may be ended before it has asked for more than a title.
  if (prompts !== "") expect(prompts).toContain(JSON.stringify(scenario.prompt).slice(1, -1));
}

function promptsIn(run: Observed): string {
  return conversationOf(run.requests)
    .map(({ body }) => JSON.stringify(body))
    .join("\n");
}

function baseArguments(profile: AgentProfile, program: string, options: readonly string[]): string[] {
  return ["--agent", profile.agent, "--binary", program, ...options];
}

function prompted(stage: Stage, args: readonly string[], prompt: string): string[] {
  const file = join(stage.home, "..", "prompt.txt");
  writeFileSync(file, prompt);
  const own = stage.prepared.args.length === 0 ? [] : ["--", ...stage.prepared.args];
  return [...args, "--cwd", stage.workspace, "--prompt-file", file, ...own];
}

function sessionOf(run: Observed): string {
  const id = run.events.at(-1)?.sessionId;
  if (id === undefined) throw new Error(`no session to resume: ${JSON.stringify(run.events.slice(-3))}`);
  return id;
}

/** Not in every workspace: OpenCode and Kilo install packages wherever they find their folder. */
function skill({ skillFolder }: AgentProfile): Record<string, string> {
  const text = "---\nname: greeter\ndescription: How to greet people\n---\nSay hello politely.\n";
  return { [`${skillFolder}/greeter/SKILL.md`]: text };
}
