import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../scripts/agents/cache.mjs";
import { patienceMs } from "./live-run.js";
import { createPace } from "./pace.js";
import { play } from "./play.js";
import type { AgentProfile } from "./profile.js";
import type { RealScenario } from "./scenario.js";
import { scenarios } from "./scenarios/index.js";

/** Plays every scenario with the real program of an agent. An older version of it has its own profile. */
export function describeAgent(profile: AgentProfile): void {
  const name = profile.version === undefined ? profile.agent : `${profile.agent}@${profile.version}`;
  if (!isPlayed(name)) return;
  const locked = lockedAgents().find((agent) => agent.name === name);
  if (locked === undefined) throw new Error(`agents.lock.json has no ${name}`);
  const program = installedProgram(locked);
  const shared = { name, profile, pace: createPace(), breaches: new Map<string, unknown>() };
  const isRequired = process.env["HARNESS_REQUIRE_AGENTS"] === "1";

  describe.skipIf(program === undefined && !isRequired)(`${locked.id} ${locked.version}`, () => {
    if (program === undefined) {
      it("is installed", () => expect.fail(`it is not in the cache; run npm run agents:install -- ${name}`));
    }
    for (const scenario of program === undefined ? [] : scenarios) {
      const omitted = omittedBecause(scenario, profile);
      if (omitted !== undefined) it.skip(`${scenario.name} (${omitted})`);
      else
        it(scenario.name, { timeout: 3 * patienceMs }, () =>
          play({ scenario, program: program ?? "", ...shared }),
        );
    }
  });
}

/** `HARNESS_AGENTS_PLAYED` has the names of those that are played; without it, all of them are. */
function isPlayed(name: string): boolean {
  const played = process.env["HARNESS_AGENTS_PLAYED"];
  return played === undefined || played.split(",").includes(name);
}

function omittedBecause({ name }: RealScenario, { only, omitted }: AgentProfile): string | undefined {
  if (only !== undefined && !only.scenarios.includes(name)) return only.because;
  return omitted?.[name];
}
