import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RequestedOperation } from "../../../src/events/live-event.js";
import { createJudge } from "../../../src/live/rules/judge.js";
import { realPath } from "../../../src/live/rules/real-path.js";
import type { PermissionRules } from "../../../src/live/rules/rule.js";

/** `project` with `src`, `secret/key`, and links into and out of it. */
function createProject(): { root: string; project: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rules-")));
  const project = join(root, "project");
  for (const folder of ["project/src", "project/secret", "outside/deep"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(project, "secret/key"), "");
  writeFileSync(join(root, "outside/file"), "");
  symlinkSync(join(root, "outside"), join(project, "src/out"));
  symlinkSync("../../outside/deep", join(project, "src/deep"));
  symlinkSync("../secret", join(project, "src/inner"));
  symlinkSync(join(root, "outside/not-yet"), join(project, "src/dangling"));
  symlinkSync("circle", join(project, "circle"));
  symlinkSync(project, join(root, "alias"));
  return { root, project };
}

const rules: PermissionRules = { allow: ["write: src/**", "read"], deny: ["read: secret/**"] };

describe("symbolic links", () => {
  const { root, project } = createProject();
  const home = join(root, "home");
  const judge = createJudge(rules, { cwd: project, home, realPath });
  const decide = (operation: RequestedOperation) => judge({ name: "x", operations: [operation] }).decision;

  it.each([
    ["src/a.ts", "allow"],
    ["src/new/deep/a.ts", "allow"],
    ["src/out/file", "ask"],
    ["src/out/new", "ask"],
    ["src/out/../a.ts", "ask"],
    ["src/deep/../file", "ask"],
    ["src/new/../../package.json", "ask"],
    ["src/dangling", "ask"],
    ["circle", "ask"],
    ["src/a\0b", "ask"],
    ["src/new/", "allow"],
  ])("writing %j: %s", (path, decision) => {
    expect(decide({ type: "write", path })).toBe(decision);
  });

  it.each([
    ["secret/key", "deny"],
    ["src/inner/key", "deny"],
    ["src/inner/new", "deny"],
    ["src/out/file", "allow"],
  ])("reading %j: %s", (path, decision) => {
    expect(decide({ type: "read", path })).toBe(decision);
    expect(decide({ type: "command", command: `cat ${path}` })).toBe(decision);
    expect(decide({ type: "command", command: `head -3 < ${path}` })).toBe(decision);
  });

  it("the project may itself be reached by a link", () => {
    const linked = createJudge(rules, { cwd: join(root, "alias"), home, realPath });
    for (const path of ["src/a", join(project, "src/a"), join(root, "alias/src/a")])
      expect(linked({ name: "x", operations: [{ type: "write", path }] }).decision).toBe("allow");
    for (const path of ["secret/key", join(project, "secret/key")])
      expect(linked({ name: "x", operations: [{ type: "read", path }] }).decision).toBe("deny");
  });

  it("a rule for a link also denies what it points to, and a link that comes later is not followed", () => {
    const other = createProject();
    const places = { cwd: other.project, home, realPath };
    const strict = createJudge({ allow: ["read", "write: later/**"], deny: ["read: src/out/**"] }, places);
    const ask = (operation: RequestedOperation) => strict({ name: "x", operations: [operation] }).decision;
    expect(ask({ type: "read", path: join(other.root, "outside/file") })).toBe("deny");
    expect(ask({ type: "write", path: "later/a" })).toBe("allow");
    rmSync(join(other.project, "later"), { force: true, recursive: true });
    symlinkSync(join(other.root, "outside"), join(other.project, "later"));
    expect(ask({ type: "write", path: "later/a" })).toBe("ask");
  });
});
