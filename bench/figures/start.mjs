import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { directory, repeatInto } from "../inputs/file.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The time of the whole command with an agent that exits at once, and of a translation with nothing to translate. */
export async function start({ isShort }) {
  const agent = program("exit-at-once");
  const home = join(directory, "start");
  const env = { HARNESS_SESSIONS_DIR: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const flags = ["run", "--agent", "claude", "--prompt", "nothing", "--binary", agent, "--format", "ndjson"];
  const { file } = repeatInto("start.jsonl", "{}\n", 0.000001);
  const works = {
    node: () => runNode(["-e", "0"]),
    direct: () => runNode([program("spawn.mjs"), agent]),
    run: () => runNode([cli, ...flags], { env }),
    inRepository: () => runNode([cli, ...flags], { env, cwd: repository }),
    // As the first start after an update, and where nothing can be kept.
    uncached: () => runNode([cli, ...flags], { env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } }),
    version: () => runNode([cli, "--version"]),
    yardstick: () => runNode([program("yardstick.mjs"), file]),
    translate: () => runNode([cli, "translate", "--agent", "claude", "-f", "ndjson", file], { env }),
  };
  const { node, direct, run, inRepository, uncached, version, yardstick, translate } = await bestOfEach(
    works,
    isShort ? 3 : 15,
  );
  return [
    {
      figure: "start of harness run / of bare Node, agent exits at once",
      value: run,
      baseline: direct,
      unit: "ms",
      goal: { more: { most: 40 } },
    },
    {
      figure: "start and end of harness run in this repository, with two looks of git at it",
      value: inRepository,
      baseline: direct,
      unit: "ms",
    },
    {
      figure: "start of harness run, no compiled code kept",
      value: uncached,
      baseline: direct,
      unit: "ms",
      goal: { more: { most: 80 } },
    },
    {
      figure: "start of harness translate / of the yardstick",
      value: translate,
      baseline: yardstick,
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
