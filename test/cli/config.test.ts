import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/read-config.js";
import { harness, program, temporaryDirectory } from "./harness.js";

describe("harness config", () => {
  it("init writes a file whose every line can be uncommented, and never touches one that is there", async () => {
    const cwd = temporaryDirectory();
    const first = await harness(["config", "init"], { cwd });
    expect(first.exitCode).toBe(0);
    const text = readFileSync(join(cwd, "harness.toml"), "utf8");
    const uncommented = text
      .split("\n")
      .map((line) => (/^# (?=[\w[]\S* ?=|\[)/.test(line) ? line.slice(2) : line))
      .join("\n");
    expect(checkConfig("x", uncommented).values).toMatchObject({
      default_agent: "claude",
      models: { big: { codex: "gpt-6.1-sol" } },
    });
    const second = await harness(["config", "init"], { cwd });
    expect(second.stderr).toContain("it exists already");
    expect(second.exitCode).toBe(2);
    expect(readFileSync(join(cwd, "harness.toml"), "utf8")).toBe(text);
  });

  it("show says where each value comes from, and hides the values of variables", async () => {
    const cwd = temporaryDirectory();
    const config = join(cwd, "config");
    mkdirSync(join(config, "harness"), { recursive: true });
    writeFileSync(
      join(config, "harness", "config.toml"),
      'default_model = "opus"\ndefault_agent = "codex"\n',
    );
    writeFileSync(
      join(cwd, "harness.toml"),
      'default_agent = "claude"\n[agents.claude]\nenv = { API_KEY = "secret" }\n',
    );
    const { stdout } = await harness(["config", "show"], {
      cwd,
      env: { XDG_CONFIG_HOME: config, HARNESS_TRUST: "1" },
    });
    const text = stdout.toString();
    expect(text).toMatch(/default_agent +claude +.*harness\.toml:1/);
    expect(text).toMatch(/default_model +opus +.*config\.toml:1/);
    expect(text).toMatch(/agents\.claude\.env\.API_KEY +\(set; not shown\)/);
    expect(text).not.toContain("secret");
  });

  it("path names the files, there or not", async () => {
    const cwd = temporaryDirectory();
    const { stdout } = await harness(["config", "path"], { cwd });
    expect(stdout.toString()).toContain("no harness.toml here or above");
    expect(stdout.toString()).toContain("config.toml (does not exist)");
  });

  it("a wrong file stops every command with its line and a suggestion, and nothing is started", async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, "harness.toml"), 'default_agnet = "claude"\n');
    const { stderr, stdout, exitCode } = await harness(["run", "-p", "x"], { cwd });
    expect(stderr).toContain('harness.toml:1: unknown key "default_agnet"; did you mean "default_agent"?');
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(2);
  });
});

describe("harness run with a configuration", () => {
  it("shows in a dry run what flags and files come to, without values of variables", async () => {
    const cwd = temporaryDirectory();
    writeFileSync(
      join(cwd, "harness.toml"),
      'default_agent = "codex"\n[agents.codex]\nbinary = "/bin/sh"\nmodel = "m-1"\nextra_args = ["-c", "a b"]\nenv = { KEY = "secret" }\n',
    );
    const args = [
      "run",
      "-p",
      "it's on",
      "--dry-run",
      "--extra-args",
      "--enable 'x y'",
      "--env",
      "TOKEN=hidden",
      "--",
      "--last",
    ];
    const { stdout, exitCode } = await harness([args[0] ?? "", "--trust", ...args.slice(1)], { cwd });
    const text = stdout.toString();
    expect(exitCode).toBe(0);
    expect(text).toContain(`-c 'a b' --enable 'x y' --last -`);
    expect(text).toMatch(/input +the prompt \(7 bytes\)/);
    expect(text).toMatch(/variables +KEY, TOKEN \(values not shown\)/);
    expect(text).toMatch(/model +m-1/);
    expect(text).not.toMatch(/secret|hidden/);
  });

  it("gives the agent the variables of the file, those of the command winning, the last of them most", async () => {
    const cwd = temporaryDirectory();
    const say = "JSON.stringify([process.env.A, process.env.B, process.env.C])";
    const binary = program(
      `console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: ${say} }));`,
    );
    writeFileSync(
      join(cwd, "harness.toml"),
      `default_agent = "claude"\n[agents.claude]\nbinary = "${binary}"\nenv = { A = "file", B = "file" }\n`,
    );
    const args = ["run", "-p", "x", "--quiet", "--no-log", "--env", "B=first", "--env", "B=last", "C="];
    const { stdout } = await harness([...args, "--trust"], { cwd });
    expect(JSON.parse(stdout.toString())).toEqual(["file", "last", ""]);
  });

  it("is not needed: without a file nothing is set, and full access and the agent's own model are the defaults", async () => {
    const cwd = temporaryDirectory();
    expect((await harness(["config", "show"], { cwd })).stdout.toString()).toContain("nothing is set");
    const args = ["run", "-a", "codex", "-p", "x", "--binary", "/bin/sh", "--dry-run"];
    const { stdout } = await harness(args, { cwd });
    expect(stdout.toString()).toMatch(
      /variables +none set\n[\s\S]*model +the agent's own choice\npermissions +full-access/,
    );
  });

  it("names the agents to choose from when none is named", async () => {
    const none = await harness(["run", "-p", "x"], { env: { PATH: "/nowhere" } });
    expect(none.stderr).toContain("no agent was named and none is installed");
    expect(none.exitCode).toBe(2);
  });
});
