import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";

const rounds = 15;

/** The time of the whole command with an agent that exits at once, or with what it printed. */
export async function start() {
  const agent = program("exit-at-once");
  const home = join(directory, "start");
  const env = { HARNESS_SESSIONS_DIR: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const log = join(directory, "start.jsonl");
  writeFileSync(log, execFileSync(agent));
  const flags = ["run", "--agent", "claude", "--prompt", "nothing", "--binary", agent, "--format", "ndjson"];
  const works = {
    node: () => runNode(["-e", "0"]),
    direct: () => runNode([program("spawn.mjs"), agent]),
    run: () => runNode([cli, ...flags], { env }),
    // As the first start after an update, and where nothing can be kept.
    uncached: () => runNode([cli, ...flags], { env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } }),
    translate: () => runNode([cli, "translate", "--agent", "claude", log], { env }),
    version: () => runNode([cli, "--version"]),
  };
  const { node, direct, run, uncached, translate, version } = await bestOfEach(works, rounds);
  return [
    {
      figure: "harness run, agent exits at once",
      value: run,
      baseline: direct,
      unit: "ms",
      goal: { more: { most: 40 } },
    },
    {
      figure: "harness run, no compiled code kept",
      value: uncached,
      baseline: direct,
      unit: "ms",
      goal: { more: { most: 80 } },
    },
    {
      figure: "harness translate, one line",
      value: translate,
      baseline: node,
      unit: "ms",
    },
    {
      figure: "harness --version",
      value: version,
      baseline: node,
      unit: "ms",
      goal: { more: { most: 10 } },
    },
  ];
}
