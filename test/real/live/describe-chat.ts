import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import { connectControl } from "../../../src/live/control/connect-control.js";
import { findLiveSession } from "../../../src/live/control/find-live-session.js";
import { call, editFile, runCommand, type Scenario, say } from "../../../src/testing/index.js";
import { openTerminal } from "../../cli/chat/terminal.js";
import { patienceMs } from "../live-run.js";
import { conversationOf } from "../seen.js";
import { prepareStage } from "../stage.js";

const endless = "echo begun > begun.trace; sleep 300; echo late > late.trace";

const script: Scenario = {
  turns: [
    [say("First answer.")],
    [call(editFile("notes.txt", "old words", "new words"))],
    [say("Edited.")],
    [call(runCommand("touch denied.txt"))],
    [say("Denied.")],
    [call(runCommand("touch elsewhere.txt"))],
    [say("Allowed elsewhere.")],
    [call(runCommand(endless))],
    [say("After.")],
  ],
};

/**
 * `harness chat` on a real terminal with the real program of an agent: turns, a request that is allowed and one that is denied with a
 * reason, one that this process answers over the control channel, and an interrupt.
 */
export function describeChat(agent: string): void {
  const locked = lockedAgents().find(({ name }) => name === agent);
  const program = locked && installedProgram(locked);
  if (program === undefined) return;

  describe(`${agent}, in a chat`, () => {
    it("turns, requests answered by keys and by another process, an interrupt", {
      timeout: 2 * patienceMs,
    }, async () => {
      const files = { "notes.txt": "first line\nold words\n" };
      const stage = await prepareStage({ agent, script, files });
      const { workspace, env, prepared, model, home } = stage;
      const inWorkspace = (name: string): string => join(workspace, name);
      try {
        const data = join(home, "data");
        const terminal = openTerminal(
          [
            "chat",
            "Say hello",
            "-a",
            agent,
            "--binary",
            program,
            "--permissions",
            "ask",
            "--",
            ...prepared.args,
          ],
          { cwd: workspace, env: { ...env, XDG_DATA_HOME: data } },
        );
        await terminal.sees("Turn 1 completed");

        terminal.type("Edit the notes\r");
        await terminal.sees("+new words");
        expect(terminal.rows.join("\n")).toContain("-old words");
        expect(readFileSync(inWorkspace("notes.txt"), "utf8")).toContain("old words");
        terminal.type("y");
        await terminal.sees("Turn 2 completed");
        expect(readFileSync(inWorkspace("notes.txt"), "utf8")).toContain("new words");

        terminal.type("Make a file\r");
        await terminal.sees("wants to run touch denied.txt");
        terminal.type("e");
        await terminal.sees("Why not?");
        terminal.type("use another name\r");
        await terminal.sees("Turn 3 completed");
        expect(existsSync(inWorkspace("denied.txt"))).toBe(false);
        expect(JSON.stringify(conversationOf(model.requests).at(-1)?.toolResults)).toContain(
          "use another name",
        );

        terminal.type("Make another file\r");
        await terminal.sees("wants to run touch elsewhere.txt");
        const { address } = await findLiveSession("last", { directory: join(data, "harness", "sessions") });
        const control = await connectControl(address);
        const [request] = (await control.state()).requests;
        await control.answer(request?.requestId ?? "", { allow: true });
        await terminal.sees("Turn 4 completed");
        control.disconnect();
        expect(existsSync(inWorkspace("elsewhere.txt"))).toBe(true);

        terminal.type("Wait for it\r");
        await terminal.sees("wants to run echo begun");
        terminal.type("y");
        await expect.poll(() => existsSync(inWorkspace("begun.trace")), { timeout: patienceMs }).toBe(true);
        terminal.type("\u0003");
        await terminal.sees("Turn 5 interrupted");
        terminal.type("Go on\r");
        await terminal.sees("Turn 6 completed");
        terminal.type("\u0004");
        expect(await terminal.ended).toBe(0);
        expect(existsSync(inWorkspace("late.trace"))).toBe(false);
      } finally {
        await stage.close();
      }
    });
  });
}
