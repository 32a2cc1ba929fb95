import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quotedPaths, readLines } from "./read-commands.js";

/** The tables are right only if a shell agrees with them. */
describe.skipIf(spawnSync("bash", ["-c", "sed --version && nl --version"]).status !== 0)(
  "in a real bash",
  () => {
    const lineCount = 60;
    const numbers = Array.from({ length: lineCount }, (_, index) => index + 1);
    let directory = "";

    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), "harness-shell-"));
      writeFileSync(join(directory, "f"), numbers.map((number) => `line-${number}\n`).join(""));
    });
    afterAll(() => rmSync(directory, { recursive: true }));

    function bash(script: string): string {
      const { stdout } = spawnSync("bash", ["--norc", "-c", script], { cwd: directory, encoding: "utf8" });
      return stdout;
    }

    it.each(quotedPaths.map((one) => [one.line, one] as const))(
      "%j names the paths",
      (line, { operations }) => {
        const showsWords = `cat() { [ "$1" = -- ] && shift; printf '%s\\0' "$@"; }\n${line}`;
        const paths = operations.map((operation) => operation.path);
        expect(bash(showsWords).split("\0").slice(0, -1)).toEqual(paths);
      },
    );

    it.each(readLines.map((one) => [one.line, one] as const))(
      "%j prints the lines",
      (line, { operations }) => {
        const printed = [...bash(line).matchAll(/line-(\d+)/g)].map(([, number]) => Number(number));
        const lines = operations.flatMap((operation) =>
          operation.type === "read"
            ? numbers.slice((operation.startLine ?? 1) - 1, operation.endLine ?? lineCount)
            : [],
        );
        expect(printed).toEqual(lines);
      },
    );
  },
);
