import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { IsolatedHome } from "../../src/runs/isolated-home.js";
import { createRunFiles, runDirectory } from "../../src/runs/run-files.js";
import { finish, ofType, temporaryDirectory, testAgent } from "./test-agent.js";

const home = (more: Partial<IsolatedHome>): IsolatedHome => ({
  directory: "",
  inherited: {},
  create() {},
  keepCredentials() {},
  ...more,
});

describe("the files of a run", () => {
  it("are readable by this user only, and gone afterwards", () => {
    const directory = join(temporaryDirectory(), "run");
    const made = createRunFiles({ directory, launch: { files: { "mcp.json": "{}" } }, home: undefined });
    expect(readFileSync(join(directory, "mcp.json"), "utf8")).toBe("{}");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "mcp.json")).mode & 0o777).toBe(0o600);
    if ("remove" in made) made.remove();
    expect(existsSync(directory)).toBe(false);
  });

  it("need no directory if there are none", () => {
    const directory = join(temporaryDirectory(), "run");
    const made = createRunFiles({ directory, launch: {}, home: undefined });
    expect(existsSync(directory)).toBe(false);
    if ("remove" in made) made.remove();
  });

  it("stay in their directory, whatever their names are", () => {
    const directory = join(temporaryDirectory(), "run");
    createRunFiles({
      directory,
      launch: { files: { "../outside": "x", "/etc/passwd": "y" } },
      home: undefined,
    });
    expect(existsSync(join(directory, "..", "outside"))).toBe(false);
    expect(readFileSync(join(directory, "passwd"), "utf8")).toBe("y");
  });

  it.each(["a directory", "a link"])("are refused if somebody has made %s of that name before", (what) => {
    const root = temporaryDirectory();
    const directory = join(root, "run");
    mkdirSync(join(root, "elsewhere"));
    if (what === "a link") symlinkSync(join(root, "elsewhere"), directory);
    else mkdirSync(directory);
    const made = createRunFiles({ directory, launch: { files: { "mcp.json": "secret" } }, home: undefined });
    expect(made).toMatchObject({ failure: { kind: "config" } });
    expect(existsSync(join(root, "elsewhere", "mcp.json"))).toBe(false);
    expect(existsSync(directory)).toBe(true);
  });

  it("are removed if the home cannot be made", () => {
    const directory = join(temporaryDirectory(), "run");
    const create = () => {
      throw new Error("no space left");
    };
    const made = createRunFiles({ directory, launch: { files: { a: "" } }, home: home({ create }) });
    expect(made).toEqual({
      failure: { kind: "config", message: "the run's own directory cannot be written: no space left" },
    });
    expect(existsSync(directory)).toBe(false);
  });

  it("are removed even if a tool has left directories that nobody may write to, and links are not followed", () => {
    const root = temporaryDirectory();
    const own = join(root, "own");
    mkdirSync(own);
    chmodSync(own, 0o500);
    const directory = join(root, "run");
    const modules = join(directory, "home", "go", "pkg");
    const made = createRunFiles({
      directory,
      launch: {},
      home: home({
        create() {
          mkdirSync(modules, { recursive: true });
          writeFileSync(join(modules, "module.go"), "");
          symlinkSync(own, join(modules, "own"));
          chmodSync(modules, 0o500);
        },
      }),
    });
    asNobody([root, own, directory, join(directory, "home"), join(directory, "home", "go"), modules]);
    if ("remove" in made) made.remove();
    expect(existsSync(directory)).toBe(false);
    expect(statSync(own).mode & 0o777).toBe(0o500);
  });
});

describe("a run with files", () => {
  const withFiles = {
    ...testAgent,
    launch: () => ({ args: [], files: { "options.json": "{}" } }),
  };

  it("does not start in a directory that somebody has made before", async () => {
    const runId = "planted-run";
    mkdirSync(runDirectory(runId));
    const { result, events } = await finish("talk", { agent: withFiles, runId });
    expect(result).toMatchObject({ isSuccess: false, exitCode: null, failure: { kind: "config" } });
    expect(ofType(events, "exited")).toHaveLength(1);
  });

  it("leaves nothing behind", async () => {
    const { result } = await finish("talk", { agent: withFiles, runId: "tidy-run" });
    expect(result.exitCode).toBe(0);
    expect(existsSync(runDirectory("tidy-run"))).toBe(false);
  });
});

/** Root may write everywhere. The rest of the test is another user's, who owns these. */
function asNobody(paths: readonly string[]): void {
  if (process.geteuid?.() !== 0) return;
  const nobody = 65_534;
  chmodSync(tmpdir(), 0o711);
  for (const path of paths) chownSync(path, nobody, nobody);
  process.seteuid?.(nobody);
  onTestFinished(() => process.seteuid?.(0));
}
