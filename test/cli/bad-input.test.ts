import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commandPath, harness, jsonLines, temporaryDirectory } from "./harness.js";

/** A machine with two agents, which leave a trace when they are started, and a home with two recordings. */
const home = temporaryDirectory();
const work = join(home, "work");
const bin = join(home, "bin");
const trace = join(home, "started");
const env = {
  HOME: home,
  XDG_CACHE_HOME: join(home, "cache"),
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  PATH: `${bin}:${process.env["PATH"]}`,
};
const sessions = join(home, "data", "harness", "sessions");

const agent = `#!/usr/bin/env node
require("node:fs").writeFileSync(process.env.TRACE ?? ${JSON.stringify(trace)}, "");
console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "own-id", model: "m", cwd: process.cwd() }));
const said = JSON.stringify(process.argv.slice(2));
console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: said, session_id: "own-id" }));
`;

beforeAll(async () => {
  for (const directory of [work, bin]) mkdirSync(directory);
  for (const name of ["claude", "codex"]) {
    writeFileSync(join(bin, name), agent);
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(join(work, "empty.txt"), " \n");
  writeFileSync(join(work, "nul.txt"), "a\0b");
  writeFileSync(join(work, "latin.txt"), Buffer.from([0x63, 0xe9]));
  const silent = { ...env, TRACE: "/dev/null" };
  for (const prompt of ["one", "two"])
    await harness(["run", "-a", "claude", "-p", prompt], { cwd: work, env: silent });
});

const run = (...rest: string[]) => ["run", "-a", "claude", "-p", "do it", ...rest];

describe("what cannot be right is refused in a sentence that names it and the next step", () => {
  it.concurrent.each<[string[], string | RegExp]>([
    [["nonsense"], "unknown command 'nonsense'\nsee: harness --help"],
    [["ruun"], "unknown command 'ruun'; did you mean run?"],
    [["sessions", "lst"], "unknown command 'lst'; did you mean list?\nsee: harness sessions --help"],
    [["run", "-p", "x"], /several are installed \(claude, codex\); choose one with --agent/],
    [
      ["run", "-a", "clade", "-p", "x"],
      'unknown agent "clade"; did you mean "claude"? Known agents: claude,',
    ],
    [run("--promt", "x"), "unknown option '--promt'; did you mean --prompt?\nsee: harness run --help"],
    [run("--timeout"), "--timeout needs a value"],
    [
      run("--timeout", "0"),
      "--timeout '0': it must be a length of time such as 90s, 10m or 1h30m, or seconds",
    ],
    [
      run("--timeout", "-1"),
      "--timeout '-1': it must be a length of time such as 90s, 10m or 1h30m, or seconds",
    ],
    [
      run("--timeout", "1x"),
      "--timeout '1x': it must be a length of time such as 90s, 10m or 1h30m, or seconds",
    ],
    [run("--max-turns", "1.5"), "--max-turns '1.5': it must be a whole number above 0"],
    [
      run("--permissions", "yolo"),
      "--permissions 'yolo': it must be one of full-access, read-only. Did you mean",
    ],
    [
      run("--format", "stream-json"),
      /--format 'stream-json': it must be one of text, .* Did you mean ndjson\?/,
    ],
    [run("--format", "xml"), "--format 'xml': it must be one of text,"],
    [run("--cwd", ""), "--cwd '': it must not be empty"],
    [run("--resume", " "), "--resume ' ': it must not be empty"],
    [
      run("--model", "--dry-run"),
      "--model needs a value; to give it '--dry-run' as its value, write --model=--dry-run",
    ],
    [run("--model", "--", "x"), "--model needs a value"],
    [
      ["run", "fix", "it"],
      "unexpected argument 'it': quote a prompt of several words, as in harness run 'fix it'; arguments for the agent go after --",
    ],
    [
      run("fix", "--", "--effort"),
      "there are two prompts, 'fix' and that of --prompt: leave one of them out",
    ],
    [["run", "fix", "--prompt-file", "nul.txt"], "there are two prompts, 'fix' and that of --prompt-file"],
    [
      ["run", "codex", "fix", "it"],
      "'codex' is an agent, not a prompt: write harness run 'fix it' --agent codex",
    ],
    [
      ["run", "-a", "claude", "--allow", "read", "fix it"],
      "--allow takes every word up to the next option: put the prompt first",
    ],
    [
      run("--output", "run.pdf"),
      'there is no output "run.pdf"; it must be NAME, NAME=FILE, or a file that ends with .txt',
    ],
    [
      run("--output", "/no/such/place.html"),
      "--output html=/no/such/place.html cannot be written: there is no such",
    ],
    [run("--quiet", "--format", "json"), /--quiet' cannot be used with option/],
    [run("--env", "novalue"), "--env takes NAME=value"],
    [run("--extra-args", "'open"), "--extra-args takes plain words"],
    [
      run("--output-file", "/no/such/place"),
      "--output-file /no/such/place cannot be written: there is no such",
    ],
    [
      run("--output-file", "."),
      "--output-file . cannot be written: it is a directory, not a file; choose another place",
    ],
    [run("--record", "empty.txt"), /--record empty\.txt cannot be written: .* is a file, not a directory/],
    [run("--resume", "2"), '2 ids begin with "2"; give more of the id:'],
    [
      ["run", "-a", "codex", "-p", "x", "--resume", "last"],
      /is a run of claude, not of codex; add --agent claude/,
    ],
    [
      ["run", "-a", "codex", "-p", "x", "--max-turns", "3"],
      "a limit of turns (--max-turns, maxTurns); leave it out",
    ],
    [
      ["run", "-a", "codex", "-p", "x", "--max-budget-usd", "5"],
      "Codex cannot be given a budget (--max-budget-usd",
    ],
    [["run", "-a", "cursor", "-p", "x", "--system-prompt", "y"], "Cursor cannot be given a system prompt"],
    [
      ["run", "-a", "opencode", "-p", "x", "--append-system-prompt", "y"],
      "OpenCode cannot be given an addition",
    ],
    [
      ["run", "-a", "claude"],
      'the prompt is empty; give one as an argument, as in harness run "Fix the failing test", with',
    ],
    [["run", "-a", "claude", "--prompt-file", "empty.txt"], "the prompt is empty"],
    [["run", "-a", "claude", "--prompt-file", "nul.txt"], "the prompt file nul.txt is not text"],
    [["run", "-a", "claude", "--prompt-file", "latin.txt"], "the prompt file latin.txt is not valid UTF-8"],
    [["run", "-a", "claude", "--prompt-file", "nowhere"], "the prompt file nowhere: there is no such file"],
    [["run", "-a", "claude", "--prompt-file", "."], "the prompt file .: it is a directory, not a file"],
    [
      run("--thinking", "--format", "ndjson"),
      "--thinking is for --format text, not ndjson; leave one of them out",
    ],
    [
      run("--prompt-file", "nul.txt"),
      "'--prompt-file <file>' cannot be used with option '-p, --prompt <text>'",
    ],
    [
      run("--output-file", "-"),
      "--output-file - cannot be written: what is printed is on standard output anyway",
    ],
    [
      ["translate", "-a", "claude", "--explain", "-f", "json"],
      "'--explain' cannot be used with option '-f, --format",
    ],
    [["run", "-a", "bob", "-p", "x", "-m", "opus"], /^harness: IBM Bob cannot be given a model/],
    [run("--thinking", "--quiet"), "option '-q, --quiet' cannot be used with option '--thinking'"],
    [["demo", "--thinking", "-f", "events"], "--thinking is for --format text, not events"],
    [["sessions", "replay", "last", "--thinking", "-f", "json"], "--thinking is for --format text, not json"],
    [["translate", "a.jsonl", "-"], "standard input cannot be one of several logs; leave - out"],
    [["translate", "a.jsonl", "b.jsonl", "--run-id", "x"], "--run-id is for one log"],
    [["translate", "a.jsonl", "b.jsonl", "--output", "run.html"], "write --output html=DIR/"],
    [["translate", "a.jsonl", "b.jsonl", "-f", "html"], "as in --output html=pages/"],
    [["translate", "a.jsonl", "b.jsonl", "--jobs", "0"], "--jobs '0': it must be a whole number above 0"],
    [["sessions", "export"], 'name a run by its id, or "last", or choose runs with --all'],
    [["sessions", "export", "last", "--all"], "leave the ids out, or --all"],
    [["sessions", "export", "last", "--since", "2d"], "--since only counts with --all"],
    [["sessions", "export", "--all", "-o", "run.html"], "write --output html=DIR/"],
    [["translate", "-a", "claude", "--signal", "NOPE"], "--signal 'NOPE': it must be the name of a signal"],
    [["sessions", "list", "--agent", "claud"], 'unknown agent "claud"; did you mean "claude"?'],
    [["sessions", "list", "x"], "unexpected argument 'x': leave it out"],
    [
      ["sessions", "replay", "last", "--speed", "fast"],
      "--speed 'fast': it must be a number above 0, or max",
    ],
    [
      ["sessions", "export", "last", "-o", "run.pdf"],
      "the extension of run.pdf does not say which format is meant; choose one with --format",
    ],
    [
      ["sessions", "export", "last", "-o", "/no/such/x.md"],
      "cannot write /no/such/x.md: there is no such file",
    ],
    [["view", "--port", "99999"], "--port '99999': it must be a whole number between 0 and 65535"],
    [["view", "--directory", "/no/such"], "--directory /no/such: there is no such directory"],
    [["demo", "--agent", "nobody"], 'there is no demo of "nobody"; there is one of: claude'],
    [["completion", "powershell"], "'powershell': it must be one of bash, zsh, fish"],
    [["models", "resolve", "opus", "-a", "generic"], "cannot be given a model; choose another agent"],
  ])("%j", async (args, message) => {
    const { stdout, stderr, exitCode } = await harness(args, { cwd: work, env });
    expect(stderr).toMatch(typeof message === "string" ? new RegExp(escapeRegExp(message)) : message);
    expect(stderr).toMatch(/^harness: /);
    expect(exitCode).toBe(2);
    expect(stdout.toString()).toBe("");
    expect(existsSync(trace)).toBe(false);
    expect(readdirSync(work).sort()).toEqual(["empty.txt", "latin.txt", "nul.txt"]);
    expect(readdirSync(sessions).filter((name) => name.endsWith(".ndjson"))).toHaveLength(2);
  });
});

describe("what looks wrong and is not", () => {
  const quiet = { cwd: work, env: { ...env, TRACE: "/dev/null" } };

  it.each<[string, string[], string, string]>([
    ["a prompt that looks like an option", ["run", "-a", "claude", "--prompt=--dry-run", "--no-log"], "", ""],
    [
      "a prompt file that is standard input",
      ["run", "-a", "claude", "--prompt-file", "-", "--no-log"],
      "go on now",
      '"go on now"',
    ],
    ["extra arguments that look like options", run("--extra-args", "--model", "--no-log"), "", '"--model"'],
    ["arguments behind --", run("--no-log", "--", "--timeout", "x"), "", '"--timeout","x"'],
  ])("%s", async (_title, args, stdin, passed) => {
    const { stdout, exitCode } = await harness([...args], { ...quiet, stdin });
    expect(exitCode).toBe(0);
    expect(String(jsonLines(stdout).at(-1)?.["text"])).toContain(passed);
  });

  it("a program that is named from here, and works elsewhere", async () => {
    const args = ["--binary", "../bin/claude", "--cwd", "..", "--no-log", "--quiet"];
    const { stderr, exitCode } = await harness(run(...args), quiet);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  it("a success without an answer, which is said", async () => {
    const args = ["run", "-a", "generic", "--binary", "true", "-p", "x", "--quiet", "--no-log"];
    const { stdout, stderr, exitCode } = await harness(args, quiet);
    expect(stdout.toString()).toBe("");
    expect(stderr).toContain("succeeded without an answer");
    expect(exitCode).toBe(0);
  });

  it.each([["--help"], ["run", "--help"], ["--version"], ["list"]])(
    "a reader that is gone: %s %s",
    async (...args: string[]) => {
      const child = spawn(process.execPath, [commandPath, ...args], { env: { ...process.env, ...env } });
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      await once(child, "close");
      expect(stderr).toBe("");
    },
  );

  it("resumes a recording with the agent that made it, when none is named", async () => {
    const { stdout, exitCode } = await harness(["run", "-p", "go on", "--resume", "last", "--no-log"], quiet);
    expect(exitCode).toBe(0);
    expect(String(jsonLines(stdout).at(-1)?.["text"])).toContain('"--resume","own-id"');
  });

  it("says why an isolated run cannot be continued", async () => {
    const at = { cwd: work, env: { ...env, TRACE: "/dev/null", XDG_DATA_HOME: temporaryDirectory() } };
    await harness(["run", "-a", "claude", "-p", "x", "--isolated"], at);
    const { stderr, exitCode } = await harness(["run", "-p", "go on", "--resume", "last"], at);
    expect(stderr).toMatch(/^harness: the recording \S+ cannot be continued: the run was isolated/);
    expect(exitCode).toBe(2);
    const shown = await harness(["sessions", "show", "last"], at);
    expect(shown.stdout.toString()).toContain("it went with the home of the isolated run");
  });

  it("one agent of the user's own that cannot be defined does not hide the others", async () => {
    const cwd = temporaryDirectory();
    writeFileSync(
      join(cwd, "harness.toml"),
      '[agents.own]\nmodule = "./gone.mjs"\n[agents."no id"]\ntranslator = "claude"\n',
    );
    const { stdout, stderr, exitCode } = await harness(["list", "--trust"], { ...quiet, cwd });
    expect(stdout.toString()).toContain("claude");
    expect(stdout.toString()).toMatch(/^own +own +not installed/m);
    expect(stderr).toBe(
      'harness: the agent "no id" cannot be defined: its id must be letters, digits, - and _\n',
    );
    expect(exitCode).toBe(0);
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
