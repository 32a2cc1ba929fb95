import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import { connectControl } from "../../../src/live/control/connect-control.js";
import { findLiveSession } from "../../../src/live/control/find-live-session.js";
import { call, custom, runCommand, type Scenario, say, writeFile } from "../../../src/testing/index.js";
import { openTerminal } from "../../cli/chat/terminal.js";
import { patienceMs } from "../live-run.js";
import { usualFiles } from "../scenarios/usual-files.js";
import { conversationOf } from "../seen.js";
import { prepareStage } from "../stage.js";

const endless = "echo begun > begun.trace; sleep 300; echo late > late.trace";

const question = custom("AskUserQuestion", {
  questions: [
    {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [
        { label: "Red", description: "Warm" },
        { label: "Blue", description: "Cold" },
      ],
    },
  ],
});

const script: Scenario = {
  turns: [
    [say("First answer.")],
    [call(writeFile("fresh.txt", "new words\n"))],
    [say("Written.")],
    [call(runCommand("touch denied.txt"))],
    [say("Denied.")],
    [call(runCommand("touch elsewhere.txt"))],
    [say("Allowed elsewhere.")],
    [call(runCommand(endless))],
    [say("After.")],
    [call(question)],
    [say("Chosen.")],
    [say("Gone on.")],
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
      const stage = await prepareStage({ agent, script, files: usualFiles });
      const { workspace, env, prepared, model, home } = stage;
      const inWorkspace = (name: string): string => join(workspace, name);
      try {
        const data = join(home, "data");
        const given = ["-a", agent, "--binary", program, "--permissions", "ask", "--", ...prepared.args];
        const args = ["chat", ...given];
        const options = { cwd: workspace, env: { ...env, XDG_DATA_HOME: data, TERM: "xterm-256color" } };
        const terminal = openTerminal(["chat", "Say hello", ...given], options);
        await terminal.sees("Turn 1 completed");

        terminal.type("Write it down\r");
        await terminal.sees("+new words");
        expect(existsSync(inWorkspace("fresh.txt"))).toBe(false);
        terminal.type("y");
        await terminal.sees("Turn 2 completed");
        expect(readFileSync(inWorkspace("fresh.txt"), "utf8")).toBe("new words\n");

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

        terminal.type("/model opus\r");
        await terminal.sees("Model from the next turn on: opus");
        terminal.type("Ask me\r");
        await terminal.sees("2  Blue – Cold");
        terminal.type("2\r");
        await terminal.sees("Turn 7 completed");
        const answered = conversationOf(model.requests).at(-1);
        expect(JSON.stringify(answered?.toolResults)).toContain("Blue");
        expect(answered?.model).toContain("opus");
        terminal.type("\u0004");
        expect(await terminal.ended).toBe(0);
        expect(existsSync(inWorkspace("late.trace"))).toBe(false);

        const [, id = ""] = /--resume (\S+)/.exec(terminal.rows.join("\n")) ?? [];
        const other = openTerminal(args, options);
        await other.sees("Write a prompt, or /help");
        other.type("/resume\r");
        await other.sees(`${id}  Say hello`);
        other.type(`/resume ${id}\r`);
        await other.sees(/Talking with[\s\S]*Talking with/);
        other.type("Go on\r");
        await other.sees("Gone on.");
        expect(JSON.stringify(conversationOf(model.requests).at(-1)?.body)).toContain("Say hello");
        other.type("\u0004");
        expect(await other.ended).toBe(0);
      } finally {
        await stage.close();
      }
    });
  });
}
