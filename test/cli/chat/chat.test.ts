import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { harness, homeEnvironment, jsonLines, temporaryDirectory } from "../harness.js";
import { openTerminal, type Terminal } from "./terminal.js";

const agentProgram = fileURLToPath(new URL("../../live/acp/sdk-agent.mjs", import.meta.url));

/** A workspace, and a program that Goose's protocol is spoken with. */
function workspace(): { cwd: string; agent: string[] } {
  const cwd = temporaryDirectory();
  const binary = join(cwd, "agent");
  writeFileSync(binary, `#!/bin/sh\nexec "${process.execPath}" "${agentProgram}"\n`);
  chmodSync(binary, 0o755);
  return { cwd, agent: ["-a", "goose", "--binary", binary] };
}

const readRules = ["read", "search", "list", "skill"].flatMap((rule) => ["--allow", rule]);
const esc = "\u001b";

describe.concurrent("a chat through a pipe", () => {
  it("has a turn for each line, and the rules decide", async () => {
    const { cwd, agent } = workspace();
    const { stdout, exitCode } = await harness(
      ["chat", "say hello", ...agent, ...readRules, "--allow", "command: npm test"],
      { cwd, stdin: "ask npm test\n\n  \nask git push\r\nsay last" },
    );
    const messages = jsonLines(stdout).filter(({ type }) => type === "Message");
    expect(messages.map(({ text }) => text)).toEqual([
      "say hello",
      "hello",
      "ask npm test",
      "answered with yes",
      "ask git push",
      "answered with no",
      "say last",
      "last",
    ]);
    expect(exitCode).toBe(0);
  });

  it("fails if any turn fails, and goes on with the next line", async () => {
    const { cwd, agent } = workspace();
    const args = ["chat", ...agent, "--permissions", "full-access", "-f", "text"];
    const { stdout, exitCode } = await harness(args, { cwd, stdin: "fail at once\nsay after\n" });
    expect(stdout.toString()).toContain("Turn 1 failed");
    expect(stdout.toString()).toContain("Turn 2 completed");
    expect(exitCode).toBe(1);
  });

  it.each([
    ["nobody can answer", ["--permissions", "ask"], "nobody can answer in a chat without a terminal"],
    ["the format is of whole sessions", ["--attach", "last", "-f", "json"], "choose text or ndjson"],
    ["nobody can be joined", ["--attach", "last"], "no live session runs now"],
    ["words are not quoted", ["one", "two"], "as in harness chat 'one two'"],
  ])("is refused if %s", async (_name, given, words) => {
    const { cwd, agent } = workspace();
    const args = given.includes("--attach") ? given : [...given, ...agent];
    const { stderr, exitCode } = await harness(["chat", ...args], { cwd, stdin: "say x" });
    expect(stderr).toContain(words);
    expect(exitCode).toBe(2);
  });
});

/** Waits for the line at the bottom, and what is typed in it. */
async function sees(terminal: Terminal, line: string): Promise<void> {
  await terminal.sees(line);
  expect(terminal.rows[terminal.cursor.row]?.trimEnd()).toBe(line);
}

