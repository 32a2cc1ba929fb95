import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationDrafts } from "../../src/agents/frame/operation-drafts.js";
import { classifyCommand } from "../../src/shell/classify-command.js";

/** What is said about the parts of a script that ended with an exit code: + succeeded, - failed, ? nothing. */
const scripts: readonly [script: string, exitCode: number, said: string][] = [
  ["cat a", 0, "+"],
  ["cat missing", 1, "-"],
  ["bash -lc 'cat a'", 0, "+"],
  ["cat missing || cat a", 0, "??"],
  ["cat missing || cat nowhere", 1, "--"],
  ["cat missing || true", 0, "?"],
  ["cat missing 2>/dev/null || echo none", 0, "?"],
  ["cat a || cat b || cat c", 0, "???"],
  ["cat missing | head", 0, "?"],
  ["cat a | grep x", 1, "?"],
  ["rg x | wc -l", 0, "?"],
  ["ls nowhere; true", 0, "?"],
  ["ls nowhere\necho done", 0, "?"],
  ["grep x a; echo $?", 0, "?"],
  ["ls; ls nowhere", 2, "?-"],
  ["ls nowhere; ls", 0, "?+"],
  ["cat a && cat b", 0, "++"],
  ["cat a && cat missing", 1, "??"],
  ["cat a && echo done", 0, "+"],
  ["cat missing && echo done", 1, "-"],
  ["cat a; cat b && cat c", 0, "?++"],
  ["cat a && cat b || cat c", 0, "???"],
  ["cat a || cat b; cat c", 0, "??+"],
  ["cat a | head && cat b", 0, "?+"],
  ["cat a b", 0, "++"],
  ["cat a missing", 1, "??"],
  ["cat missing nowhere || cat lost", 1, "??-"],
  ["ls src nowhere", 2, "??"],
  ["sed -n '1,2p;4,5p' missing", 2, "--"],
  ["grep x a", 1, "+"],
  ["grep x missing", 2, "-"],
  ["ls; grep x a", 1, "?+"],
  ["ls && grep x a", 1, "??"],
  ["grep x a && cat b", 1, "??"],
];

describe("the parts of a script", () => {
  it.each(scripts)("%j that exits with %i: %s", (script, exitCode, said) => {
    expect(saidAbout(script, exitCode).map(({ mark }) => mark)).toEqual([...said]);
  });

  it("have no outcome if nothing is known about the end of the script", () => {
    const { operations } = classifyCommand("cat a && cat b");
    const drafts = operationDrafts({ callId: "c", name: "shell" }, [...operations], {});
    expect(drafts.every((draft) => !("isSuccess" in draft) || draft.isSuccess === undefined)).toBe(true);
  });
});

describe("options in quotes", () => {
  it.each(['rg -n "--continue|x" f', "rg -n '--continue' f", "grep '-v' f", 'rg "-x" -e y f'])(
    "%s stays a command: the program does not take the word for a pattern",
    (script) => expect(classifyCommand(script).operations).toEqual([]),
  );

  it.each(["rg -e '--continue' f", "rg -- '--continue' f", "rg --glob='*.ts' --continue= f"])(
    "%s is a search",
    (script) => expect(classifyCommand(script).operations).toMatchObject([{ type: "search" }]),
  );
});

/** Every script of up to three parts is run by a real shell in which each part says how it ended. */
describe.skipIf(spawnSync("bash", ["-c", "true"]).status !== 0)("in a real bash", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "harness-script-"));
    for (const name of ["a", "b"]) writeFileSync(join(directory, name), "text\n");
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const parts = [
    "cat a",
    "cat missing",
    "ls b",
    "grep text a",
    "grep nothing b",
    "echo between",
    "cat a | head",
  ];
  const joints = [" && ", " || ", "; "];
  const pairs = parts.flatMap((first) =>
    joints.flatMap((joint) => parts.map((last) => first + joint + last)),
  );
  const triples = pairs.flatMap((pair, index) =>
    joints.map((joint, which) => pair + joint + (parts[(index + which) % parts.length] ?? "")),
  );

  it("nothing is said that is not so", () => {
    const scripts = [...parts, ...pairs, ...triples].filter(
      (script) => classifyCommand(script).operations.length > 0,
    );
    const ends = runAll(scripts);
    for (const [index, script] of scripts.entries()) {
      const { exitCode, succeeded } = ends[index] ?? { exitCode: -1, succeeded: [] };
      for (const { mark, what } of saidAbout(script, exitCode)) {
        if (mark === "+") expect(succeeded, `${script}: ${what} did not succeed`).toContain(what);
        if (mark === "-") expect(succeeded, `${script}: ${what} did succeed`).not.toContain(what);
      }
    }
  });

  /** One shell for all scripts. `cat`, `ls` and `grep` write the name of their file to descriptor 9 if they succeed. */
  function runAll(scripts: readonly string[]): { exitCode: number; succeeded: string[] }[] {
    const functions = `
      cat() { command cat "$@" && echo "$1" >&9; }
      ls() { command ls "$@" && echo "$1" >&9; }
      grep() { command grep "$@"; local code=$?; [ $code -le 1 ] && echo "$2" >&9; return $code; }`;
    const runs = scripts.map((script) => `( ${script} ) >/dev/null 2>&1; echo "exit $?" >&9`);
    const { stdout } = spawnSync("bash", ["--norc", "-c", [functions, "exec 9>&1", ...runs].join("\n")], {
      cwd: directory,
      encoding: "utf8",
    });
    return stdout
      .split(/exit (\d+)\n/)
      .slice(0, -1)
      .reduce<{ exitCode: number; succeeded: string[] }[]>((ended, piece, index) => {
        if (index % 2 === 0) ended.push({ exitCode: -1, succeeded: piece.split("\n").filter(Boolean) });
        else Object.assign(ended.at(-1) ?? {}, { exitCode: Number(piece) });
        return ended;
      }, []);
  }
});

function saidAbout(script: string, exitCode: number): { what: string | undefined; mark: string }[] {
  const { operations } = classifyCommand(script);
  const call = { callId: "c", name: "shell" };
  const how = { isSuccess: exitCode === 0, exitCode };
  return operationDrafts(call, [...operations], how).map((draft) => {
    const isSuccess = "isSuccess" in draft ? draft.isSuccess : undefined;
    return {
      what: "path" in draft ? draft.path : undefined,
      mark: isSuccess === undefined ? "?" : isSuccess ? "+" : "-",
    };
  });
}
