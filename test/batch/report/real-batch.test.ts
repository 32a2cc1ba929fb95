import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import * as v from "valibot";
import { expect, it } from "vitest";
import { batchPlaces } from "../../../src/batch/places.js";
import { readBatch } from "../../../src/batch/read-batch.js";
import { createReport, renderReport, reportFormats } from "../../../src/batch/report/report.js";
import { BatchReport } from "../../../src/batch/report/schema.js";
import { runBatch } from "../../../src/batch/run-batch.js";
import { temporaryDirectory } from "../../runs/test-agent.js";
import { failsWith, planOf, resolveShell, succeeds } from "../support/shell-agent.js";

it("the ledger of a batch that ran gives its report in every form", async () => {
  const directory = temporaryDirectory();
  const tasks = [
    { id: "writes", prompt: `echo fixed > file; ${succeeds}`, check: "cat file; test -e file" },
    { id: "forgets", prompt: succeeds, check: "echo the file is missing; exit 3" },
    { id: "fails-but-is-right", prompt: failsWith("crash"), check: "true" },
    { id: "cannot-begin", prompt: succeeds, setup: "echo no network; exit 7", check: "true" },
  ];
  const batch = await runBatch(planOf({ tasks, arms: [{ agent: "x" }, { agent: "y" }], repeats: 2 }), {
    batchesDirectory: join(directory, "batches"),
    sessionsDirectory: join(directory, "sessions"),
    resolveArm: resolveShell,
  });
  await batch.result;
  const { state, problems } = readBatch(batch.directory);
  const report = createReport(state);
  expect(problems).toEqual([]);
  expect(v.safeParse(BatchReport, JSON.parse(renderReport(report, "json"))).issues).toBeUndefined();
  expect(report.total).toMatchObject({
    passed: 8,
    failed: 4,
    errors: 4,
    setupFailures: 4,
    agreement: { agentSucceeded: { passed: 4, failed: 4 }, agentFailed: { passed: 4, failed: 0 } },
    failures: [
      { kind: "check", count: 4 },
      { kind: "setup", count: 4 },
    ],
  });
  const patchOf = (cellId: string): string =>
    readFileSync(join(batchPlaces(batch.directory).cell(cellId), "changes.patch"), "utf8");
  const cell = report.cells.find(({ taskId }) => taskId === "writes");
  const shown = Object.fromEntries(
    reportFormats.map((format) => [
      format,
      renderReport(report, format, { patchOf: (id) => (id === cell?.cellId ? patchOf(id) : undefined) }),
    ]),
  );
  expect(shown["text"]).toContain("forgets, x, run 1: the check failed with exit code 3");
  expect(shown["markdown"]).toContain("the file is missing");
  expect(shown["junit"]).toContain('<error message="the setup failed with exit code 7" type="setup">');
  const read = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(
    shown["junit"] ?? "",
    true,
  );
  expect(read.testsuites).toMatchObject({ tests: "16", failures: "4", errors: "4", skipped: "0" });
  expect(read.testsuites.testsuite).toMatchObject([
    { name: "x", tests: "8" },
    { name: "y", tests: "8" },
  ]);
  expect(shown["html"]).toContain('<span class="line added">+fixed</span>');
  expect(shown["html"]).toContain(`harness sessions show ${cell?.runId}`);
});
