import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";

const rounds = 15;

/** The time of the whole command with an agent that exits at once. */
export async function start() {
  const agent = program("exit-at-once");
  const env = { HARNESS_SESSIONS_DIR: join(directory, "start"), XDG_DATA_HOME: join(directory, "start") };
  const flags = ["run", "--agent", "claude", "--prompt", "nothing", "--binary", agent, "--format", "ndjson"];
  const works = {
    node: () => runNode(["-e", "0"]),
    direct: () => runNode([program("spawn.mjs"), agent]),
    run: () => runNode([cli, ...flags], { env }),
    version: () => runNode([cli, "--version"]),
  };
  const { node, direct, run, version } = await bestOfEach(works, rounds);
  return [
    {
      figure: "harness run, agent exits at once",
      value: run,
      baseline: direct,
      unit: "ms",
      goal: { more: { most: 80 } },
    },
    {
      figure: "harness --version",
      value: version,
      baseline: node,
      unit: "ms",
      goal: { value: { most: 60 } },
    },
  ];
}
