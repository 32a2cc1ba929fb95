import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/process/find-program.js";
import { locateProgram } from "../../src/process/locate-program.js";
import { program, temporaryDirectory } from "../runs/test-agent.js";

const agent = { agentName: "Claude Code", names: ["claude"], install: "npm install -g claude" };

function locate(binary: string, cwd = process.cwd()) {
  return locateProgram({ ...agent, binary }, { env: {}, cwd });
}

describe("finding the program of an agent", () => {
  it("takes the first one on PATH that can be executed", () => {
    const root = temporaryDirectory();
    for (const folder of ["a", "b", "c"]) mkdirSync(join(root, folder));
    mkdirSync(join(root, "a", "claude"));
    writeFileSync(join(root, "b", "claude"), "#!/bin/sh\n", { mode: 0o644 });
    writeFileSync(join(root, "c", "claude"), "#!/bin/sh\n");
    chmodSync(join(root, "c", "claude"), 0o755);
    const env = { PATH: `${root}/none::${root}/a:${root}/b:c` };
    expect(locateProgram(agent, { env, cwd: root })).toEqual({
      path: join(root, "c", "claude"),
      leadingArgs: [],
    });
  });

  it("resolves relative paths against the working directory", () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, "mine"), "#!/bin/sh\n");
    chmodSync(join(root, "mine"), 0o755);
    expect(locate("./mine", root)).toEqual({ path: join(root, "mine"), leadingArgs: [] });
  });

  it("adds the extensions of PATHEXT on Windows", () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, "claude.cmd"), "");
    const search = { env: { Path: root, PATHEXT: ".EXE;.CMD" }, cwd: root, platform: "win32" as const };
    expect(findProgram("claude", search)).toEqual({ path: join(root, "claude.cmd") });
    expect(findProgram("claude.CMD", search)).toEqual({});
    expect(findProgram("codex", search)).toEqual({});
  });
});

describe("what keeps a program from being started, and what to do next", () => {
  it.each([
    [
      "no such directory",
      () => locate(program("talk"), "/no/such/directory"),
      "config",
      /\/no\/such\/directory does not exist.*create it/,
    ],
    ["a file as directory", () => locate(program("talk"), program("talk")), "config", /is not a directory/],
    [
      "a wrong path",
      () => locate("/no/such/claude"),
      "not_installed",
      /\/no\/such\/claude was not found.*npm install -g claude/,
    ],
    [
      "nothing on PATH",
      () => locateProgram(agent, { env: {}, cwd: "/" }),
      "not_installed",
      /"claude" was not found on PATH; install it with: npm install -g claude/,
    ],
    ["no permission to execute", () => locate(program("not-executable")), "config", /chmod \+x/],
    [
      "a program for Windows",
      () => locate(program("for-another-system")),
      "config",
      /not a program for this machine/,
    ],
    [
      "a program for another processor",
      () => locate(program("for-another-processor")),
      "config",
      /another processor architecture/,
    ],
    ["a script that only a shell would run", () => locate(program("no-first-line")), "config", /#!\/bin\/sh/],
    [
      "a script without its interpreter",
      () => locate(program("missing-interpreter")),
      "config",
      /"\/no\/such\/interpreter"/,
    ],
    ["an empty file", () => locate(emptyProgram()), "config", /empty file/],
  ])("%s", (_name, attempt, kind, message) => {
    expect(attempt()).toMatchObject({ failure: { kind, message: expect.stringMatching(message) } });
  });
});

function emptyProgram(): string {
  const path = join(temporaryDirectory(), "empty");
  writeFileSync(path, "", { mode: 0o755 });
  return path;
}
