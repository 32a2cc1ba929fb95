import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import type { Isolation } from "../../../src/agents/isolation.js";
import { requireAgent } from "../../../src/agents/registry.js";
import { run } from "../../../src/live/run.js";
import type { RunResult, Task } from "../../../src/runs/task.js";
import { call, type Entry, runCommand, say } from "../../../src/testing/index.js";
import { patienceMs } from "../live-run.js";
import { filesIn } from "../stage.js";
import { type IsolationProfile, leaks, markerOf } from "./isolation-profile.js";
import { asUser, type PlantedHome, plantHome } from "./planted-home.js";

/**
 * Proves with the real program that nothing of the user's home reaches an isolated run but the credentials. The same home is
 * used without isolation first: what does not leak then would prove nothing.
 */
export function describeIsolation(profile: IsolationProfile): void {
  const name = profile.version === undefined ? profile.agent : `${profile.agent}@${profile.version}`;
  const program = playedProgram(name);
  if (program === undefined) return;
  const { isolation } = requireAgent(profile.agent);

  describe(`${name}, isolated`, () => {
    it("sees what is in the user's home if it is not isolated", { timeout: 2 * patienceMs }, async () => {
      const planted = await plantHome(profile, {
        isolation,
        script: ({ seen }) => ({ turns: [waitForServer(seen, 50), [say("Done.")]] }),
      });
      try {
        const result = await runIn(planted, program, profile, {});
        expect(result).toMatchObject({ isSuccess: true, text: "Done." });
        const expected = leaks.filter((leak) => profile.lacks?.[leak] === undefined).map(markerOf);
        const above = planted.inherited.map(({ marker }) => marker);
        expect(markersSeen(planted)).toEqual([...expected, ...above].sort());
      } finally {
        await planted.close();
      }
    });

    it("sees nothing of it but the credentials if it is isolated", { timeout: 2 * patienceMs }, async () => {
      if (isolation === undefined) expect.fail(`${name} has no isolation`);
      const runId = `isolated-${profile.agent}`;
      const homeIn = (temporary: string) => join(temporary, `harness-${runId}`, "home");
      const planted = await plantHome(profile, {
        isolation,
        script: ({ seen, temporary }) => ({
          turns: [
            [call(runCommand(renewing(isolation, homeIn(temporary))))],
            waitForServer(seen, 10),
            [say("Done.")],
          ],
        }),
      });
      try {
        const seed = profile.isSeedless ? {} : { home: planted.seed };
        const begin = () =>
          runIn(planted, program, profile, { isolated: true, ...seed, runId, ...profile.task });
        for (const { path } of planted.inherited.toReversed()) {
          await expect(begin()).rejects.toThrow(path);
          rmSync(path, { recursive: true });
        }
        const before = filesIn(planted.home);
        expect(await begin()).toMatchObject({ isSuccess: true, text: "Done." });
        expect(markersSeen(planted)).toEqual([]);
        expectOnlyRenewed(planted, profile, { before, caches: isolation.caches ?? [] });
        expect(readdirSync(planted.temporary).filter((entry) => entry.startsWith("harness-"))).toEqual([]);
      } finally {
        await planted.close();
      }
    });
  });
}

/** The program of an agent that is played and installed. */
export function playedProgram(name: string): string | undefined {
  const played = process.env["HARNESS_AGENTS_PLAYED"];
  if (played !== undefined && !played.split(",").includes(name)) return undefined;
  const locked = lockedAgents().find((agent) => agent.name === name);
  return locked && installedProgram(locked);
}

/**
 * The model waits in a command until the planted server has been started, for at most so many tenths of a second. The command
 * does not contain the marker, which would be seen in the next request.
 */
function waitForServer(seen: string, tenths: number): Entry {
  const file = join(seen, markerOf("mcp").replace("-", "?"));
  return [call(runCommand(`for i in $(seq ${tenths}); do ls ${file} && break; sleep 0.1; done`))];
}

/** Replaces every linked credential file in the fresh home as programs do that renew a token: with a new file that gets its name. */
function renewing({ variables, credentials }: Isolation, home: string): string {
  const linked = credentials.filter(({ keys }) => keys === undefined);
  const files = linked.map(({ in: name, file }) => join(home, variables[name] ?? "", file));
  const renew = (file: string) =>
    `sed s/marker-credential/renewed-credential/ '${file}' > '${file}.new' && mv '${file}.new' '${file}'`;
  return ["true", ...files.map(renew)].join(" && ");
}

function runIn(
  planted: PlantedHome,
  binary: string,
  { agent }: Pick<IsolationProfile, "agent">,
  more: Partial<Task>,
): Promise<RunResult> {
  const { workspace: cwd, recordings: sessionsDirectory, prepared } = planted;
  const task = { binary, cwd, sessionsDirectory, extraArgs: prepared.args, timeoutMs: patienceMs };
  const prompt = "Do what you must";
  return asUser(
    planted.env,
    async () => run({ ...task, agent: requireAgent(agent), prompt, ...more }).result,
  );
}

/** The markers that reached the model, or that something of the user's left on the disk. */
function markersSeen({ model, seen }: PlantedHome): string[] {
  const requests = JSON.stringify(model.requests.map(({ headers, body }) => ({ headers, body })));
  const words = requests.match(/marker-(?:skill|mcp|instructions|setting|inherited-\d+)/g) ?? [];
  return [...new Set([...words, ...readdirSync(seen)])].sort();
}

/** The renewed credentials are in the user's own files, and nothing else in the home has changed but caches of the program. */
function expectOnlyRenewed(
  { home }: PlantedHome,
  { credentials }: IsolationProfile,
  { before, caches }: { before: Readonly<Record<string, string>>; caches: readonly string[] },
): void {
  const after = filesIn(home);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  const own = changed.filter((name) => !caches.some((cache) => name.startsWith(`${cache}/`)));
  expect(own.sort()).toEqual(Object.keys(credentials).sort());
  for (const file of Object.keys(credentials))
    expect(readFileSync(join(home, file), "utf8")).toContain("renewed-credential");
}
