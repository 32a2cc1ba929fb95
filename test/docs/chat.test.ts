import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { replayProgram } from "../live/support/drive.js";
import { temporaryDirectory } from "../runs/test-agent.js";

const chat = fileURLToPath(new URL("../../examples/chat/chat.mjs", import.meta.url));
const transcripts = fileURLToPath(new URL("../fixtures/live/", import.meta.url));

/** Types each line as soon as the output ends as its pattern says, and ends the input after the last one. */
async function talk(transcript: string, typed: readonly [after: RegExp, line: string][]): Promise<string> {
  const home = temporaryDirectory();
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(replayProgram("pipe"), join(bin, "claude"));
  const child = spawn(process.execPath, [chat, "claude"], {
    cwd: home,
    env: {
      PATH: `${bin}${delimiter}${process.env["PATH"]}`,
      HOME: home,
      REPLAY_TRANSCRIPT: join(transcripts, transcript),
    },
  });
  let shown = "";
  let read = 0;
  const waiting = [...typed];
  function type(): void {
    const next = waiting[0];
    if (next === undefined || !next[0].test(shown.slice(read))) return;
    read = shown.length;
    waiting.shift();
    if (next[1] === "end") child.stdin.end();
    else child.stdin.write(`${next[1]}\n`);
  }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
      type();
    });
  const [code] = await once(child, "close");
  expect(code, shown).toBe(0);
  return shown;
}

it("a chat shows what is asked, takes the answer, and goes on with the next prompt", async () => {
  const shown = await talk("stream-json-claude-2.1.325/permission-allow.jsonl", [
    [/> $/, "Make a file"],
    [/\[y\/N or a reason\]/, "y"],
    [/All\w+\.[\s\S]*> $/, "Make another"],
    [/\[y\/N or a reason\]/, "y"],
    [/> $/, "end"],
  ]);
  expect(shown).toMatchInlineSnapshot(`
    "> claude asks: run \`touch made.txt && echo made\`? [y/N or a reason]
    >   ran touch made.txt && echo made
    Allowed.
    > claude asks: run \`touch other.txt && echo other\`? [y/N or a reason]
    >   ran touch other.txt && echo other
    Second.
    > "
  `);
}, 30_000);

it("several requests of a turn are shown and answered one after the other", async () => {
  const shown = await talk("stream-json-claude-2.1.325/permission-parallel.jsonl", [
    [/> $/, "Make files"],
    [/\[y\/N or a reason\]/, "y"],
    [/\[y\/N or a reason\]/, "y"],
    [/\[y\/N or a reason\]/, "y"],
    [/\.\n> $/, "end"],
  ]);
  expect(shown.match(/asks: /g)).toHaveLength(3);
  expect(shown).toMatchInlineSnapshot(`
    "> claude asks: run \`touch a.txt\`? [y/N or a reason]
    >   ran touch a.txt
    claude asks: run \`touch b.txt\`? [y/N or a reason]
    >   ran touch b.txt
    claude asks: write /workspace/c.txt? [y/N or a reason]
    >   wrote /workspace/c.txt
    Done.
    > "
  `);
}, 30_000);
