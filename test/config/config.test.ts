import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNames } from "../../src/config/check-names.js";
import { createConfig, loadConfig } from "../../src/config/load-config.js";
import { findProjectConfig, userConfigPath } from "../../src/config/locate-config.js";
import { checkConfig } from "../../src/config/read-config.js";
import { listSettings } from "../../src/config/settings.js";
import { timeoutOf } from "../../src/config/task-settings.js";
import { HarnessError } from "../../src/errors.js";

function check(text: string) {
  const config = checkConfig("harness.toml", text);
  checkNames([config]);
  return config;
}

function messageOf(text: string): string {
  try {
    check(text);
  } catch (error) {
    if (error instanceof HarnessError) return error.message;
    throw error;
  }
  return "";
}

describe("a configuration file", () => {
  it("accepts every documented key", () => {
    const config = check(`
      default_agent = "codex"
      default_model = "opus"
      default_permissions = "read-only"
      default_timeout_secs = 90
      models_url = "http://127.0.0.1:1/models.toml"
      [agents.claude-code]
      binary = "/opt/claude"
      model = "sonnet"
      extra_args = ["--effort", "high"]
      env = { IS_SANDBOX = "1" }
      [models.fast]
      description = "quick and cheap"
      provider = "anthropic"
      claude = "claude-haiku-4-5"
    `);
    expect(config.values.default_timeout_secs).toBe(90);
    expect(config.values.agents?.["claude-code"]?.env).toEqual({ IS_SANDBOX: "1" });
    expect(config.values.models?.["fast"]?.["claude"]).toBe("claude-haiku-4-5");
  });

  it.each([
    [
      'default_agnet = "claude"',
      'harness.toml:1: unknown key "default_agnet"; did you mean "default_agent"?',
    ],
    [
      '[agents.claude]\nbinary = "x"\nextra_arg = []',
      'harness.toml:3: unknown key "extra_arg"; did you mean "extra_args"?',
    ],
    ['[agents.claud]\nbinary = "x"', 'harness.toml:1: unknown agent "claud"; did you mean "claude"?'],
    [
      '\n\ndefault_timeout_secs = "soon"',
      'harness.toml:3: "default_timeout_secs" must be a number, not "soon"',
    ],
    [
      'default_timeout = "soon"',
      'harness.toml:1: "default_timeout" must be a length of time such as "90s", "10m" or "1h30m", or a number of seconds',
    ],
    ["default_timeout = inf", '"default_timeout" must be a length of time'],
    [
      'default_timeout_secs = 5\ndefault_timeout = "5s"',
      'harness.toml:2: "default_timeout" must not be set beside default_timeout_secs',
    ],
    ["default_timeout_secs = 0", 'harness.toml:1: "default_timeout_secs" must be above 0'],
    [
      'default_permissions = "everything"',
      'harness.toml:1: "default_permissions" must be "full-access" or "read-only" or "ask", not "everything"',
    ],
    ["[permissions]", 'harness.toml:1: "permissions" must have a rule in allow, deny or ask'],
    [
      '[permissions]\nallw = ["read"]',
      'harness.toml:2: unknown key "allw"; did you mean "allow"? Known here: allow, deny, ask',
    ],
    ['[permissions]\nallow = "read"', 'harness.toml:2: "permissions.allow" must be a list, not "read"'],
    [
      '[permissions]\ndeny = [\n  "read: .env*",\n  "edit: x",\n]',
      'harness.toml:4: "permissions.deny.1" must begin with an operation',
    ],
    [
      '[permissions]\nallow = ["command: npm test && rm x"]',
      'harness.toml:2: "permissions.allow.0" must name one simple command',
    ],
    ['[agents.codex]\nextra_args = "x"', 'harness.toml:2: "agents.codex.extra_args" must be a list, not "x"'],
    ["[agents.codex]\nenv = { A = 1 }", 'harness.toml:2: "agents.codex.env.A" must be a string in quotes'],
    ['[models.big]\nclaud = "x"', 'harness.toml:2: unknown agent "claud"'],
    [
      '[agents.mine]\ntranslator = "cluade"',
      'harness.toml:2: unknown agent "cluade"; did you mean "claude"?',
    ],
    ["a = 1\nb = = 2", "harness.toml:2:5: not valid TOML"],
    [
      "default_agent = claude",
      "harness.toml:1:17: not valid TOML: unexpected character (strings need quotes)",
    ],
    ["\ndefault_agent =\n\n[agents]", "harness.toml:2:16: not valid TOML"],
    ['default_agent = "a"\ndefault_agent = "b"', "harness.toml:2:1: not valid TOML"],
    [
      'default_agent = "cluade"',
      'harness.toml:1: unknown agent "cluade"; did you mean "claude"? Known agents:',
    ],
    ['default_agent = ""', 'harness.toml:1: "default_agent" must not be empty'],
    ["default_timeout_secs = inf", '"default_timeout_secs" must be finite'],
    ["default_timeout_secs = nan", '"default_timeout_secs" must be a number, not nan'],
    ['models_url = "ftp://x/y"', '"models_url" must begin with http:// or https://'],
    ['agents = ["claude"]', 'harness.toml:1: "agents" must be a table'],
    ['[agents]\nclaude = "x"', 'harness.toml:2: "agents.claude" must be a table, not "x"'],
    ['[agents.claude]\nenv = ["A=1"]', 'harness.toml:2: "agents.claude.env" must be a table'],
    ['[agents.claude]\nenv = { "A=B" = "1" }', "must be the name of a variable"],
    [
      '[agents.mine]\nmodule = "x"\ntranslator = "claude"',
      "a module, a translator or a protocol, and only one of them",
    ],
    ['[models]\nbig = "x"', 'harness.toml:2: "models.big" must be a table, not "x"'],
    ['models_url = "no url"', 'harness.toml:1: "models_url" must be a URL'],
  ])("%j is refused with its line and the next step", (text, message) => {
    expect(messageOf(text)).toContain(message);
  });

  it("never throws anything but a HarnessError, whatever it contains", () => {
    const line = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom("default_agent", "agents", "agents.codex.env", "models.x"), fc.jsonValue())
        .map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
      fc.constantFrom(
        "[agents.codex]",
        "[[agents]]",
        "[models]",
        "a.b.c = 1",
        "default_timeout_secs = inf",
        "x = 1979-05-27",
      ),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        messageOf(lines.join("\n"));
      }),
      { numRuns: 300 },
    );
  });
});