describe.concurrent("a chat on a terminal", () => {
  it("asks with one key, keeps a half-typed line, queues, interrupts and ends", async () => {
    const { cwd, agent } = workspace();
    const terminal = openTerminal(["chat", ...agent, "--ask", "command"], { cwd });
    await terminal.sees("Write a prompt, or /help");
    terminal.type("ask npm test\r");
    await terminal.sees("y yes · n no · a always in this session: command: npm test");
    terminal.type("x");
    terminal.type("y");
    await terminal.sees("Turn 1 completed");
    expect(terminal.rows.join("\n")).toMatch(/\? Asked to run npm test +allowed by you/);

    terminal.type("ask rm -rf x\r");
    await terminal.sees("wants to run rm -rf x");
    terminal.type("n");
    await terminal.sees(/Asked to run rm -rf x +denied by you/);

    terminal.type("ask make\r");
    await terminal.sees("wants to run make");
    terminal.type("a");
    await terminal.sees("Added until the session ends: allow command: make");
    await terminal.sees("Turn 3 completed");
    terminal.type("/rules\r");
    await terminal.sees(/ask +command\n.*allow +command: make {2}\(added by you\)/);

    terminal.type("wait\r");
    await terminal.sees("Enter queues a prompt");
    terminal.type("say 你好\r");
    await terminal.sees("queued: say 你好");
    terminal.type("half");
    await sees(terminal, "> half");
    terminal.type("\u0003");
    await terminal.sees("> Enter queues a prompt");
    terminal.type("\u0003");
    await terminal.sees("Turn 4 interrupted");
    await terminal.sees("Turn 5 completed");
    terminal.type("/quti\r");
    await terminal.sees("there is no command /quti (did you mean /quit?)");
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
    expect(terminal.rows.join("\n")).toMatch(/✓ Completed[\s\S]*Recording[\s\S]*harness chat --resume \d/);
    const history = join(homeEnvironment().XDG_DATA_HOME, "harness", "chat-history.jsonl");
    expect(statSync(history).mode & 0o777).toBe(0o600);
    expect(readFileSync(history, "utf8")).toContain('"say 你好"\n');
  });

  it("keeps a pasted text as one prompt, and a line that is being typed when the agent asks", async () => {
    const { cwd, agent } = workspace();
    const terminal = openTerminal(["chat", ...agent, "--permissions", "ask"], { cwd, columns: 40 });
    await terminal.sees("Write a prompt, or /help");
    terminal.type(`${esc}[200~say one\r\ntwo ${esc}[31mred${esc}[201~`);
    terminal.type(`${esc}\rthree\\\rfour`);
    await sees(terminal, "  four");
    terminal.type("\r");
    await terminal.sees("Turn 1 completed");
    expect(terminal.rows.join("\n")).toContain("> say one\n  two red\n  three\n  four");
    // The second prompt asks while a third one is being typed: its keys are no answers.
    terminal.type("wait\rask npm test\ry");
    await terminal.sees("queued: ask npm test");
    await sees(terminal, "> y");
    terminal.type("\u0003");
    terminal.type("\u0003yes, go ");
    await terminal.sees("wants to run npm test");
    // The keys count as answers again when they are shown.
    await terminal.sees(/^y yes/m);
    expect(terminal.rows.join("\n")).not.toContain("allowed by you");
    terminal.resize(60, 20);
    terminal.type("n");
    await terminal.sees("denied by you");
    await terminal.sees(/> yes, go *$/m);
    terminal.type("\u0003\u0004");
    await terminal.ended;
  });

  it("can be joined from another terminal and from a pipe, which leave it running, until it is killed", async () => {
    const { cwd, agent } = workspace();
    const env = { XDG_DATA_HOME: join(cwd, "data") };
    const first = openTerminal(["chat", "ask npm test", ...agent, "--permissions", "ask"], { cwd, env });
    await first.sees("wants to run npm test");
    const second = openTerminal(["chat", "--attach", "last"], { cwd, env, columns: 100 });
    await second.sees("wants to run npm test");
    second.type("y");
    await first.sees("Turn 1 completed");
    await second.sees("Turn 1 completed");
    second.type("say from the other one\r");
    await first.sees("Turn 2 completed");
    second.type("\u0004");
    expect(await second.ended).toBe(0);
    expect(second.rows.join("\n")).toContain("The session goes on. Join it again: harness chat --attach");

    const piped = await harness(["chat", "--attach", "last"], { cwd, env, stdin: "say piped\nfail it\n" });
    const messages = jsonLines(piped.stdout).filter(({ type }) => type === "Message");
    expect(messages.map(({ text }) => text)).toEqual(["say piped", "piped", "fail it"]);
    expect(piped.exitCode).toBe(1);
    await first.sees("Turn 4 failed");

    const third = openTerminal(["chat", "--attach", "last"], { cwd, env });
    await third.sees("Turn 4 failed");
    const [sidecar] = await recordings.list({ directory: join(env.XDG_DATA_HOME, "harness", "sessions") });
    process.kill(sidecar?.meta.harness?.pid ?? Number.NaN, "SIGKILL");
    expect(await first.ended).toBe(128 + 9);
    expect(await third.ended).toBe(1);
    expect(third.rows.join("\n")).toMatch(/✗ Interrupted/);
  });

  it("is plain lines where the cursor cannot move", async () => {
    const { cwd, agent } = workspace();
    const terminal = openTerminal(["chat", ...agent, "--permissions", "ask"], { cwd, env: { TERM: "dumb" } });
    terminal.type("ask npm test\n");
    await terminal.sees("y yes · n no");
    terminal.type("n not now\n");
    await terminal.sees("Turn 1 completed");
    expect(terminal.rows.join("\n")).toContain("denied by you");
    terminal.type("/quit\n");
    expect(await terminal.ended).toBe(0);
  });
});
