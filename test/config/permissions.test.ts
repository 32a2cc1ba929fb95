import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import { createConfig } from "../../src/config/load-config.js";
import { checkConfig, type LoadedConfig } from "../../src/config/read-config.js";
import { refuseWeakening } from "../../src/config/refuse-weakening.js";
import { restrictConfig, settingsThatNeedTrust } from "../../src/config/restrict-config.js";
import { listSettings } from "../../src/config/settings.js";
import { permissionsOf } from "../../src/config/task-settings.js";
import { configTemplate } from "../../src/config/template.js";

const project = (toml: string): LoadedConfig => checkConfig("/p/harness.toml", toml);
const own = (toml: string): LoadedConfig => checkConfig("/home/config.toml", toml);

const rules = `[permissions]
allow = ["read", "write: src/**"]
deny = ["read: .env*"]
ask = ["command"]
`;

describe("rules of configuration files", () => {
  it("of all files count together, each once", () => {
    const mine = '[permissions]\ndeny = ["command: git push *", "read: .env*"]\n';
    expect(permissionsOf(createConfig([project(rules), own(mine)]))).toEqual({
      allow: ["read", "write: src/**"],
      deny: ["read: .env*", "command: git push *"],
      ask: ["command"],
    });
  });

  it.each([
    ["full-access", undefined, undefined],
    ["ask", undefined, undefined],
    ["read-only", ["read"], ["read: .env*", "write"]],
  ])(
    "beside default_permissions = %j never allow more than both",
    (mode, allow = ["read", "write: src/**"], deny = ["read: .env*"]) => {
      const inOne = createConfig([project(`default_permissions = "${mode}"\n${rules}`)]);
      const inTwo = createConfig([project(rules), own(`default_permissions = "${mode}"`)]);
      for (const config of [inOne, inTwo])
        expect(permissionsOf(config)).toEqual({ allow, deny, ask: ["command"] });
    },
  );

  it("are not there by default", () => {
    expect(permissionsOf(createConfig([]))).toBeUndefined();
    expect(permissionsOf(createConfig([own('default_permissions = "ask"')]))).toBe("ask");
  });

  it("are shown with the file and line of each list", () => {
    const config = createConfig([project(rules), own('[permissions]\ndeny = ["fetch"]')]);
    expect(listSettings(config)).toEqual([
      { key: "permissions.allow", value: ["read", "write: src/**"], from: "/p/harness.toml:2" },
      { key: "permissions.deny", value: ["read: .env*"], from: "/p/harness.toml:3" },
      { key: "permissions.ask", value: ["command"], from: "/p/harness.toml:4" },
      { key: "permissions.deny", value: ["fetch"], from: "/home/config.toml:2" },
    ]);
  });

  it("are in the template, and valid there", () => {
    const uncommented = configTemplate.replace(/^# (\[permissions\]|(?:allow|deny|ask) = .*)$/gm, "$1");
    expect(project(uncommented).values.permissions?.deny).toEqual(["read: .env*", "command: git push *"]);
  });
});

describe("rules of a project's file that is not trusted", () => {
  it("count if they deny or ask, and are withheld if they allow", () => {
    const { file, withheld } = restrictConfig(project(rules), undefined);
    expect(withheld).toEqual(["permissions.allow"]);
    expect(permissionsOf(createConfig([file]))).toEqual({
      allow: [],
      deny: ["read: .env*"],
      ask: ["command"],
    });
    expect(listSettings(createConfig([file])).map(({ key }) => key)).toEqual([
      "permissions.deny",
      "permissions.ask",
    ]);
    expect(settingsThatNeedTrust(project(rules).values)).toEqual([
      ["permissions.allow", ["read", "write: src/**"]],
    ]);
  });

  it("make a run stricter also if all of them allow", () => {
    const { file, withheld } = restrictConfig(project('[permissions]\nallow = ["write"]'), undefined);
    expect(withheld).toEqual(["permissions.allow"]);
    expect(permissionsOf(createConfig([file]))).toBe("ask");
    expect(permissionsOf(createConfig([file, own('default_permissions = "read-only"')]))).toBe("read-only");
    expect(permissionsOf(createConfig([file, own('[permissions]\nallow = ["read"]')]))).toEqual({
      allow: ["read"],
      deny: [],
      ask: [],
    });
  });

  it("need no trust if none allows", () => {
    const { file, withheld } = restrictConfig(project('[permissions]\ndeny = ["fetch"]'), "full-access");
    expect(withheld).toEqual([]);
    expect(settingsThatNeedTrust(file.values)).toEqual([]);
  });
});

describe("what a file passes to the agent, in a run with rules", () => {
  const config = createConfig([
    project('[agents.claude]\nextra_args = ["--dangerously-skip-permissions"]\n'),
  ]);
  const claude = requireAgent("claude");

  it.each([["ask" as const], [{ allow: ["read"] }]])(
    "is refused as in a read-only run: %j",
    (permissions) => {
      expect(() => refuseWeakening(claude, permissions, config)).toThrow(
        /may let Claude Code do more than it may \((?:ask|rules)\); remove it from the file/,
      );
    },
  );

  it("is passed on with full access", () => {
    expect(() => refuseWeakening(claude, "full-access", config)).not.toThrow();
  });
});
