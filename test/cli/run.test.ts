import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCapture } from "../support/captures.js";
import {
  commandPath,
  harness,
  jsonLines,
  program,
  programThatReplays,
  temporaryDirectory,
} from "./harness.js";

const run = (agent: string, binary: string, ...rest: string[]) => [
  "run",
  "-a",
  agent,
  "-p",
  "do it",
  "--binary",
  binary,
  ...rest,
];

describe("harness run", () => {
  it.each([
    ["claude", "files", 0],
    ["codex", "files", 0],
    ["opencode", "files", 0],
    ["cursor", "tools", 0],
    ["claude", "api401", 1],
    ["codex", "killed", 1],
    ["claude", "root-refused", 1],
  ])("%s %s: prints the unified stream and exits with %i", async (agent, scenario, exitCode) => {
    const result = await harness(run(agent, programThatReplays(agent, scenario), "--no-log"));
    const items = jsonLines(result.stdout);
    expect(result.exitCode).toBe(exitCode);
    expect(items[0]).toMatchObject({ type: "SessionStart", agent });
    expect(items.at(-1)).toMatchObject({ type: "Result", success: exitCode === 0 });
    expect(items.filter((item) => item["type"] === "Result")).toHaveLength(1);
  });

  it("records what was printed, as it was printed", async () => {
    const data = temporaryDirectory();
    const { exitCode } = await harness(run("claude", programThatReplays("claude", "text")), {
      env: { XDG_DATA_HOME: data },
    });
    const sessions = join(data, "harness", "sessions");
    const [folder, meta, ndjson] = readdirSync(sessions).sort();
    expect(exitCode).toBe(0);
    expect(statSync(join(sessions, ndjson ?? "")).mode & 0o777).toBe(0o600);
    expect(statSync(join(sessions, folder ?? "")).mode & 0o777).toBe(0o700);
    const raw = jsonLines(readFileSync(join(sessions, folder ?? "", "raw.jsonl")));
    expect(raw.slice(0, -1).map((record) => record["line"])).toEqual(readCapture("claude", "text").stdout);
    expect(raw.at(-1)).toMatchObject({ stream: "exit", exitCode: 0, signal: null, reason: "completed" });
    expect(JSON.parse(readFileSync(join(sessions, meta ?? ""), "utf8"))).toMatchObject({
      agent: "claude",
      prompt: "do it",
      outcome: { isSuccess: true },
    });
  });

  it("takes the prompt from standard input or a file, and arguments behind -- as they are", async () => {
    const echo = program(
      `console.log(JSON.stringify({ type: "result", is_error: false, subtype: "success", result: JSON.stringify(process.argv.slice(2)) }));`,
    );
    const args = [
      "run",
      "-a",
      "claude",
      "--binary",
      echo,
      "--no-log",
      "-f",
      "full",
      "--model",
      "m",
      "--",
      "--effort",
      "high",
    ];
    const { stdout } = await harness(args, { stdin: "from stdin please\n" });
    const passed = JSON.parse(String(jsonLines(stdout).at(-2)?.["text"]));
    expect(passed.slice(-4)).toEqual(["--effort", "high", "--", "from stdin please"]);
  });

  it("goes on without a recording when the folder cannot be written, with a warning, and the exit code tells", async () => {
    const { stdout, exitCode } = await harness(
      run("claude", programThatReplays("claude", "text"), "-f", "events"),
      {
        env: { XDG_DATA_HOME: "/proc/nowhere" },
      },
    );
    const events = jsonLines(stdout);
    expect(exitCode).toBe(74);
    expect(events.filter((event) => event["type"] === "warning")).toHaveLength(1);
    expect(events.some((event) => event["type"] === "agent")).toBe(true);
  });

  it("stops the agent quietly when the reader goes away", async () => {
    const endless = program(`setInterval(() => process.stdout.write('{"type":"x"}\\n'), 1);`);
    const script = `"$0" "$1" run -a claude -p x --no-log -f full --binary "$2" | head -n 3 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const { spawnSync } = await import("node:child_process");
    const { commandPath } = await import("./harness.js");
    const { stdout, stderr } = spawnSync("bash", ["-c", script, process.execPath, commandPath, endless], {
      encoding: "utf8",
    });
    expect(stdout.trim()).toBe("141");
    expect(stderr).toBe("");
  });

  it("ends a run that takes too long with exit code 124", async () => {
    const sleeper = program("setInterval(() => {}, 1000);");
    const { stdout, exitCode } = await harness(run("claude", sleeper, "--no-log", "--timeout", "0.3"));
    expect(exitCode).toBe(124);
    expect(jsonLines(stdout).find((item) => item["type"] === "Error")).toMatchObject({ code: "timed_out" });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends the agent and its stream at %s, with exit code %i", async (signal, exitCode) => {
    const sleeper = program(`console.log('{"type":"x"}'); setInterval(() => {}, 1000);`);
    const args = run("claude", sleeper, "--no-log", "-f", "full");
    const child = spawn(process.execPath, [commandPath, ...args], { stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    let isAsked = false;
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      // The agent's own line is there: it is running, and so is its supervisor.
      if (!isAsked && printed.includes('"unknown"')) isAsked = child.kill(signal);
    });
    const [code] = await once(child, "close");
    expect(code).toBe(exitCode);
    expect(jsonLines(printed).at(-1)).toMatchObject({ type: "exited", reason: "cancelled" });
  });

  it.each([
    [
      "a missing program",
      ["run", "-a", "claude", "-p", "x", "--no-log"],
      127,
      "not installed",
      { PATH: "/nowhere" },
    ],
    [
      "a bad working directory",
      run("claude", "/bin/true", "--no-log", "--cwd", "/nowhere"),
      2,
      "working directory",
      {},
    ],
  ])("%s: one sentence, a whole stream, and its exit code", async (_name, args, exitCode, words, env) => {
    const result = await harness(args, { env: env as Record<string, string> });
    expect(result.exitCode).toBe(exitCode);
    const items = jsonLines(result.stdout);
    expect(items.map((item) => item["type"])).toEqual(["SessionStart", "Error", "Result"]);
    expect(String(items[1]?.["message"])).toContain(words);
  });

  it.each([
    [["run", "-a", "claude", "-p", " "], "the prompt is empty"],
    [["run", "-a", "claude"], "the prompt is empty"],
    [["run", "-a", "codex", "-p", "x", "--max-turns", "3"], "cannot be given a limit of turns"],
    [["run", "-a", "claude", "-p", "x", "--timeout", "soon"], "it must be a length of time"],
    [["run", "-a", "claude", "-p", "x", "--env", "novalue"], "--env takes NAME=value"],
    [["run", "-a", "claude", "--prompt-file", "/nowhere"], "cannot read the prompt file"],
    [["run", "-p", "x", "-a", "nobody"], 'unknown agent "nobody"'],
  ])("%j is refused with exit code 2, and nothing is started", async (args, message) => {
    const { stderr, stdout, exitCode } = await harness(args);
    expect(stderr).toContain(message);
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(2);
  });
});
