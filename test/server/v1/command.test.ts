import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServerAddress } from "../../../src/server/announced-server.js";
import { commandPath, harness } from "../../cli/harness.js";
import { temporaryDirectory } from "../support.js";

const token = "0123456789abcdef".repeat(3);

/** `harness view --json` as a program starts it, once it has printed its line. */
async function start(home: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [commandPath, "view", "--json", "--port", "0"], {
    cwd: home,
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_STATE_HOME: home,
      XDG_CONFIG_HOME: home,
      HARNESS_TRUST: "1",
      ...env,
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, address: JSON.parse(await firstLineOf(child)) as ServerAddress };
}

async function firstLineOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) return text;
  }
  throw new Error(`it printed ${text}${(await stderr?.toArray())?.join("")}`);
}

describe("harness view --json", () => {
  it("prints one line that lets a program in, and is found by others while it runs", async () => {
    const home = temporaryDirectory();
    const files = join(home, "harness", "view");
    mkdirSync(files, { recursive: true });
    // One that was killed, and one that is no server at all.
    writeFileSync(join(files, "1.json"), JSON.stringify({ pid: 2 ** 22 + 1 }));
    writeFileSync(join(files, "2.json"), "{");
    const { child, address } = await start(home);
    expect(Object.keys(address)).toEqual(["url", "api", "token", "port", "pid"]);
    const [name = "", ...more] = readdirSync(files);
    expect([name, more]).toEqual([`${address.port}.json`, []]);
    expect(statSync(join(files, name)).mode & 0o777).toBe(0o600);
    const found = JSON.parse(readFileSync(join(files, name), "utf8"));
    expect(found).toMatchObject({ ...address, directory: join(home, "harness", "sessions") });
    const headers = { authorization: `Bearer ${found.token}` };
    const status = await (await fetch(`${found.api}/status`, { headers })).json();
    expect(status).toMatchObject({ api: 1, pid: child.pid, directory: found.directory });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(existsSync(join(files, name))).toBe(false);
  });

  it("takes its token from the environment, and does not hand it to agents", async () => {
    const home = temporaryDirectory();
    writeFileSync(
      join(home, "harness.toml"),
      `[agents.generic]\nbinary = "${process.execPath}"\nextra_args = ["-e", "console.log(JSON.stringify(process.env))"]\n`,
    );
    const { address } = await start(home, { HARNESS_VIEW_TOKEN: token });
    expect(address.token).toBe(token);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ agent: "generic", prompt: "x" });
    const started = await fetch(`${address.api}/runs`, { method: "POST", headers, body });
    const { id } = (await started.json()) as { id: string };
    const ended = await (await fetch(`${address.api}/runs/${id}?wait=60`, { headers })).json();
    expect(ended).toMatchObject({ run: { outcome: "completed" } });
    const raw = await (await fetch(`${address.api}/runs/${id}/raw`, { headers })).text();
    expect(raw).toContain("HARNESS_RUN_ID");
    expect(raw).not.toContain(token);
  });

  it("refuses a token that is easy to guess, or does not fit into an address", async () => {
    for (const given of ["0123456789", `${token} `]) {
      const env = { HARNESS_VIEW_TOKEN: given };
      const { exitCode, stdout, stderr } = await harness(["view", "--json", "--port", "0"], { env });
      expect([exitCode, stdout.length]).toEqual([2, 0]);
      expect(stderr).toMatch(/the token must have 32 to 256 letters.*openssl rand -hex 32/);
      expect(stderr).not.toContain(given);
    }
  });
});

it("harness view --openapi prints the description that is published", async () => {
  const { exitCode, stdout } = await harness(["view", "--openapi"]);
  expect(exitCode).toBe(0);
  const published = readFileSync(new URL("../../../docs/reference/openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(stdout.toString())).toEqual(JSON.parse(published));
});
