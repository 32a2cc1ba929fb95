import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { createReport } from "../../../src/batch/report/create-report.js";
import { toText } from "../../../src/batch/report/text/report.js";
import { sampleBatch } from "./sample.js";

it("try", () => {
  const report = createReport(sampleBatch());
  writeFileSync("/tmp/rep/out.txt", toText(report));
  writeFileSync("/tmp/rep/out.json", JSON.stringify(report, null, 1));
});
