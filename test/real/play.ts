import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { expectRun } from "./expect-run.js";
import { keep } from "./keep.js";
import type { Pace } from "./pace.js";
import type { AgentProfile } from "./profile.js";
import { type Interference, type Observed, runHarness } from "./run-harness.js";
import type { RealScenario, Timer } from "./scenario.js";
import { begunTrace } from "./scenarios/endless.js";
import { usualFiles } from "./scenarios/usual-files.js";
import { prepareStage, type Stage } from "./stage.js";
import { expectStandstill } from "./standstill.js";

export interface Play {
  /** The agent's name in the lock file. */
  name: string;
  scenario: RealScenario;
  profile: AgentProfile;
  /** The path of the agent's program. */
  program: string;
  pace: Pace;
  /** Activity after a stop, by scenario. The suite retries failures, but a retry does not excuse this one. */
  breaches: Map<string, unknown>;
}

const mostAttempts = 4;

/** Plays one scenario with one agent. Retries if a time limit did not end the run in the middle of its command. */
export async function play(what: Play): Promise<void> {
  const { timer, name } = what.scenario;
  if (what.breaches.has(name)) throw what.breaches.get(name);
  if (timer === undefined) {
    await playOnce(what, what.scenario.during);
    return;
  }
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const limitMs = what.pace.limitMs(timer);
    const during: Interference["during"] = (live) =>
      live.lastMoment(begunTrace, limitMs, timer === "--timeout" ? "start" : "output");
    if ((await playOnce(what, during, { timer, limitMs })) === "played") return;
  }
  expect.fail(`${timer} never ended the run while the command was running`);
}

/** `missed`: the run was not stopped in the middle of its command, so it proves nothing. */
async function playOnce(
  { name, scenario, profile, program, pace, breaches }: Play,
  during: Interference["during"],
  limit?: { timer: Timer; limitMs: number },
): Promise<"played" | "missed"> {
  const stage = await prepareStage({
    agent: profile.agent,
    script: scenario.script,
    files: { ...usualFiles, ...scenario.files, ...(scenario.name === "skill" && skill(profile)) },
    isRefused: scenario.isRefused,
    ...profile.models?.[scenario.name],
  });
  try {
    const options = profile.differences?.[scenario.name]?.options ?? scenario.options ?? [];
    const base = ["--agent", profile.agent, "--binary", program, ...options, ...optionOf(limit)];
    const earlier =
      scenario.resumes === undefined
        ? undefined
        : await runHarness(stage, prompted(stage, base, scenario.resumes));
    const resumed = earlier === undefined ? [] : ["--resume", sessionOf(earlier)];
    const run = await runHarness(stage, prompted(stage, [...base, ...resumed], scenario.prompt), {
      during,
      through: scenario.through,
      limitMs: limit?.limitMs,
      announces: { calls: profile.announcesCalls, session: (profile.tellsSession ?? true) === true },
    });
    if (limit !== undefined || run.pace.begunMs !== Number.POSITIVE_INFINITY) pace.note(run.pace);
    if (limit !== undefined && run.stop === undefined) return "missed";
    keep(name, scenario, run, stage);
    try {
      expectStandstill(run, profile);
    } catch (breach) {
      breaches.set(scenario.name, breach);
      throw breach;
    }
    await expectRun(run, profile, scenario, earlier);
    return "played";
  } finally {
    await stage.close();
  }
}

function optionOf(limit: { timer: Timer; limitMs: number } | undefined): string[] {
  return limit === undefined ? [] : [limit.timer, String(limit.limitMs / 1000)];
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

/** Only where it is needed: OpenCode and Kilo install packages wherever they find their folder. */
function skill({ skillFolder }: AgentProfile): Record<string, string> {
  const text = "---\nname: greeter\ndescription: How to greet people\n---\nSay hello politely.\n";
  return { [`${skillFolder}/greeter/SKILL.md`]: text };
}
