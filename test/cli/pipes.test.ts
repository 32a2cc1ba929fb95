import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/live/run.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { record, startTestServer } from "../server/support.js";
import { commandPath, homeEnvironment, jsonLines, program, temporaryDirectory } from "./harness.js";

interface Ended {
  exitCode: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a program that must end by itself; one that hangs is killed, and has no exit code then. */
function finish(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { env: { ...process.env, ...homeEnvironment(), ...env }, timeout: 30_000 };
  return new Promise((resolve) => {
    execFile(command, args, { ...options, killSignal: "SIGKILL" }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const harness = (args: readonly string[], env?: Record<string, string>) =>
  finish(process.execPath, [commandPath, ...args], env);

function makePipe(path: string): string {
  execFileSync("mkfifo", [path]);
  return path;
}

const agent = program(`require("node:fs").writeFileSync("was-started", ""); console.log('{"n":1}');`);
const runArgs = (cwd: string, ...rest: string[]) => [
  "run",
  ...["-a", "generic", "-p", "x", "--binary", agent, "--cwd", cwd, "--format", "full", ...rest],
];

describe.skipIf(process.platform === "win32")("a named pipe", () => {
  it("that nobody reads is refused as output file, before anything is started", async () => {
    const directory = temporaryDirectory();
    const pipe = makePipe(join(directory, "out"));
    const { exitCode, stderr } = await harness(runArgs(directory, "-o", pipe));
    expect(stderr).toBe(
      `harness: ${pipe} cannot be written: nobody reads this pipe; start its reader first\n`,
    );
    expect(exitCode).toBe(2);
    expect(existsSync(join(directory, "was-started"))).toBe(false);
  });

  it("that is read is an output file", async () => {
    const directory = temporaryDirectory();
    const pipe = makePipe(join(directory, "out"));
    const words = [process.execPath, commandPath, ...runArgs(directory, "-o", pipe)];
    const script = `exec 3<>"$0"; cat <"$0" >"$0.copy" 3>&- & "$@"; code=$?; exec 3>&-; wait; exit $code`;
    const { exitCode, stdout } = await finish("bash", ["-c", script, pipe, ...words]);
    expect(exitCode).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "exited" });
    expect(readFileSync(`${pipe}.copy`, "utf8")).toBe(stdout);
  });

  it("whose reader goes away is told, and the run goes on", async () => {
    const directory = temporaryDirectory();
    const pipe = makePipe(join(directory, "out"));
    const chatty = program(`
      let count = 0;
      const timer = setInterval(() => { console.log('{"n":1}'); if (++count === 50) clearInterval(timer); }, 20);
    `);
    const words = [process.execPath, commandPath, ...runArgs(directory, "-o", pipe, "--binary", chatty)];
    const script = `exec 3<>"$0"; (head -1 <"$0" >/dev/null) & "$@" 3>&- & exec 3>&-; wait %2`;
    const { exitCode, stdout, stderr } = await finish("bash", ["-c", script, pipe, ...words]);
    expect(stderr).toContain(
      `the reader of the output file ${pipe} has closed it; the rest goes on without it`,
    );
    expect(jsonLines(stdout).filter(({ type }) => type === "unknown")).toHaveLength(50);
    expect(exitCode).toBe(74);
  });

  it.each(["raw.jsonl", "events.jsonl"])("as the %s of --record is refused", async (name) => {
    const directory = temporaryDirectory();
    const copy = join(directory, "copy");
    mkdirSync(copy);
    const pipe = makePipe(join(copy, name));
    const { exitCode, stderr } = await harness(runArgs(directory, "--record", copy));
    expect(stderr).toContain(`--record ${copy} cannot be written: ${pipe} exists and is not a file`);
    expect(exitCode).toBe(2);
  });

  it("as a file of recordTo does not hold up a run of the library", async () => {
    const directory = temporaryDirectory();
    makePipe(join(directory, "raw.jsonl"));
    const { result } = run({
      agent: "generic",
      prompt: "x",
      binary: agent,
      log: false,
      recordTo: directory,
      cwd: directory,
    });
    expect(await result).toMatchObject({
      isSuccess: true,
      recordingProblems: [expect.stringContaining("is a pipe or a socket, not a file")],
    });
  });

  it("that nobody reads is refused by an export", async () => {
    const data = temporaryDirectory();
    const id = await record(join(data, "harness", "sessions"), "claude", "text");
    const pipe = makePipe(join(data, "out.md"));
    const { exitCode, stderr } = await harness(["sessions", "export", id, "-o", pipe], {
      XDG_DATA_HOME: data,
    });
    expect(stderr).toBe(
      `harness: ${pipe} cannot be written: nobody reads this pipe; start its reader first\n`,
    );
    expect(exitCode).toBe(2);
  });
});

const parts = ["meta", "raw", "events", "ndjson"] as const;

describe.skipIf(process.platform === "win32").each(parts)("a recording whose %s is a named pipe", (part) => {
  async function recordAndSpoil(directory: string): Promise<string> {
    const good = await record(directory, "claude", "text");
    const id = await record(directory, "claude", "files");
    const path = recordingPaths(directory, id)[part];
    renameSync(path, `${path}.was`);
    makePipe(path);
    expect(good).not.toBe(id);
    return id;
  }

  it("holds up no command", async () => {
    const data = temporaryDirectory();
    const id = await recordAndSpoil(join(data, "harness", "sessions"));
    const env = { XDG_DATA_HOME: data };
    const list = await harness(["sessions", "list", "--json"], env);
    expect(list.exitCode).toBe(0);
    expect(JSON.parse(list.stdout)).toHaveLength(part === "meta" ? 1 : 2);
    for (const command of [
      ["show", id],
      ["replay", id],
      ["export", id],
      ["show", "last"],
      ["rm", id],
    ]) {
      const { exitCode, stderr } = await harness(["sessions", ...command], env);
      expect({ command, ended: typeof exitCode }).toEqual({ command, ended: "number" });
      if (exitCode !== 0)
        expect(stderr).toContain("is not read: it is a pipe, a device, a socket or a directory");
    }
  });

  it("holds up no page", async () => {
    const server = await startTestServer();
    const id = await recordAndSpoil(server.directory);
    const list = JSON.parse((await server.get("/api/runs")).text);
    expect(list.runs.length + list.unreadable.length).toBe(2);
    await server.get(`/api/runs/${id}/stream`);
    await server.get(`/api/runs/${id}/raw`);
  });
});