describe("the effective configuration", () => {
  const project = check(
    'default_agent = "codex"\n[agents.claude]\nmodel = "opus"\n[models.big]\nclaude = "a"',
  );
  const user = checkConfig(
    "config.toml",
    'default_agent = "claude"\ndefault_model = "sonnet"\n[agents.claude-code]\nmodel = "haiku"\nbinary = "/x"\n[models.big]\nclaude = "b"\n[models.small]\nclaude = "c"',
  );
  const config = createConfig([project, user]);

  it("prefers the project's value to the user's, and says where it comes from", () => {
    expect(config.get("default_agent")).toEqual({ value: "codex", from: "harness.toml:1" });
    expect(config.get("default_model")).toEqual({ value: "sonnet", from: "config.toml:2" });
    expect(config.get("default_timeout_secs")).toBeUndefined();
  });

  it("takes the timeout of the nearest file, in either of its keys", () => {
    const layers = (...texts: string[]) =>
      createConfig(texts.map((text, index) => checkConfig(`${index}.toml`, text)));
    const both = layers('default_timeout = "1h30m"', "default_timeout_secs = 5");
    expect(timeoutOf(both)).toBe(5_400_000);
    expect(listSettings(both).map(({ key }) => key)).toEqual(["default_timeout"]);
    expect(timeoutOf(layers("", "default_timeout_secs = 5"))).toBe(5000);
    expect(timeoutOf(layers("default_timeout_secs = 5", 'default_timeout = "1h"'))).toBe(5000);
    expect(timeoutOf(layers("default_timeout = 90"))).toBe(90_000);
    expect(timeoutOf(config)).toBeUndefined();
  });

  it("finds an agent's settings under any of its names, key by key", () => {
    expect(config.agent("claude", "model")).toEqual({ value: "opus", from: "harness.toml:3" });
    expect(config.agent("claude_code", "binary")).toEqual({ value: "/x", from: "config.toml:5" });
    expect(config.agent("codex", "binary")).toBeUndefined();
  });

  it("lists the models of both files; the project's take precedence", () => {
    const models = config.models();
    expect([...models.keys()]).toEqual(["big", "small"]);
    expect(models.get("big")?.value["claude"]).toBe("a");
  });

  it("accepts in every file the agents that any file defines", () => {
    const defining = checkConfig("config.toml", '[agents.parrot]\ntranslator = "claude"');
    const using = checkConfig("harness.toml", 'default_agent = "parrot"\n[models.big]\nparrot = "x"');
    expect(() => checkNames([using, defining])).not.toThrow();
    expect(() => checkNames([using])).toThrow('harness.toml:1: unknown agent "parrot"');
  });

  it.each([
    ["with a byte order mark", "\ufeff"],
    ["with the line ends of Windows", ""],
  ])("is read %s", (_title, start) => {
    const root = mkdtempSync(join(tmpdir(), "harness-config-"));
    writeFileSync(
      join(root, "harness.toml"),
      `${start}default_agent = "codex"\r\ndefault_model = "opus"\r\n`,
    );
    const loaded = loadConfig({ cwd: root, env: { XDG_CONFIG_HOME: root } });
    expect(loaded.get("default_agent")?.value).toBe("codex");
    expect(loaded.get("default_model")).toEqual({ value: "opus", from: `${join(root, "harness.toml")}:2` });
  });

  it("is not read from a binary file or a directory", () => {
    const root = mkdtempSync(join(tmpdir(), "harness-config-"));
    writeFileSync(join(root, "harness.toml"), Buffer.from('default_agent = "\xff"', "latin1"));
    const load = (cwd: string) => () => loadConfig({ cwd, env: { XDG_CONFIG_HOME: root } });
    expect(load(root)).toThrow(/harness\.toml: it is not valid UTF-8/);
    mkdirSync(join(root, "below", "harness.toml"), { recursive: true });
    expect(load(join(root, "below"))).toThrow(/harness\.toml: it is a directory, not a file/);
  });

  it("is read from the nearest harness.toml in the parent directories and from the user's file", () => {
    const root = mkdtempSync(join(tmpdir(), "harness-config-"));
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(root, "home", "harness"), { recursive: true });
    writeFileSync(join(root, "harness.toml"), 'default_agent = "codex"\n');
    writeFileSync(join(root, "home", "harness", "config.toml"), 'default_model = "opus"\n');
    const env = { XDG_CONFIG_HOME: join(root, "home") };
    expect(findProjectConfig(deep)).toBe(join(root, "harness.toml"));
    const loaded = loadConfig({ cwd: deep, env });
    expect(loaded.get("default_agent")?.value).toBe("codex");
    expect(loaded.get("default_model")?.from).toBe(`${userConfigPath(env)}:1`);
  });
});
