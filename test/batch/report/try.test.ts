import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { it } from "vitest";
import { createReport, renderReport, reportFormats } from "../../../src/batch/report/report.js";
import { sampleBatch, samplePatch } from "./sample.js";

it("try", async () => {
  const report = createReport(sampleBatch());
  for (const f of reportFormats)
    writeFileSync(`/tmp/rep/out.${f}`, renderReport(report, f, { patchOf: () => samplePatch }));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  for (const [name, width, scheme] of [
    ["light", 1280, "light"],
    ["dark", 1280, "dark"],
    ["narrow", 390, "light"],
  ] as const) {
    const c = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const p = await c.newPage();
    p.on("console", (m) => console.log(m.text()));
    await p.goto("file:///tmp/rep/out.htm".replace("htm", "html"));
    await p.setViewportSize({ width, height: 2000 });
    await p.screenshot({ path: `/tmp/rep/${name}.png` });
    console.log(name, await p.evaluate("document.documentElement.scrollWidth"));
    if (name === "light") {
      await p.click(".square.failed");
      await p.waitForTimeout(200);
      await p.screenshot({ path: "/tmp/rep/cell.png" });
    }
  }
  await browser.close();
});
