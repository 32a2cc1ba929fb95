import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { LiveProtocol } from "../../../src/agents/live-contract.js";
import { requireAgent } from "../../../src/agents/registry.js";
import { open } from "../../../src/live/open.js";
import { run } from "../../../src/live/run.js";
import type { RunResult, Task } from "../../../src/runs/task.js";
import { call, type Entry, mcp, type RecordedRequest, say } from "../../../src/testing/index.js";
import { asArray, asObject, asText } from "../../../src/text/fields.js";
import type { JsonValue } from "../../../src/text/json.js";
import { playedProgram } from "../isolation/describe-isolation.js";
import { patienceMs } from "../live-run.js";
import { conversationOf } from "../seen.js";
import { prepareStage, type Stage } from "../stage.js";
import type { OptionsProfile } from "./options-profile.js";

const serverScript = fileURLToPath(new URL("../isolation/mcp-server.mjs", import.meta.url));
const schema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};

/** Proves with the real program that options reach it, and its model. */
export function describeOptions(profile: OptionsProfile): void {
  const name = profile.version === undefined ? profile.agent : `${profile.agent}@${profile.version}`;
  const program = playedProgram(name);
  if (program === undefined) return;
  const { capabilities, live: protocol } = requireAgent(profile.agent);
  const live = protocol?.options === undefined ? undefined : protocol;
  const calls: Entry[] = profile.hasServers ? [[call(mcp("demo", "look_up", { word: "fine" }))]] : [];

  describe(`${name}, options`, () => {
    it("has in its profile what is in its definition", () => {
      expect({
        mcpServers: profile.hasServers ?? false,
        effort: profile.effort !== undefined,
        allowedTools: profile.tools !== undefined,
        schema: profile.answer !== undefined,
      }).toEqual({
        mcpServers: capabilities.mcpServers ?? false,
        effort: capabilities.effort !== undefined,
        allowedTools: capabilities.allowedTools ?? false,
        schema: capabilities.schema ?? false,
      });
    });

    it("uses them all at once", { timeout: 2 * patienceMs }, async () => {
      const turns: Entry[] = [...calls, profile.answer?.({ word: "fine" }) ?? [say("Done.")]];
      await onStage(profile, turns, async (stage) => {
        const result = await runOn(stage, program, profile, optionsOf(profile, stage));
        expect(result).toMatchObject({ isSuccess: true });
        if (profile.answer !== undefined) expect(result.output).toEqual({ word: "fine" });
        expectUsed(profile, stage);
      });
    });

    it.skipIf(live === undefined)("uses those of a session", { timeout: 2 * patienceMs }, async () => {
      await onStage(profile, [...calls, [say("Done.")]], async (stage) => {
        const ofSession = inSession(profile, live);
        const { schema: _, ...options } = optionsOf(ofSession, stage);
        const session = open({ ...taskOn(stage, program, profile), ...options });
        try {
          expect(await session.send("Do what you must").result).toMatchObject({ text: "Done." });
        } finally {
          await session.close();
        }
        const tools = ofSession.tools && {
          ...ofSession.tools,
          advertised: withoutAnswer(ofSession.tools.advertised),
        };
        expectUsed({ ...ofSession, ...(tools && { tools }) }, stage);
      });
    });

    it.skipIf(profile.answer === undefined)(
      "fails if the answer does not fit the schema",
      { timeout: 2 * patienceMs },
      async () => {
        // However often the agent asks its model again, the answer stays as it is.
        const turns = Array.from({ length: 20 }, () => profile.answer?.({ word: 1 }) ?? []);
        await onStage(profile, turns, async (stage) => {
          const { isSuccess, output, failure } = await runOn(stage, program, profile, { schema });
          expect({ isSuccess, output, kind: failure?.kind }).toEqual({
            isSuccess: false,
            output: undefined,
            kind: "schema",
          });
        });
      },
    );
  });
}

async function onStage(
  { agent, api, model, settings = {} }: OptionsProfile,
  turns: readonly Entry[],
  action: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await prepareStage({ agent, script: { turns }, files: {}, api, model });
  try {
    for (const [name, content] of Object.entries(settings)) appendFileSync(join(stage.home, name), content);
    await action(stage);
  } finally {
    await stage.close();
  }
}

function runOn(
  stage: Stage,
  binary: string,
  profile: OptionsProfile,
  options: Partial<Task>,
): Promise<RunResult> {
  return run({ ...taskOn(stage, binary, profile), prompt: "Do what you must", ...options }).result;
}

function taskOn(stage: Stage, binary: string, { agent }: OptionsProfile) {
  return {
    agent: requireAgent(agent),
    binary,
    cwd: stage.workspace,
    env: stage.env,
    extraArgs: stage.prepared.args,
    sessionsDirectory: join(stage.home, "recordings"),
    timeoutMs: patienceMs,
  };
}

/** What the agent's protocol takes of it. */
function inSession(
  { effort, tools, hasServers, ...others }: OptionsProfile,
  live: LiveProtocol | undefined,
): OptionsProfile {
  const { options = [] } = live ?? {};
  return {
    ...others,
    ...(effort && options.includes("effort") && { effort }),
    ...(tools && options.includes("allowedTools") && { tools }),
    ...(hasServers && options.includes("mcpServers") && { hasServers }),
  };
}

/** A session has no schema. */
function withoutAnswer(tools: readonly string[]): string[] {
  return tools.filter((name) => name !== "StructuredOutput");
}

function optionsOf({ effort, tools, hasServers, answer }: OptionsProfile, stage: Stage): Partial<Task> {
  const args = [serverScript, callsOf(stage), "an answer"];
  const demo = { command: process.execPath, args, env: { MCP_SECRET: "from-the-environment" } };
  return {
    ...(hasServers && { mcpServers: { demo } }),
    ...(effort && { effort: effort.level }),
    ...(tools && { allowedTools: tools.allowed }),
    ...(answer && { schema }),
  };
}

function callsOf({ home }: Stage): string {
  return join(home, "..", "mcp-calls");
}

function expectUsed({ effort, tools, hasServers }: OptionsProfile, stage: Stage): void {
  const requests = conversationOf(stage.model.requests);
  if (hasServers) {
    expect(existsSync(callsOf(stage))).toBe(true);
    expect(readFileSync(callsOf(stage), "utf8")).toBe('{"word":"fine"}\n');
    expect(requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text)).join()).toContain(
      "an answer from-the-environment",
    );
  }
  const [first] = requests;
  if (effort !== undefined && effort.seen !== null)
    expect(JSON.stringify(first?.body)).toContain(effort.seen);
  if (tools !== undefined) expect(toolsOf(first).sort()).toEqual([...tools.advertised].sort());
}

function toolsOf(request: RecordedRequest | undefined): string[] {
  const tools = asArray(asObject(request?.body as JsonValue | undefined)?.["tools"]) ?? [];
  return tools.flatMap((tool) => {
    const fields = asObject(tool);
    const declared = asArray(fields?.["functionDeclarations"]);
    if (declared !== undefined) return declared.flatMap((one) => asText(asObject(one)?.["name"]) ?? []);
    return asText(fields?.["name"]) ?? asText(asObject(fields?.["function"])?.["name"]) ?? [];
  });
}
