import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { readOutput } from "../../src/process/output.js";
import { program } from "../runs/test-agent.js";

function start(name: string, args: readonly string[]) {
  const child = spawn(program(name), args, { stdio: ["ignore", "pipe", "pipe"] });
  const read = { bytes: 0, ended: [] as string[] };
  const count = (chunk: Buffer) => {
    read.bytes += chunk.length;
  };
  const output = readOutput(child, {
    onStdout: count,
    onStderr: count,
    onEnd: (stream) => read.ended.push(stream),
  });
  return { child, read, output };
}

it("reads what is left in the pipe after the exit, even if it was paused", async () => {
  const { child, read, output } = start("flood.mjs", ["100"]);
  output.setPaused("both");
  await once(child, "exit");
  expect(read.bytes).toBeLessThan(90_000);
  await output.drain();
  expect(read.bytes).toBeGreaterThan(97_000);
  expect(read.ended.sort()).toEqual(["stderr", "stdout"]);
});

it("cannot be paused again after the exit", async () => {
  const { child, read, output } = start("flood.mjs", ["100"]);
  output.setPaused("both");
  await once(child, "exit");
  const drained = output.drain();
  output.setPaused("both");
  await drained;
  expect(read.bytes).toBeGreaterThan(97_000);
});
