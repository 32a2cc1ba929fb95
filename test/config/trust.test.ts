import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.js";
import { readConfig } from "../../src/config/read-config.js";
import { harmlessKeys } from "../../src/config/restrict-config.js";
import { ConfigFile } from "../../src/config/schema.js";
import { taskSettings } from "../../src/config/task-settings.js";
import {
  listTrusted,
  recordTrust,
  revokeTrust,
  toTrustRecord,
  trustDirectory,
} from "../../src/config/trust-store.js";
import { describeUntrusted } from "../../src/config/untrusted-file.js";
import { temporaryDirectory } from "../cli/harness.js";

/** A project with a configuration file, a home directory, and the effective configuration. */
function createProject(toml: string, userToml?: string) {
  const root = realpathSync(temporaryDirectory());
  const project = join(root, "project");
  const env = { XDG_CONFIG_HOME: join(root, "config"), XDG_STATE_HOME: join(root, "state") };
  mkdirSync(join(root, "config", "harness"), { recursive: true });
  mkdirSync(join(project, "deep", "er"), { recursive: true });
  const write = (text: string): void => writeFileSync(join(project, "harness.toml"), text);
  write(toml);
  if (userToml !== undefined) writeFileSync(join(root, "config", "harness", "config.toml"), userToml);
  const load = (cwd = project) => loadConfig({ cwd, env });
  const trust = (path = join(project, "harness.toml")): void => {
    const file = readConfig(path);
    if (file === undefined) throw new Error(`no ${path}`);
    recordTrust(toTrustRecord(file), trustDirectory(env));
  };
  return { root, project, env, write, load, trust, store: trustDirectory(env) };
}

const everything = `
default_agent = "codex"
default_model = "opus"
default_permissions = "read-only"
default_timeout_secs = 5
models_url = "https://example.com/models.toml"
[agents.claude]
binary = "./bin"
model = "opus"
extra_args = ["--effort", "high"]
env = { A = "1", B = "2" }
[agents.own]
module = "./own.mjs"
[agents.mine]
translator = "claude"
[models.big]
claude = "x"
[permissions]
allow = ["read", "write"]
deny = ["read: .env*"]
ask = ["command"]
`;

