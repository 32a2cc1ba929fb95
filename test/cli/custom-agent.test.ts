import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { harness, jsonLines, temporaryDirectory, trust } from "./harness.js";

/** A project of somebody else's: the example, outside the package, with the package installed in it. */
let project = "";

beforeAll(async () => {
  project = temporaryDirectory();
  const root = fileURLToPath(new URL("../../", import.meta.url));
  cpSync(join(root, "examples", "custom-agent"), project, { recursive: true });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules", "harness-stream"), "dir");
  await trust(project);
});

describe("an agent of the user's own", () => {
  it("is loaded from the module that harness.toml names, and run like any other", async () => {
    const args = ["run", "-p", "hello there", "--cwd", project, "--no-log", "-f", "events"];
    const { stdout, stderr, exitCode } = await harness(args, { cwd: project });
    expect(stderr).toBe("");
    expect(jsonLines(stdout)).toMatchObject([
      { type: "write", path: "/tmp/notes.md", isSuccess: true, sessionId: "s-1" },
      { type: "unknown", raw: { kind: "squawk" } },
      { type: "agent", message: "You said: hello there" },
    ]);
    expect(exitCode).toBe(0);
  });

  it("refuses options that it does not list", async () => {
    const { stderr, exitCode } = await harness(["run", "-p", "x", "--resume", "y", "--cwd", project], {
      cwd: project,
    });
    expect(stderr).toContain("Parrot cannot be given a session to resume");
    expect(exitCode).toBe(2);
  });

  it("is listed and checked", async () => {
    const { stdout } = await harness(["list", "--json"], { cwd: project });
    const names = JSON.parse(stdout.toString()).map((report: { agent: string }) => report.agent);
    expect(names).toEqual(expect.arrayContaining(["claude", "parrot", "my-claude"]));
    const check = await harness(["check", "my-claude"], { cwd: project });
    expect(check.stdout.toString()).toContain("/opt/my-claude/bin/claude was not found");
    expect(check.exitCode).toBe(127);
  });

  it("that cannot be loaded is an error with the place that names it", async () => {
    const broken = temporaryDirectory();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(broken, "harness.toml"), '[agents.x]\nmodule = "./nowhere.mjs"\n');
    await trust(broken);
    const { stderr, exitCode } = await harness(["run", "-a", "x", "-p", "y"], { cwd: broken });
    expect(stderr).toContain(`harness.toml:2: the agent "x" cannot be loaded from`);
    expect(exitCode).toBe(2);
  });
});
