import { spawn } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandPath, harness, homeEnvironment, jsonLines, program, temporaryDirectory } from "./harness.js";

/** A project, and a user who has trusted nothing yet. */
function createProject(toml: string) {
  const cwd = realpathSync(temporaryDirectory());
  const file = join(cwd, "harness.toml");
  const env = { XDG_STATE_HOME: temporaryDirectory() };
  writeFileSync(file, toml);
  const run = async (args: readonly string[], more: Record<string, string> = {}) => {
    const result = await harness(args, { cwd, env: { ...env, ...more } });
    return { ...result, stdout: result.stdout.toString() };
  };
  return { cwd, file, env, run };
}

const echo = `console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false,
  result: JSON.stringify([process.argv.slice(2), process.env]) }));`;

describe("harness trust", () => {
  it("shows all that the file would set and the files that it names, asks, and records", async () => {
    const { cwd, file, run } = createProject(
      '[agents.claude]\nbinary = "./bin"\nenv = { ANTHROPIC_BASE_URL = "https://example.com" }\n',
    );
    writeFileSync(join(cwd, "bin"), "");
    const asked = await run(["trust"]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain("cannot ask whether to trust");
    expect(asked.stdout).toContain('agents.claude.env.ANTHROPIC_BASE_URL = "https://example.com"');
    expect(asked.stdout).toContain(`which are trusted as they are now:\n  ${join(cwd, "bin")}\n`);
    expect((await run(["trust", "--list"])).stderr).toContain("nothing is trusted");
    expect((await run(["trust", "--yes"])).stdout).toContain(`${file} is trusted until it changes\n`);
    expect((await run(["config", "show"])).stderr).toBe("");
    expect((await run(["trust"])).stdout).toBe(`${file} is already trusted\n`);
  });

  it("leaves nothing out of what it shows, however it is written", async () => {
    const { run } = createProject(
      String.raw`[agents.claude]
extra_args = ["--append-system-prompt", "Be brief\u009d.", "--settings", "{}", "--append-system-prompt", "\u009cand kind"]
env = { "A\u009dB" = "x\u202ey\nz" }
`,
    );
    const { stdout } = await run(["trust"]);
    expect(stdout).toContain(
      String.raw`"Be brief\u009d.","--settings","{}","--append-system-prompt","\u009cand kind"`,
    );
    expect(stdout).toContain(String.raw`"agents.claude.env.A\u009dB" = "x\u202ey\nz"`);
  });

  it("lists what is trusted and what has become of it, and takes it back", async () => {
    const { cwd, file, run } = createProject('[agents.claude]\nbinary = "claude"\n');
    await run(["trust", "--yes", cwd]);
    expect(JSON.parse((await run(["trust", "--json"])).stdout)).toMatchObject([
      { path: file, state: "trusted" },
    ]);
    writeFileSync(file, '[agents.claude]\nbinary = "other"\n');
    expect((await run(["trust", "--list"])).stdout).toMatch(new RegExp(`${file} +changed +20`));
    const told = await run(["list"]);
    expect(told.stderr).toContain(`${file} has changed since it was trusted, so`);
    rmSync(file);
    expect((await run(["trust", "--list"])).stdout).toContain("gone");
    expect((await run(["trust", "--revoke", cwd])).stdout).toBe(`${file} is no longer trusted\n`);
    expect((await run(["trust", "--revoke", file])).stderr).toContain("was not trusted");
  });

  it("names the module that changed", async () => {
    const { cwd, run } = createProject('[agents.own]\nmodule = "./own.mjs"\n');
    writeFileSync(join(cwd, "own.mjs"), "1");
    await run(["trust", "--yes"]);
    writeFileSync(join(cwd, "own.mjs"), "2");
    const { stderr, exitCode } = await run(["run", "-a", "own", "-p", "x"]);
    expect(stderr).toContain(`is not trusted any more: ${join(cwd, "own.mjs")}, which it names, has changed`);
    expect(exitCode).toBe(2);
  });

  it("has nothing to do for a file that needs none, and says when there is none", async () => {
    const { run } = createProject('default_agent = "codex"\n');
    expect((await run(["trust"])).stdout).toContain("does not need trust");
    const nowhere = await harness(["trust", "/"], {});
    expect(nowhere.stderr).toContain("there is no harness.toml in / or above");
    expect(nowhere.exitCode).toBe(2);
  });

  it("shows text that can do nothing", async () => {
    const { run } = createProject(
      '[agents.claude]\nextra_args = ["\\u001b]52;c;x\\u0007", "\\u202e", "a\\nb"]\nenv = { "A\\u001b[2J" = "x" }\n',
    );
    const { stdout, stderr } = await run(["trust", "--yes"]);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).toContain(String.raw`"\u202e"`);
  });

  it("is refused to an agent", async () => {
    const { run } = createProject('[agents.claude]\nbinary = "claude"\n');
    const { stderr, exitCode } = await run(["trust", "--yes"], { HARNESS_RUN_ID: "20261116-120000-abcdef" });
    expect(stderr).toContain("an agent cannot trust a project's file (HARNESS_RUN_ID is set)");
    expect(exitCode).toBe(2);
    expect((await run(["trust", "--list"], { HARNESS_RUN_ID: "x" })).exitCode).toBe(0);
  });

  it("refuses options that are at odds", async () => {
    const { run } = createProject("");
    expect((await run(["trust", "--list", "--revoke"])).exitCode).toBe(2);
  });
});

