import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { client, ndJsonStream, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import { call, editFile, readFile, runCommand, type Scenario, say } from "../../../src/testing/index.js";
import { patienceMs } from "../live-run.js";
import { usualFiles } from "../scenarios/usual-files.js";
import { prepareStage } from "../stage.js";

const command = fileURLToPath(new URL("../../../dist/cli/main.cjs", import.meta.url));

const script: Scenario = {
  turns: [
    [call(readFile("note.txt"))],
    [call(editFile("note.txt", "before", "after"))],
    [call(runCommand("touch denied.txt"))],
    [say("It is done.")],
    [say("A second answer.")],
  ],
};

/** `harness acp` with the real program of an agent, and an editor made with the official SDK. */
export function describeAcp(agent: string): void {
  const played = process.env["HARNESS_AGENTS_PLAYED"];
  if (played !== undefined && !played.split(",").includes(agent)) return;
  const locked = lockedAgents().find(({ name }) => name === agent);
  const program = locked && installedProgram(locked);
  if (program === undefined) return;

  describe(`${agent}, harness acp`, () => {
    it("an editor allows an edit, denies a command, and reads the answers", {
      timeout: patienceMs,
    }, async () => {
      const stage = await prepareStage({ agent, script, files: { ...usualFiles, "note.txt": "before\n" } });
      const child = spawn(
        process.execPath,
        [command, "acp", "--agent", agent, "--binary", program, "--", ...stage.prepared.args],
        { env: stage.env, cwd: stage.workspace, stdio: ["pipe", "pipe", "inherit"] },
      );
      const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
      const updates: SessionUpdate[] = [];
      const asked: string[] = [];
      const editor = client({ name: "editor" })
        .onNotification("session/update", ({ params }) => void updates.push(params.update))
        .onRequest("session/request_permission", ({ params: { toolCall } }) => {
          asked.push(`${toolCall.kind}: ${toolCall.title}`);
          const optionId = toolCall.kind === "execute" ? "deny" : "allow";
          return { outcome: { outcome: "selected", optionId } };
        })
        .connect(
          ndJsonStream(
            Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
            Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
          ),
        );
      try {
        await editor.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
        const cwd = stage.workspace;
        const { sessionId } = await editor.agent.request("session/new", { cwd, mcpServers: [] });
        const ask = (text: string) =>
          editor.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
        expect(await ask("Change the note")).toMatchObject({ stopReason: "end_turn" });
        expect(await ask("And again")).toMatchObject({ stopReason: "end_turn" });
        expect(asked).toContain("execute: touch denied.txt");
        expect(existsSync(join(cwd, "denied.txt"))).toBe(false);
        expect(statusesOf(updates)).toEqual(["read completed", "edit completed", "execute failed"]);
        const note = join(cwd, "note.txt");
        expect(JSON.stringify(updates)).toContain(JSON.stringify({ path: note }).slice(1, -1));
        expect(saidIn(updates)).toBe("It is done.A second answer.");
      } finally {
        child.stdin.end();
        await exited;
        await stage.close();
      }
      expect(await exited).toBe(0);
    });
  });
}

function statusesOf(updates: readonly SessionUpdate[]): string[] {
  const kinds = new Map<string, string>();
  return updates.flatMap((update) => {
    if (update.sessionUpdate === "tool_call") kinds.set(update.toolCallId, update.kind ?? "none");
    if (update.sessionUpdate !== "tool_call_update") return [];
    return [`${kinds.get(update.toolCallId)} ${update.status}`];
  });
}

function saidIn(updates: readonly SessionUpdate[]): string {
  return updates
    .flatMap((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
        ? [update.content.text]
        : [],
    )
    .join("");
}
