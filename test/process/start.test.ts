import { expect, it } from "vitest";
import { startProcess } from "../../src/process/start.js";
import { program } from "../runs/test-agent.js";

const minute = 60_000;

/** Starts a program with a kill delay of a minute, and waits for its first output. */
async function startUp(name: string) {
  let isUp: () => void = () => {};
  const up = new Promise<void>((resolve) => {
    isUp = resolve;
  });
  const started = startProcess({
    runId: `start-test-${process.pid}-${name}`,
    program: program(name),
    args: [],
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    killAfterMs: minute,
    onStdout: () => isUp(),
    onStderr() {},
    onEnd() {},
  });
  await up;
  return started;
}

it("kills at once, even while a polite stop is under way", async () => {
  const asked = await startUp("ignore-term");
  asked.stop();
  asked.kill();
  expect(await asked.ended).toMatchObject({ exitCode: null, signal: "SIGKILL", survivors: [] });
  const unasked = await startUp("ignore-term");
  unasked.kill();
  expect(await unasked.ended).toMatchObject({ exitCode: null, signal: "SIGKILL", survivors: [] });
});

it("lets an agent that is asked to end shut down by itself", async () => {
  const started = await startUp("hang");
  started.stop();
  expect(await started.ended).toMatchObject({ exitCode: null, signal: "SIGTERM", leftBehind: [] });
});
