import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { LaunchTask } from "../../../src/agents/definition.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { replayOptionsOf, replayRecording } from "../../../src/runs/recording/replay.js";
import { harness, program, temporaryDirectory } from "../../cli/harness.js";
import { finish, ofType, testAgent } from "../test-agent.js";

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

it("masks a schema and the values of MCP servers, which are given to the agent as they are", async () => {
  const [key, token] = ["k3y-of-the-server-9", "t0ken-of-the-header-8"];
  const agent = {
    ...testAgent,
    capabilities: { ...testAgent.capabilities, schema: true, mcpServers: true },
    launch: ({ schema, mcpServers }: LaunchTask) => {
      const texts = [{ type: "say", text: JSON.stringify({ schema, mcpServers }) }];
      const said = { type: "done", text: JSON.stringify({ word: key }) };
      return { args: [...texts, said].map((record) => JSON.stringify(record)) };
    },
  };
  const { events, result, sessions } = await finish("print-arguments", {
    agent,
    redact: true,
    schema: { properties: { word: { const: key } }, required: ["word"] },
    mcpServers: {
      near: { command: "x", env: { API_KEY: key } },
      far: { url: "https://example.com", headers: { Authorization: `Bearer ${token}` } },
    },
  });
  expect(result).toMatchObject({ isSuccess: true, output: { word: expect.stringContaining("[redacted") } });
  const paths = recordingPaths(sessions, result.runId);
  const meta = readFileSync(paths.meta, "utf8");
  for (const text of [JSON.stringify(events), meta, readFileSync(paths.raw, "utf8")]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(token);
  }
  const replayed = [];
  for await (const steps of replayRecording(agent, paths.raw, replayOptionsOf(JSON.parse(meta))))
    for (const step of steps) replayed.push(...step.events);
  expect(ofType(replayed, "result")).toEqual(ofType(events, "result"));
});
