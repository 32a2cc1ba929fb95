// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import { describe, expect, it } from "vitest";
import { classifyCommand, type ShellOperation } from "../../src/shell/classify-command.js";
import type { CommandCase } from "./commands.js";
import { notReads, otherReads, quotedPaths, readLines } from "./read-commands.js";
import { doubtfulScripts, joinedOperations, wrappedScripts } from "./script-commands.js";
import { lists, notSearches, searchesForFiles, searchesInFiles } from "./search-commands.js";

const groups: Record<string, CommandCase[]> = {
  "reads of quoted paths": quotedPaths,
  "reads of lines": readLines,
  "other reads": otherReads,
  "commands that are no reads": notReads,
  "searches in files": searchesInFiles,
  "searches for files": searchesForFiles,
  lists,
  "commands that are no searches or lists": notSearches,
  "several operations in a line": joinedOperations,
  "scripts that stay commands": doubtfulScripts,
  "shells around scripts": wrappedScripts,
};

for (const [name, cases] of Object.entries(groups)) {
  describe(name, () => {
    it.each(cases.map((one) => [one.line, one] as const))("%j", (line, { operations, command = line }) => {
      const classified = classifyCommand(line);
      expect(classified.command).toBe(command);
      expect(classified.operations.map(withoutDecision)).toStrictEqual(operations);
    });
  });
}

/** Which parts the exit code decides is in script-success.test.ts. */
function withoutDecision({ exitDecides: _, ...operation }: ShellOperation): unknown {
  return operation;
}

describe("long command lines", () => {
  const file = "const f = (a) => { return `it's ${a[0]} << $(b)`; };\n".repeat(1500);
  const script = `cat > a.js <<'EOF'\n${file}EOF`;

  it("takes the script out of a wrapper, whatever is in it", () => {
    const quoted = script.replaceAll("'", "'\\''");
    expect(classifyCommand(`/bin/bash -lc '${quoted}'`)).toStrictEqual({ command: script, operations: [] });
    const doubleQuoted = script.replace(/[\\"$`]/g, "\\$&");
    expect(classifyCommand(`/bin/bash -lc "${doubleQuoted}"`)).toStrictEqual({
      command: script,
      operations: [],
    });
  });

  it("leaves what no shell could run as it is", () => {
    const line = `bash -lc 'cat ${"a".repeat(200_000)}'`;
    expect(classifyCommand(line)).toStrictEqual({ command: line, operations: [] });
  });
});
