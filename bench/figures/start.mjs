import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { best, cli, program, runCommand, runNode } from "../measure.mjs";

const rounds = 15;

/** From the command to its end, for an agent that exits at once. */
export async function start() {
  const agent = program("exit-at-once");
  const env = { HARNESS_SESSIONS_DIR: join(directory, "start"), XDG_DATA_HOME: join(directory, "start") };
  const flags = ["run", "--agent", "claude", "--prompt", "nothing", "--binary", agent, "--format", "ndjson"];
  const node = await best(() => runNode(["-e", "0"]), rounds);
  const direct = await best(() => runNode([program("spawn.mjs"), agent]), rounds);
  const run = await best(() => runEndingBadly([cli, ...flags], env), rounds);
  const version = await best(() => runNode([cli, "--version"]), rounds);
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

/** An agent that says nothing has failed, which the exit code tells. */
function runEndingBadly(args, env) {
  const quoted = args.map((arg) => `'${arg}'`).join(" ");
  runCommand("/bin/sh", ["-c", `'${process.execPath}' ${quoted} || [ $? = 1 ]`], { env });
}
