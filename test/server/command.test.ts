import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCells } from "../../src/batch/make-cells.js";
import type { BatchList } from "../../src/server/batch-protocol.js";
import { commandPath, harness } from "../cli/harness.js";
import { writeBatch } from "../support/write-batch.mjs";
import { temporaryDirectory } from "./support.js";

/** `harness view` as a user starts it, once it has printed its address. */
async function start(...args: string[]): Promise<{ child: ChildProcess; url: string; stderr: () => string }> {
  const home = temporaryDirectory();
  const child = spawn(process.execPath, [commandPath, "view", ...args], {
    cwd: home,
    env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let stdout = "";
  for await (const chunk of child.stdout) {
    stdout += chunk;
    const url = /http:\/\/\S+/.exec(stdout)?.[0];
    if (url !== undefined) return { child, url, stderr: () => stderr };
  }
  throw new Error(`no address: ${stdout}${stderr}`);
}

describe("harness view", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("serves its page on loopback until %s", async (signal) => {
    const { child, url, stderr } = await start("--port", "0");
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(stderr()).toBe("");
    const answer = await fetch(url, { redirect: "manual" });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await fetch(new URL("/", url), { headers: { cookie } });
    expect(await page.text()).toContain("<title>harness</title>");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("warns when others can reach it", async () => {
    const { stderr } = await start("--port", "0", "--host", "0.0.0.0");
    expect(stderr()).toMatch(/warning: 0\.0\.0\.0 can be reached from other machines/);
  });

  it("says what to do when its port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { exitCode, stderr } = await harness(["view", "--port", String(port)]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/port \d+ is in use; choose another/);
  });

  it.each(["-1", "65536", "x"])("refuses the port %s", async (port) => {
    expect((await harness(["view", "--port", port])).exitCode).toBe(2);
  });

  it.each(["--directory", "--batches"])("refuses %s with a directory that does not exist", async (option) => {
    const { exitCode, stderr } = await harness(["view", option, "/does/not/exist"]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(`${option} /does/not/exist: there is no such directory`);
  });

  it("shows the batches of another directory", async () => {
    const batches = temporaryDirectory();
    const plan = { tasks: [{ id: "one" }], arms: [{ agent: "claude" }] };
    writeBatch({ batches, id: "b", makeCells, plan });
    const { url } = await start("--port", "0", "--batches", batches);
    const { origin, searchParams } = new URL(url);
    const headers = { authorization: `Bearer ${searchParams.get("token")}` };
    const list = (await (await fetch(`${origin}/api/batches`, { headers })).json()) as BatchList;
    expect(list.batches.map(({ id }) => id)).toEqual(["b"]);
  });
});
