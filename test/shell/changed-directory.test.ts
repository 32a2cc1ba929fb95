import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { changedDirectory } from "../../src/shell/changed-directory.js";

const notFound = "/bin/bash: line 1: cd: nowhere: No such file or directory\n";

describe("the directory after a script that succeeded", () => {
  it.each([
    ["cd src", "src"],
    ["cd src && cd deep", "src/deep"],
    ["cd src/./deep/..", "src"],
    ["cd ..", ".."],
    ["cd ../.. && cd x", "../../x"],
    ["cd -- src", "src"],
    ["cd -P src", "src"],
    ["cd /repo && npm test", "/repo"],
    ["cd src && cd /repo/ && cd ..", "/"],
    ["ls && cd src && cat app.ts", "src"],
    ["cd 'a b' && ls", "a b"],
    ['cd "src"', "src"],
    ["{ cd src; } && ls", "src"],
    ["command cd src && ls", "src"],
    ["\\cd src && ls", "src"],
    ["FOO=1 cd src && ls", "src"],
    ["cd src && cd - && ls", "."],
    ["pushd src && make && popd", "."],
    ["pushd src && ls", "src"],
    ["time cd src && ls", "src"],
    ["source .venv/bin/activate && cd src && pytest", "src"],
    ["cd src || exit 1; ls", "src", ""],
    ["cd src; ls", "src", "app.ts\n"],
    ["cd src\nnpm test\ncd ..", ".", ""],
    ["cd nowhere; ls", ".", notFound],
    ["cd nowhere || true", ".", notFound],
    ["cd src || true", "src", ""],
    ["echo a; false || cd src", "src"],
  ])("%j is %j", (script, directory, printed?: string) => {
    expect(changedDirectory(script, printed)).toBe(directory);
  });

  it.each([
    "npm test",
    "ls src",
    "",
    "echo cd src",
    "(cd src && ls)",
    "cd src | cat",
    "cd src & wait",
    "bash -c 'cd src'",
    "git -C src status",
    "exit 0; cd src",
    "cd src; exit 0",
    "echo $(cd src && pwd)",
    "true || cd src",
    "find . -name cd",
    "for f in *; do cat $f; done",
  ])("%j is the same one", (script) => {
    expect(changedDirectory(script)).toBe(".");
  });

  it.each([
    ["cd"],
    ["cd ~"],
    ["cd ~/src"],
    ["cd $X"],
    ['cd "$X/src"'],
    ["cd $(git rev-parse --show-toplevel)"],
    ["cd src*"],
    ["cd {a,b}"],
    ["cd a b"],
    ["cd -"],
    ["popd"],
    ["cd src; ls"],
    ["cd src || true"],
    ["test -d src && cd src; ls", ""],
    ["cd src 2>/dev/null; ls", ""],
    ["cd src; ls", "build.log: cd: permission denied\n"],
    ["if true; then cd src; fi"],
    ["if cd src; then ls; fi"],
    ["case $X in a) cd src;; esac"],
    ["for d in a b; do\n  cd $d\ndone"],
    ["FOO=1 BAR=2 eval x"],
    ["! eval x"],
    ["ls\n. ./move.sh"],
    ["go() { cd src; }; go"],
    ['eval "cd src"'],
    [". ./move.sh"],
    ["CDPATH=/x cd src"],
    ["cd 'unclosed"],
    ["ls | cd src"],
    ["cd src && test -f x && exit; ls", ""],
    ["cd C:\\src"],
  ])("%j cannot be known", (script, printed?: string) => {
    expect(changedDirectory(script, printed)).toBeUndefined();
  });

  it("is not changed by the text of a here-document, however long", () => {
    const text = "cd src\n. ./move.sh\nUse `cd` (or pushd).\n".repeat(2000);
    expect(changedDirectory(`cat > a.sh <<'END'\n${text}END`)).toBe(".");
    expect(changedDirectory(`cat > a.sh <<END && cd src\n${text}END\nls`)).toBeUndefined();
    expect(changedDirectory(`cat > a.sh <<END && cd src\n${text}END\nls`, "")).toBeUndefined();
    expect(changedDirectory(`cd src && cat > a.sh <<"END"\n${text}END\n`)).toBe("src");
    expect(changedDirectory(`cat > a.sh <<-END\n${text}\tEND\ncd src`)).toBe("src");
    expect(changedDirectory("cat <<END\nEND\ncd src")).toBe("src");
  });

  it("is never made up from a variable, whatever surrounds it", () => {
    const word = fc.constantFrom("$X", '"$X"', "$X/src", "src/$X", "$(pwd)", "`pwd`", "~", "~user");
    const around = fc.constantFrom("%", "ls && %", "% && ls", "{ %; }", "true; %", "cd /a && %");
    fc.assert(
      fc.property(word, around, fc.constantFrom(undefined, ""), (target, script, printed) => {
        expect(
          changedDirectory(
            script.replace("%", () => `cd ${target}`),
            printed,
          ),
        ).toBeUndefined();
      }),
    );
  });

  it.each([";a=", "<<a\n", "a=b ", ";", "((", "{ ", "cd `"])("is found quickly in many %j", (piece) => {
    expect(() => changedDirectory(piece.repeat(50_000), piece.repeat(50_000))).not.toThrow();
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      "cd",
      "pushd",
      "popd",
      "a",
      "..",
      "-",
      "$(",
      ")",
      "(",
      "{",
      "}",
      "if",
      "&&",
      ";",
      "|",
      '"',
      "'",
      "\\",
      "<<E",
      "\n",
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 12 }),
        (parts) => {
          expect(() => changedDirectory(parts.join(" "), parts.join("\n"))).not.toThrow();
        },
      ),
    );
  });
});