/** `script` (util-linux) runs a command on a terminal of its own. */
const hasTerminals = process.platform === "linux" && existsSync("/usr/bin/script");

describe.runIf(hasTerminals)("harness trust on a terminal", () => {
  it.each([
    ["y", "is trusted until it changes", 0],
    ["n", "nothing was trusted", 1],
    ["", "nothing was trusted", 1],
  ])("asks, and %j means that it %s", async (answer, said, code) => {
    const { cwd, env, run } = createProject('[agents.claude]\nbinary = "claude"\n');
    const { HARNESS_RUN_ID, ...inherited } = process.env;
    const command = `'${process.execPath}' '${commandPath}' trust; echo exit $?`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd,
      env: { ...inherited, ...homeEnvironment(), ...env },
    });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (printed.includes("[y/N] ") && child.stdin.writable) child.stdin.end(`${answer}\n`);
    }
    expect(printed).toContain('agents.claude.binary = "claude"');
    expect(printed).toContain(said);
    expect(printed).toContain(`exit ${code}`);
    expect((await run(["config", "show"])).stderr === "").toBe(code === 0);
  });
});

describe("trust for one time", () => {
  it.each([
    [["--trust"], {}, true],
    [[], { HARNESS_TRUST: "1" }, true],
    [[], { HARNESS_TRUST: "0" }, false],
    [[], { HARNESS_TRUST: "" }, false],
    [[], {}, false],
  ] as const)("run %j with %j: %s", async (flags, env, isTrusted) => {
    const binary = program(echo);
    const { run } = createProject('[agents.claude]\nenv = { MARK = "set" }\n');
    const args = ["run", "-a", "claude", "-p", "x y", "--binary", binary, "--quiet", "--no-log", ...flags];
    const { stdout } = await run(args, env);
    const [, seen] = JSON.parse(stdout);
    expect(seen.MARK).toBe(isTrusted ? "set" : undefined);
    // What an agent clones was not there when the user decided.
    expect(seen).not.toHaveProperty("HARNESS_TRUST");
  });

  it("cannot be set by a file", async () => {
    const { run } = createProject('[agents.claude]\nenv = { HARNESS_TRUST = "1" }\n');
    const { stderr, exitCode } = await run(["list", "--trust"]);
    expect(stderr).toContain("must not begin with HARNESS_");
    expect(exitCode).toBe(2);
  });
});

describe("--permissions read-only", () => {
  it("is not weakened by a file, trusted or not: such a run is refused, or the file not in effect", async () => {
    const binary = program(echo);
    const { run } = createProject('[agents.claude]\nextra_args = ["--dangerously-skip-permissions"]\n');
    const args = [
      "run",
      "-a",
      "claude",
      "-p",
      "x y",
      "--binary",
      binary,
      "--no-log",
      "--permissions",
      "read-only",
    ];
    const quiet = [...args, "--quiet"];
    const [passed] = JSON.parse((await run(quiet)).stdout);
    expect(passed).toContain("plan");
    expect(passed).not.toContain("--dangerously-skip-permissions");
    for (const more of [[], ["--dry-run"]]) {
      const { stdout, stderr, exitCode } = await run([...args, "--trust", ...more]);
      expect(stdout).toBe("");
      expect(stderr).toContain('harness.toml:2: the argument "--dangerously-skip-permissions" (extra_args)');
      expect(exitCode).toBe(2);
    }
  });

  it("cannot be turned into full access by the name of a model", async () => {
    for (const text of [
      'default_model = "--yolo"',
      '[models.big]\ngemini = "--yolo"',
      '[agents.gemini]\nmodel = " --yolo"',
    ]) {
      const { run } = createProject(`${text}\n`);
      const { stderr, exitCode } = await run(["run", "-a", "gemini", "-m", "big", "-p", "x", "--dry-run"]);
      expect(stderr).toContain("must not begin with a space or a hyphen");
      expect(exitCode).toBe(2);
    }
  });
});

describe("a recording of an agent that speaks as another does", () => {
  it("is read anywhere, with nothing defined", async () => {
    const { cwd, run } = createProject('[agents.mine]\ntranslator = "claude"\n');
    const data = temporaryDirectory();
    const binary = program(
      `console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Done." }));`,
    );
    const env = { XDG_DATA_HOME: data };
    const args = ["run", "-a", "mine", "-p", "x y", "--binary", binary, "--trust", "-f", "full"];
    const ran = await run(args, env);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const elsewhere = join(cwd, "..", "elsewhere");
    mkdirSync(elsewhere, { recursive: true });
    const again = await harness(["sessions", "replay", "last", "-f", "full", "--speed", "max"], {
      cwd: elsewhere,
      env,
    });
    expect(again.stderr).toBe("");
    expect(jsonLines(again.stdout)).toEqual(jsonLines(ran.stdout));
  });
});
