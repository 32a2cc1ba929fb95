import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { type ProcessOutput, readOutput } from "../../src/process/output.js";
import { program } from "../runs/test-agent.js";
import { countTurns, spin } from "./turn-count.js";

/** The time for translating, recording and printing ten-byte lines: 64 ms for a full chunk of 64 KB. */
const msPerByte = 0.001;

function startFlood(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Reads several floods at the same time, up to a total number of bytes. */
async function readFloods(floods: number): Promise<{ longestTurnMs: number; bytes: number[] }> {
  const turns = countTurns();
  const bytes: number[] = Array.from({ length: floods }, () => 0);
  const outputs: ProcessOutput[] = [];
  await new Promise<void>((resolve) => {
    for (let flood = 0; flood < floods; flood++) {
      const output = readOutput(startFlood("yes", ["123456789"]), {
        onStdout(piece) {
          spin(piece.length * msPerByte);
          turns.add(piece.length);
          bytes[flood] = (bytes[flood] ?? 0) + piece.length;
          if (turns.total > 300_000) resolve();
        },
        onStderr: () => undefined,
        onEnd: () => undefined,
      });
      outputs.push(output);
    }
  });
  for (const output of outputs) output.close();
  return { longestTurnMs: turns.most() * msPerByte, bytes };
}

it.each([1, 5])(
  "leaves the event loop its turns, however fast programs print (%i at once)",
  async (floods) => {
    expect((await readFloods(floods)).longestTurnMs).toBeLessThan(50);
  },
);

it("reads all floods, not only the first", async () => {
  const { bytes } = await readFloods(4);
  expect(Math.min(...bytes)).toBeGreaterThan(20_000);
});

it("emits everything in order, and the end after it, even if it is behind when the program exits", async () => {
  const child = startFlood(program("flood.mjs"), ["200"]);
  let text = "";
  const ended: string[] = [];
  const output = readOutput(child, {
    onStdout(piece) {
      spin(piece.length * msPerByte);
      text += piece.toString();
    },
    onStderr: () => undefined,
    onEnd: (stream) => ended.push(`${stream} after ${text.length}`),
  });
  await once(child, "exit");
  expect(await output.drain()).toBe(false);
  const lines = text.trimEnd().split("\n").slice(0, -1);
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 200 }, (_value, n) => n));
  expect(ended).toContain(`stdout after ${text.length}`);
});

it("holds back what was already read while it is paused", async () => {
  const pieces: number[] = [];
  await new Promise<void>((resolve) => {
    const output = readOutput(startFlood("yes", ["123456789"]), {
      onStdout(piece) {
        spin(piece.length * msPerByte);
        pieces.push(piece.length);
        output.setPaused("stdout");
        setImmediate(() => output.setPaused("nothing"));
        if (pieces.length === 20) resolve();
      },
      onStderr: () => undefined,
      onEnd: () => undefined,
    });
  });
  expect(Math.max(...pieces) * msPerByte).toBeLessThan(10);
});
