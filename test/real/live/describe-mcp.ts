import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { requireAgent } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { run } from "../../../src/live/run.js";
import { call, mcp, runCommand, say } from "../../../src/testing/index.js";
import { playedProgram } from "../isolation/describe-isolation.js";
import { patienceMs } from "../live-run.js";
import { prepareStage, type Stage } from "../stage.js";

const command = fileURLToPath(new URL("../../../dist/cli/main.cjs", import.meta.url));

/** The real program of one agent runs that of another through `harness mcp`. Each has a scripted model of its own. */
export function describeMcp(agent: string, { delegatesTo }: { delegatesTo: string }): void {
  const outerProgram = playedProgram(agent);
  const innerProgram = playedProgram(delegatesTo);
  if (outerProgram === undefined || innerProgram === undefined) return;

  describe(`${agent}, harness mcp`, () => {
    it(`delegates to ${delegatesTo} and gets its answer`, { timeout: 2 * patienceMs }, async () => {
      const inner = await prepareStage({
        agent: delegatesTo,
        script: { turns: [[call(runCommand("echo helper > helper.trace"))], [say("The helper is done.")]] },
        files: {},
      });
      const input = { agent: delegatesTo, prompt: "Write the trace", waitSeconds: 100 };
      const outer = await prepareStage({
        agent,
        script: { turns: [[call(mcp("harness", "run_agent", input))], [say("It was delegated.")]] },
        files: {},
      });
      try {
        const delegating = run({
          agent: requireAgent(agent),
          binary: outerProgram,
          cwd: outer.workspace,
          env: outer.env,
          extraArgs: outer.prepared.args,
          sessionsDirectory: join(outer.home, "recordings"),
          timeoutMs: patienceMs,
          prompt: "Let another agent write the trace",
          mcpServers: { harness: serverOf(inner, delegatesTo, innerProgram) },
        });
        const events: HarnessEvent[] = [];
        for await (const event of delegating) events.push(event);
        expect(await delegating.result).toMatchObject({ isSuccess: true, text: "It was delegated." });
        const calls = events.filter((event) => event.type === "tool_end");
        expect(calls).toMatchObject([{ name: "mcp__harness__run_agent", isSuccess: true }]);
        expect(JSON.stringify(calls)).toContain("The helper is done.");
        expect(readFileSync(join(inner.workspace, "helper.trace"), "utf8")).toBe("helper\n");
        // The answer of the inner agent reached the model of the outer one.
        const results = outer.model.requests.flatMap(({ toolResults }) =>
          toolResults.map(({ text }) => text),
        );
        expect(results.join()).toContain("The helper is done.");
      } finally {
        await Promise.all([inner.close(), outer.close()]);
      }
    });
  });
}

/** The server gets the home of the inner agent. What the agent needs besides is in the user's own configuration there. */
function serverOf(inner: Stage, agent: string, binary: string) {
  const config = join(inner.home, "config");
  mkdirSync(join(config, "harness"), { recursive: true });
  const lines = [
    `[agents.${agent}]`,
    `binary = ${JSON.stringify(binary)}`,
    `extra_args = ${JSON.stringify(inner.prepared.args)}`,
  ];
  writeFileSync(join(config, "harness", "config.toml"), `${lines.join("\n")}\n`);
  const limits = ["--permissions", "full-access", "--directory", inner.workspace, "--agents", agent];
  return {
    command: process.execPath,
    args: [command, "mcp", ...limits],
    env: { ...inner.env, XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(inner.home, "data") },
  };
}
