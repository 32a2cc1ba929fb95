// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJudge } from "../../../src/live/rules/judge.js";
import { allBut } from "./cases.js";
import { commandTopics } from "./command-cases.js";
import { places, toRequest } from "./places.js";

const bash = spawnSync("bash", ["-c", "command -v bash"], { encoding: "utf8" }).stdout.trim();
const programs = [
  "env",
  "xargs",
  "timeout",
  "nohup",
  "nice",
  "sh",
  "cat",
  "base64",
  "find",
  "setsid",
  "stdbuf",
];

/** Pieces of scripts that run `git push` in many ways, and pieces that hide it. */
const pieces = [
  ..."git push gi t pu sh 'git' \"push\" g\\it p\\ush $x $y ${x} ${y} $(echo push) `echo git` {git,push}".split(
    " ",
  ),
  ..."; && || | & ( ) { } ! ' \" \\ # < > $ ` ${IFS}".split(" "),
  ..."env nohup nice command exec eval xargs bash sh -c -lc time builtin timeout 5 -C . -- -p a=b".split(" "),
  "x=git;",
  "y=push;",
  "echo push |",
  "echo git push |",
  "'git push'",
  '"git push"',
  "f() { git push; };",
  "f;",
  "alias p='git push';",
  "if true; then",
  "fi",
  "for x in git; do",
  "done",
  "\n",
  "<<E\n",
  "\nE\n",
  "<(git push)",
  "$((1))",
  "echo",
  "true",
  "cat",
  "status",
];

/** The rules are right only if no script that they allow runs what they deny. */
describe.skipIf(bash === "")("in a real bash", () => {
  let directory = "";
  let log = "";
  const judge = createJudge(allBut, places);

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rules-bash-"));
    log = join(directory, "pushed");
    mkdirSync(join(directory, "bin"));
    mkdirSync(join(directory, "work"));
    const git = join(directory, "bin/git");
    writeFileSync(
      git,
      `#!${bash}\nfor word; do case $word in -*|.) ;; push) : > "${log}";; *) break;; esac; done\n[ "$1" = status ] || echo ran\n`,
    );
    chmodSync(git, 0o755);
    symlinkSync(bash, join(directory, "bin/bash"));
    for (const name of programs) {
      const found = spawnSync(bash, ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
      if (found.startsWith("/")) symlinkSync(found, join(directory, "bin", name));
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs a script where `git` only notes that it was asked to push, and prints if it was asked for no status. */
  function pushes(script: string): boolean {
    runs(script);
    return existsSync(log);
  }

  function runs(script: string): string {
    rmSync(log, { force: true });
    const { stdout } = spawnSync(bash, ["--norc", "-c", script], {
      cwd: join(directory, "work"),
      env: { PATH: join(directory, "bin"), HOME: directory },
      input: "",
      timeout: 5000,
      encoding: "utf8",
    });
    return stdout;
  }

  it("what is denied here as `git push` does push", () => {
    expect(pushes("git push")).toBe(true);
    expect(pushes("echo push | xargs git")).toBe(true);
    expect(pushes("git status")).toBe(false);
    expect(pushes("echo git push")).toBe(false);
  });

  const scripts = commandTopics
    .filter(({ rules }) => rules === allBut)
    .flatMap(({ cases }) =>
      cases.flatMap(([asked, decision]) => (typeof asked === "string" ? [[asked, decision] as const] : [])),
    )
    .filter(([script]) => !script.includes("\0"));

  it("no script of the table that is allowed pushes", () => {
    for (const [script, decision] of scripts)
      if (decision === "allow") expect(pushes(script), script).toBe(false);
  });

  it("no script of random pieces that rules with patterns allow runs anything else, or writes a file", () => {
    const narrow = createJudge(
      {
        allow: [
          ...[
            "echo *",
            "cat *",
            "git status *",
            "true",
            "env *",
            "bash *",
            "xargs *",
            "exec *",
            "find *",
            "cd *",
          ],
          ...["command *", "eval *", "timeout *", "sh -c *", "alias *", "export *", "read *", "set *"],
        ]
          .map((pattern) => `command: ${pattern}`)
          .concat("read", "search", "list"),
      },
      places,
    );
    const others =
      "git git>x >x >>$x $(git) `git` <(git) git; $x=git x=git;x {git,} 'gi't \\git ./git -exec git \\; -delete -c -- #";
    const script = fc
      .array(fc.constantFrom(...pieces.filter((piece) => !piece.includes("push")), ...others.split(" ")), {
        minLength: 1,
        maxLength: 10,
      })
      .map((all) => all.join(" "));
    const isClean = (): boolean => readdirSync(join(directory, "work")).length === 0;
    let allowed = 0;
    fc.assert(
      fc.property(script, (each) => {
        if (narrow(toRequest(each)).decision !== "allow") return;
        allowed += 1;
        expect(runs(each), each).not.toContain("ran\n");
        expect(isClean(), each).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(allowed).toBeGreaterThan(20);
  });

  it("no script of random pieces that pushes is allowed", () => {
    const script = fc
      .array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 12 })
      .map((all) => all.join(" "));
    let pushed = 0;
    fc.assert(
      fc.property(script, (each) => {
        if (judge(toRequest(each)).decision !== "allow") return;
        pushed += 1;
        expect(pushes(each), each).toBe(false);
      }),
      { numRuns: 3000 },
    );
    expect(pushed).toBeGreaterThan(20);
  });
});
