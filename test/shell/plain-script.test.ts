// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isQuickToParse } from "../../src/shell/parse-limits.js";
import { parseAnyScript } from "../../src/shell/parse-script.js";
import { parsePlainScript, refusedScript } from "../../src/shell/plain-script.js";
import { notReads, otherReads, quotedPaths, readLines } from "./read-commands.js";
import { doubtfulScripts, joinedOperations, wrappedScripts } from "./script-commands.js";
import { lists, notSearches, searchesForFiles, searchesInFiles } from "./search-commands.js";

const pieces = fc.constantFrom(
  ..."cat sed -n 10,20p '10,20p' head -40 grep -rn 'a b' \"a b\" 'a\"b' \"a'b\" '' \"\" 'if' x'y'\"z\" --include='*.ts' src/app.ts".split(
    " ",
  ),
  ..."if then fi do done in time coproc function select ! { } [[ ]] [ ] a=b 'a'=b a'b'=c -a=b =a a= export 5 2 & ~ ~/a a~ a:~".split(
    " ",
  ),
  ..."2>&1 2>/dev/null 2>&1- 2>/dev/nullx >a <a 1>&2 <<EOF <<<a $X ${X} $(a) `a` \\ a\\b * ? [a] {a,b} # a#b ( ) ()".split(
    " ",
  ),
  ..."| || && ; ;; |& & , . .. / @ @(a) +(a) % ^ - -- : + > >> >| <> >> > é 日本 😀 \0 \r \u00a0 \u2028 \ud800 '\\' '$X' \"$X\" \"!\" '!' '*'".split(
    " ",
  ),
  "\n",
  "\t",
  "\\\n",
  "EOF\n",
  "'a\nb'",
  "'$\\\n'",
);
const plainPieces = fc.constantFrom(
  ..."cat sed -n '10,20p' \"a b\" 'a'\"b\"c src/a.ts --x='*' -e=1 2>&1 2>/dev/null | || && ; time if in 2 '' *.ts a?b 'a'* ~/a > out >> << EOF".split(
    " ",
  ),
);
const plainWord = fc.stringMatching(/^(?:[\w./:@%+,=-]{1,4}|[~*?]|'[^'\n]{0,6}'|"[^"\\$`\n]{0,6}"){1,3}$/);
const joined = (from: fc.Arbitrary<string>, gap: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(from, gap), { maxLength: 14 }).map((all) => all.flat().join(""));
const spaces = fc.constantFrom(" ", " ", " ", "  ", "\t", "");
const scripts = fc.oneof(
  joined(pieces, spaces),
  joined(plainPieces, spaces),
  joined(fc.oneof(plainPieces, plainWord), fc.constant(" ")),
  joined(plainWord, fc.constantFrom(" ", "|", " | ", "&&", ";", "")),
  fc.string(),
  fc.string({ unit: "binary" }),
);

const written = [
  ...[...notReads, ...otherReads, ...quotedPaths, ...readLines],
  ...[...doubtfulScripts, ...joinedOperations, ...wrappedScripts],
  ...[...lists, ...notSearches, ...searchesForFiles, ...searchesInFiles],
];

describe("parsePlainScript", () => {
  it("gives what the parser gives, or nothing", () => {
    let plain = 0;
    let refusals = 0;
    fc.assert(
      fc.property(scripts, (script) => {
        const parts = parsePlainScript(script);
        if (parts === undefined || !isQuickToParse(script)) return;
        if (parts === refusedScript) refusals += 1;
        else plain += 1;
        expect(parts === refusedScript ? undefined : parts).toEqual(parseAnyScript(script));
      }),
      { numRuns: 20_000 },
    );
    expect(plain).toBeGreaterThan(2000);
    expect(refusals).toBeGreaterThan(200);
  });

  it("gives what the parser gives for the scripts that agents write", () => {
    for (const { line } of written) {
      const parts = parsePlainScript(line);
      if (parts === undefined) continue;
      expect(parts === refusedScript ? undefined : parts, line).toEqual(parseAnyScript(line));
    }
  });

  it.each([
    "cat src/app.ts",
    "sed -n '10,20p' src/app.ts 2>/dev/null | head -n 5",
    'rg -n "foo bar" --glob=\'*.ts\' src && ls -la; echo "done"',
    "/bin/bash -lc \"sed -n '1,5p' a\"",
    "cat ~/a src/*.ts",
  ])("reads %s", (script) => {
    expect(parsePlainScript(script)).toBeDefined();
  });

  it.each(["cat a > b", "cat a >>b", "ls | cat <<EOF\na\nEOF", "cat 2>b"])("refuses %j", (script) => {
    expect(parsePlainScript(script)).toBe(refusedScript);
  });

  it.each([
    "cat $X",
    "cat [a]",
    "cat a > /dev/null",
    "cat < a",
    "A=1 cat a",
    "time cat a",
    "cat a &",
    "cat a;",
    "2>&1 cat",
    "c* a",
    "",
  ])("leaves %j to the parser", (script) => {
    expect(parsePlainScript(script)).toBeUndefined();
  });
});

describe("isQuickToParse", () => {
  it.each([
    [`cat '${"{".repeat(201)}'`, false],
    [`cat '${"{".repeat(190)}'`, true],
    [`cat '${"<<".repeat(9)}'`, false],
    [`cat '${"<<".repeat(8)}'`, true],
    [`cat '${"$[".repeat(9)}'`, false],
  ])("%s: %s", (script, expected) => {
    expect(isQuickToParse(script)).toBe(expected);
  });
});
