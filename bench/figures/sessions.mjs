import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../dist/index.js";
import { directory } from "../inputs/file.mjs";
import { bestOfEach, cli, program, runCommand, runNode } from "../measure.mjs";

/** `harness sessions list` over ten thousand recordings of a real run. */
export async function sessions({ isShort }) {
  const count = isShort ? 500 : 10_000;
  const title = count.toLocaleString("en");
  const XDG_DATA_HOME = join(directory, "sessions");
  const sessionsDirectory = join(XDG_DATA_HOME, "harness", "sessions");
  await multiply(sessionsDirectory, count);
  const env = { XDG_DATA_HOME };
  const { ls, list, json } = await bestOfEach({
    ls: () => runCommand("ls", ["-l", sessionsDirectory]),
    list: () => runNode([cli, "sessions", "list"], { env }),
    json: () => runNode([cli, "sessions", "list", "--all", "--json"], { env }),
  });
  return [
    {
      figure: `sessions list, ${title} recordings / ls -l`,
      value: list,
      baseline: ls,
      unit: "ms",
      goal: { value: { most: 300 } },
    },
    { figure: `sessions list --json, all ${title}`, value: json, baseline: ls, unit: "ms" },
  ];
}

async function multiply(sessionsDirectory, count) {
  const running = run({
    agent: "claude",
    prompt: "nothing",
    binary: program("exit-at-once"),
    sessionsDirectory,
  });
  for await (const _ of running);
  const { runId } = await running.result;
  const files = readdirSync(sessionsDirectory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  for (let n = 0; n < count; n++) {
    const id = runId.replace(/^\d{8}-\d{6}-..../, `20260101-${String(n).padStart(6, "0")}-copy`);
    cpSync(join(sessionsDirectory, runId), join(sessionsDirectory, id), { recursive: true });
    for (const { name, parentPath } of files) {
      if (!name.startsWith(runId)) continue;
      const text = readFileSync(join(parentPath, name), "utf8");
      const place = parentPath.replaceAll(runId, id);
      writeFileSync(join(place, name.replace(runId, id)), text.replaceAll(runId, id));
    }
  }
}