describe.skipIf(spawnSync("bash", ["-c", "true"]).status !== 0)("a real bash", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-cd-")));
  const start = join(root, "a", "b");
  mkdirSync(join(start, "a", "b"), { recursive: true });
  mkdirSync(join(start, "c"));
  afterAll(() => rmSync(root, { recursive: true }));

  /** Where the shell is after a script that succeeded. Undefined if it failed. */
  function run(script: string): { directory: string; printed: string } | undefined {
    const note = join(root, "note");
    rmSync(note, { force: true });
    const { status, stdout } = spawnSync(
      "bash",
      ["--norc", "-c", 'exec 2>&1; eval "$1" && pwd -P >| "$2"', "bash", script, note],
      { cwd: start, encoding: "utf8" },
    );
    if (status !== 0) return undefined;
    try {
      return { directory: readFileSync(note, "utf8").trim(), printed: stdout };
    } catch {
      return { directory: start, printed: stdout };
    }
  }

  it("agrees wherever a directory is named", () => {
    const simple = fc.constantFrom(
      "cd a",
      "cd a/b",
      "cd c",
      "cd ..",
      "cd nowhere",
      `cd ${root}`,
      "cd -",
      "cd $NONE",
      "true",
      "false",
      "ls",
      "ls nowhere",
      "pushd a",
      "popd",
      "(cd a)",
      "{ cd c; }",
      "exit 0",
      "exit 1",
      "cd a 2>/dev/null",
      "cd a | cat",
      "! cd a",
      "cd c &",
    );
    const joint = fc.constantFrom(" && ", " || ", "; ", "\n");
    const script = fc
      .array(fc.tuple(simple, joint), { minLength: 1, maxLength: 5 })
      .map((parts) =>
        parts.map(([command, next], at) => (at === parts.length - 1 ? command : command + next)).join(""),
      )
      .filter((text) => !/&(?: &&| \|\||;)/.test(text));
    fc.assert(
      fc.property(script, (text) => {
        const real = run(text);
        if (real === undefined) return;
        for (const printed of [undefined, real.printed]) {
          const told = changedDirectory(text, printed);
          if (told !== undefined) expect(resolve(start, told), text).toBe(real.directory);
        }
      }),
      { numRuns: 60 },
    );
  });
});
