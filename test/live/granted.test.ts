import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { planSession } from "../../src/live/plan-session.js";
import type { SessionTask } from "../../src/live/session-task.js";
import { temporaryDirectory } from "../runs/test-agent.js";

const permissions = { allow: ["read", "search", "list"], deny: ["command: touch *"] };

/** A session of an agent whose home has one file, at a path that begins with the variable that names its folder, if any. */
function plan(
  agent: string,
  given: { file: string; content: string; variable?: string } & Partial<SessionTask>,
) {
  const { file, content, variable, ...task } = given;
  const home = temporaryDirectory();
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const none = { CODEX_HOME: "", XDG_CONFIG_HOME: "", GOOSE_PATH_ROOT: "" };
  const env = {
    ...none,
    HOME: variable === undefined ? home : "/nowhere",
    ...(variable && { [variable]: home }),
  };
  return () => planSession({ agent, cwd: home, permissions, env, ...task });
}

const granting = (name: string) =>
  expect.objectContaining({ code: "unsupported_option", message: expect.stringContaining(name) });

describe("what Codex was allowed for good", () => {
  const file = ".codex/rules/default.rules";

  it.each([
    'prefix_rule(pattern=["touch"], decision="allow")',
    'prefix_rule(pattern=["touch"])',
    'prefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(\n  pattern = ["touch"],\n)',
    '# decision="prompt"\nprefix_rule(pattern=["touch"])',
    'd = "allow"\nprefix_rule(pattern=["touch"], decision=d)',
  ])("takes rules out of effect, so they are refused: %s", (content) => {
    expect(plan("codex", { file, content })).toThrow(granting("default.rules"));
  });

  it.each([
    "",
    "# nothing yet\n",
    'prefix_rule(pattern=["rm"], decision="forbidden")',
    "prefix_rule(pattern=['rm'], decision='prompt')",
  ])("does not matter if it is nothing: %s", (content) => {
    expect(plan("codex", { file, content })).not.toThrow();
  });

  it("is found where CODEX_HOME says, and counts for rules alone", () => {
    const given = {
      file: "rules/mine.rules",
      content: 'prefix_rule(pattern=["touch"])',
      variable: "CODEX_HOME",
    };
    expect(plan("codex", given)).toThrow(granting("mine.rules"));
    expect(plan("codex", { ...given, permissions: "ask" })).not.toThrow();
  });

  it("is not what a project says: no folder of it is trusted", () => {
    const given = { file: "notes.txt", content: "", cwd: "/home/me/app" };
    const settings = (permissions: "ask" | "full-access") =>
      plan("codex", { ...given, permissions })().launch.args.filter((word) => word.startsWith("projects="));
    const folders = ["/home/me/app", "/home/me", "/home"].map(
      (path) => `"${path}" = { trust_level = "untrusted" }`,
    );
    expect(settings("ask")).toEqual([`projects={ ${folders.join(", ")} }`]);
    expect(settings("full-access")).toEqual([]);
  });
});

describe("what Goose was allowed for good", () => {
  const content = "user:\n  always_allow:\n  - shell\n  ask_before: []\n";

  it.each([
    { file: ".config/goose/permission.yaml" },
    { file: "goose/permission.yaml", variable: "XDG_CONFIG_HOME" },
    { file: "config/permission.yaml", variable: "GOOSE_PATH_ROOT" },
  ])("takes rules out of effect, so they are refused: $file", (place) => {
    expect(plan("goose", { ...place, content })).toThrow(granting("permission.yaml"));
    expect(plan("goose", { ...place, content: "user: {always_allow: [shell]}\n" })).toThrow();
  });

  it.each([
    "user:\n  always_allow: []\n  ask_before:\n  - shell\n  never_allow: []\n",
    "smart_approve:\n  always_allow:\n  - shell\nuser:\n  always_allow: []\n",
  ])("does not matter if it is nothing, or only for another mode: %s", (yaml) => {
    expect(plan("goose", { file: ".config/goose/permission.yaml", content: yaml })).not.toThrow();
  });
});

describe("what Copilot was allowed for good", () => {
  const saved = (approvals: readonly unknown[]) =>
    JSON.stringify({ locations: { "/home/me/app": { tool_approvals: approvals } } });
  const allowing = { ...permissions, allow: [...permissions.allow, "skill"], deny: [] };
  const file = ".copilot/permissions-config.json";

  it("takes rules out of effect, so they are refused", () => {
    const content = saved([{ kind: "commands", commandIdentifiers: ["touch"] }]);
    expect(plan("copilot", { file, content, permissions: allowing })).toThrow(granting(file));
  });

  it("does not matter if it is nothing", () => {
    expect(plan("copilot", { file, content: saved([]), permissions: allowing })).not.toThrow();
  });
});
