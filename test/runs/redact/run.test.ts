import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { harness, program, temporaryDirectory } from "../../cli/harness.js";

const secret = "tr0ub4dor-and-3";

it("a run with --redact shows and records no secret, and gives it to the agent as it is", async () => {
  const home = temporaryDirectory();
  const agent = program(`
    const { MY_API_KEY } = process.env;
    console.log(JSON.stringify({ key: MY_API_KEY, length: MY_API_KEY.length }));
    console.error("the key is " + MY_API_KEY + ", said " + process.argv.at(-1));
  `);
  const env = { XDG_DATA_HOME: home, HOME: home };
  const flags = ["--redact", "--env", `MY_API_KEY=${secret}`, "--format", "full"];
  const args = ["run", "-a", "generic", "--binary", agent, "-p", `use ${secret} well`, ...flags];
  const { stdout, stderr, exitCode } = await harness(args, { env });
  expect(exitCode).toBe(0);
  expect(stdout.toString()).toContain(`"length":${secret.length}`);
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const recorded = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
  expect(recorded).toHaveLength(4);
  for (const text of [stdout.toString(), stderr, ...recorded]) expect(text).not.toContain(secret);
  expect(recorded.join("")).toContain("[redacted MY_API_KEY]");
  const replayed = await harness(["sessions", "replay", "last", "--format", "full", "--speed", "max"], {
    env,
  });
  expect(replayed.stdout.toString()).toBe(stdout.toString());
});
