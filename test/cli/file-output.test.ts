import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { printAll } from "../../src/cli/printing/print-all.js";
import { createFileOutput } from "../../src/cli/running/file-output.js";
import { temporaryDirectory } from "../runs/test-agent.js";

it("a file ends with whole texts, also when a long one cannot be written to its end", async () => {
  const path = join(temporaryDirectory(), "out.jsonl");
  const complaints: string[] = [];
  const file = createFileOutput(path, (sentence) => complaints.push(sentence));
  function* tornByTheDisk(): Generator<string> {
    for (let count = 0; count < 10; count++) yield "x".repeat(100_000);
    throw new Error("no space left");
  }
  await printAll(file, ["one\n", { pieces: ["t", "wo\n"] }, { pieces: tornByTheDisk() }, "three\n"]);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  expect(file.hasFailed).toBe(true);
  expect(complaints).toHaveLength(1);
});
