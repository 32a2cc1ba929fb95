import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { harness, jsonLines, temporaryDirectory, trust } from "./harness.js";

/** A project of somebody else's: the example, outside the package. The package is not installed in it. */
let project = "";

beforeAll(async () => {
  project = temporaryDirectory();
  const root = fileURLToPath(new URL("../../", import.meta.url));
  cpSync(join(root, "examples", "custom-agent"), project, { recursive: true });
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

  it("stands whole in the docs: the page's own files run in an empty directory", async () => {
    const page = readFileSync(new URL("../../docs/custom-agents.md", import.meta.url), "utf8");
    const files = [...page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g)];
    expect(files.map(([, name]) => name)).toEqual(["harness.toml", "parrot.mjs", "parrot"]);
    const empty = temporaryDirectory();
    for (const [, name = "", content = ""] of files)
      writeFileSync(join(empty, name), content, { mode: 0o755 });
    await trust(empty);
    const { stdout, stderr, exitCode } = await harness(
      ["run", "--agent", "parrot", "--prompt", "hello", "--no-log", "-f", "text"],
      { cwd: empty },
    );
    expect(stderr).toBe("");
    expect(stdout.toString()).toContain("You said: hello");
    expect(stdout.toString()).toContain("Edited notes.md");
    expect(exitCode).toBe(0);
  });

  it("uses the package that is installed beside it, if there is one", async () => {
    const other = temporaryDirectory();
    cpSync(project, other, { recursive: true });
    const installed = join(other, "node_modules", "harness-stream");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), '{ "name": "harness-stream", "exports": "./index.mjs" }');
    const index = 'export const defineAgent = (input) => ({ ...input, name: "From beside it" });';
    writeFileSync(join(installed, "index.mjs"), index);
    await trust(other);
    const { stdout } = await harness(["run", "-p", "x", "--no-log", "-f", "text"], { cwd: other });
    expect(stdout.toString()).toContain("From beside it");
  });

  it("may import all that the package exports, and nothing else that is not installed", async () => {
    const other = temporaryDirectory();
    const importing = (lines: string) => {
      writeFileSync(
        join(other, "agent.mjs"),
        `${lines}\nexport default defineAgent({ id: "x", translator: claude.id });`,
      );
      return trust(other);
    };
    writeFileSync(join(other, "harness.toml"), '[agents.x]\nmodule = "./agent.mjs"\n');
    const own =
      'import { defineAgent } from "harness-stream"; import { claude } from "harness-stream/agents/claude";';
    const args = ["translate", "-a", "x"];
    await importing(`${own} import "harness-stream/testing"; import "harness-stream/core";`);
    expect(await harness(args, { cwd: other, stdin: "" })).toMatchObject({ stderr: "" });
    await importing(`${own} import "nobody-has-this";`);
    expect((await harness(args, { cwd: other })).stderr).toContain("Cannot find package 'nobody-has-this'");
    await importing(`${own} import "harness-stream/secret";`);
    expect((await harness(args, { cwd: other })).stderr).toContain("secret");
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
    writeFileSync(join(broken, "harness.toml"), '[agents.x]\nmodule = "./nowhere.mjs"\n');
    await trust(broken);
    const { stderr, exitCode } = await harness(["run", "-a", "x", "-p", "y"], { cwd: broken });
    expect(stderr).toContain(`harness.toml:2: the agent "x" cannot be loaded from`);
    expect(exitCode).toBe(2);
  });
});