describe("a project's file that is not trusted", () => {
  it("may set names of models and default_*, and no other key of the schema", () => {
    const { load } = createProject(everything);
    const config = load();
    const [file] = config.files;
    // Of the two keys of the timeout, a file has one.
    const set = [...harmlessKeys, "permissions"].filter((key) => key !== "default_timeout");
    expect(Object.keys(file?.values ?? {}).sort()).toEqual(set.sort());
    expect(harmlessKeys).toEqual(
      new Set(
        Object.keys(ConfigFile.entries).filter((key) => key.startsWith("default_") || key === "models"),
      ),
    );
    expect(config.untrusted?.withheld).toEqual([
      "models_url",
      "permissions.allow",
      "agents.claude.binary",
      "agents.claude.model",
      "agents.claude.extra_args",
      "agents.claude.env.A",
      "agents.claude.env.B",
      "agents.own.module",
      "agents.mine.translator",
    ]);
    expect(taskSettings("claude", config)).toEqual({
      permissions: { allow: [], deny: ["read: .env*", "write"], ask: ["command"] },
      timeoutMs: 5000,
      binary: undefined,
      extraArgs: [],
      env: {},
    });
  });

  it("is not reported if it sets nothing else", () => {
    expect(createProject('default_agent = "codex"').load().untrusted).toBeUndefined();
  });

  it.each([
    ["full-access", "read-only", "read-only", ["default_permissions"]],
    ["full-access", undefined, undefined, undefined],
    ["read-only", "full-access", "read-only", undefined],
    ["read-only", undefined, "read-only", undefined],
    ["read-only", "ask", "read-only", undefined],
    ["ask", undefined, "ask", undefined],
    ["ask", "full-access", "ask", undefined],
    ["ask", "read-only", "read-only", ["default_permissions"]],
    ["full-access", "ask", "ask", ["default_permissions"]],
  ] as const)("asking for %s over the user's %s comes to %s", (project, user, inForce, withheld) => {
    const { load } = createProject(
      `default_permissions = "${project}"`,
      user && `default_permissions = "${user}"`,
    );
    expect(load().get("default_permissions")?.value).toBe(inForce);
    expect(load().untrusted?.withheld).toEqual(withheld);
  });

  it("leaves the user's own settings in effect", () => {
    const { load } = createProject(
      '[agents.claude]\nbinary = "./evil"\n',
      '[agents.claude]\nbinary = "/opt/claude"\nenv = { A = "mine" }\n',
    );
    expect(taskSettings("claude", load())).toMatchObject({ binary: "/opt/claude", env: { A: "mine" } });
  });

  it("is described in safe text, however long its keys", () => {
    const { load } = createProject(
      `[agents.claude]\nenv = { "A\\u001b]52;c;x\\u0007\\u202e\\nB" = "1", ${Array.from({ length: 40 }, (_, n) => `K${n} = ""`).join(", ")} }\n[agents."${"x".repeat(5000)}"]\ntranslator = "claude"\n`,
    );
    const { untrusted } = load();
    const sentence = untrusted === undefined ? "" : describeUntrusted(untrusted);
    expect(sentence).toContain("and 34 more");
    expect(sentence.length).toBeLessThan(2000);
    expect(sentence).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe("trust", () => {
  const toml = '[agents.claude]\nbinary = "/opt/claude"\n';

  it("applies to the file at its path, also from subdirectories and through links to directories", () => {
    const { root, project, load, trust } = createProject(toml);
    trust();
    symlinkSync(project, join(root, "link"), "dir");
    for (const cwd of [project, join(project, "deep", "er"), join(root, "link", "deep")]) {
      expect(load(cwd).untrusted, cwd).toBeUndefined();
      expect(taskSettings("claude", load(cwd)).binary).toBe("/opt/claude");
    }
  });

  it("does not apply to the same content at another path, nor to a link to the file", () => {
    const { root, project, load, trust } = createProject('[agents.own]\nmodule = "./own.mjs"\n');
    writeFileSync(join(project, "own.mjs"), "honest");
    trust();
    const clone = join(root, "clone");
    cpSync(project, clone, { recursive: true });
    expect(load(clone).untrusted?.state).toEqual({ kind: "new" });
    const linked = join(root, "linked");
    mkdirSync(linked);
    symlinkSync(join(project, "harness.toml"), join(linked, "harness.toml"));
    writeFileSync(join(linked, "own.mjs"), "evil");
    expect(load(linked).untrusted?.state).toEqual({ kind: "new" });
  });

  it("ends when the file changes by a byte, and returns when the change is undone", () => {
    const { load, trust, write } = createProject(toml);
    trust();
    write(`${toml}#`);
    expect(load().untrusted?.state).toEqual({ kind: "changed", changedFiles: [] });
    expect(taskSettings("claude", load()).binary).toBeUndefined();
    write(toml);
    expect(load().untrusted).toBeUndefined();
  });

  it.each([
    ["module", '[agents.own]\nmodule = "./named"\n'],
    ["binary", '[agents.claude]\nbinary = "./named"\n'],
    ["script", '[agents.claude]\nbinary = "node"\nextra_args = ["named", "x"]\n'],
    ["value of an option", '[agents.claude]\nextra_args = ["--plugin=./named"]\n'],
    ["part of a variable", '[agents.claude]\nenv = { NODE_OPTIONS = "--require ./named" }\n'],
  ])("ends when the %s that it names changes, or comes after it", (_kind, text) => {
    const { project, load, trust } = createProject(text);
    const named = join(project, "named");
    writeFileSync(named, "1");
    trust();
    expect(load().untrusted).toBeUndefined();
    writeFileSync(named, "2");
    expect(load().untrusted?.state).toEqual({ kind: "changed", changedFiles: [named] });
    const later = createProject(text);
    later.trust();
    writeFileSync(join(later.project, "named"), "evil");
    expect(later.load().untrusted?.state.kind).toBe("changed");
  });

  it("does not depend on system programs, which are updated", () => {
    const { root, load, trust, write } = createProject("");
    const program = join(root, "claude");
    writeFileSync(program, "1");
    write(`[agents.claude]\nbinary = "${program}"\n[agents.codex]\nbinary = "codex"\n`);
    trust();
    writeFileSync(program, "2");
    expect(load().untrusted).toBeUndefined();
  });

  it("can be revoked, also for a file that is gone", () => {
    const { project, load, trust, store } = createProject(toml);
    trust();
    expect(listTrusted(store).map(({ path }) => path)).toEqual([join(project, "harness.toml")]);
    expect(revokeTrust(join(project, "harness.toml"), store)).toBe(true);
    expect(revokeTrust(join(project, "harness.toml"), store)).toBe(false);
    expect(load().untrusted?.state).toEqual({ kind: "new" });
  });

  it("is stored where only the user can write, and applies only then", () => {
    const { load, trust, store } = createProject(toml);
    trust();
    const [name = ""] = readdirSync(store);
    const record = join(store, name);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(statSync(store).mode & 0o777).toBe(0o700);
    chmodSync(record, 0o620);
    expect(load().untrusted?.state).toEqual({ kind: "new" });
    chmodSync(record, 0o600);
    writeFileSync(record, "{ not json");
    expect(load().untrusted?.state).toEqual({ kind: "new" });
  });

  it("can be given for one time", () => {
    const { project, env } = createProject(toml);
    expect(loadConfig({ cwd: project, env, trust: true }).untrusted).toBeUndefined();
    expect(loadConfig({ cwd: project, env }).untrusted).toBeDefined();
  });

  it("resolves a relative binary against the directory of its file, as it was trusted", () => {
    const { project, load, trust } = createProject('[agents.claude]\nbinary = "./bin"\n');
    trust();
    expect(taskSettings("claude", load(join(project, "deep"))).binary).toBe(join(project, "bin"));
  });

  it("is never read from the current directory", () => {
    const { project } = createProject(toml);
    const config = loadConfig({
      cwd: project,
      env: { XDG_CONFIG_HOME: "config", XDG_STATE_HOME: "state", HOME: project },
    });
    expect(config.untrusted).toBeDefined();
    expect(trustDirectory({ XDG_STATE_HOME: "state", HOME: "/h" })).toBe("/h/.local/state/harness/trust");
  });
});

describe("a built-in agent", () => {
  it.each(["claude", "Claude_Code", "CODEX"])("cannot be replaced by a project's file: %s", (name) => {
    const { load, write } = createProject(`[agents.${name}]\nmodule = "./x.mjs"\n`);
    expect(() => load()).toThrow(
      /harness\.toml:2: .* cannot replace a built-in agent; give your agent another name/,
    );
    write(`[agents.${name}]\ntranslator = "opencode"\n`);
    expect(() => load()).toThrow(/cannot replace a built-in agent/);
  });
});

it("executes what was trusted, also through a link to the directory", () => {
  const { root, project, env, trust } = createProject('[agents.claude]\nbinary = "../run.sh"\n');
  writeFileSync(join(root, "run.sh"), "");
  trust();
  const clone = join(root, "clone");
  mkdirSync(clone);
  writeFileSync(join(clone, "run.sh"), "");
  symlinkSync(project, join(clone, "link"));
  const config = loadConfig({ cwd: join(clone, "link"), env });
  expect(config.untrusted).toBeUndefined();
  expect(taskSettings("claude", config).binary).toBe(join(root, "run.sh"));
});
