import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeCells } from "../../src/batch/make-cells.js";
import type { Cell } from "../../src/batch/model/cell.js";
import { runBatch } from "../../src/batch/run-batch.js";
import { planOf, resolveShell, succeeds } from "../batch/support/shell-agent.js";
import { record } from "../server/support.js";
import { type WrittenBatch, type WrittenLine, writeBatch } from "../support/write-batch.mjs";
import { violations } from "./axe.js";
import { expectNoComplaints, open, serve, type TestPage, type TestServer, useBrowser } from "./support.js";

useBrowser();

const plan = {
  name: "cart",
  tasks: [{ id: "fix-total" }, { id: "add-coupon" }, { id: "rename" }],
  arms: [{ agent: "claude" }, { agent: "codex", model: "mini" }],
  repeats: 3,
};
const evil = `<img src=x onerror="document.title='owned'">\u202Egnp`;
const failed: WrittenLine = {
  type: "done",
  verdict: "failed",
  reason: "the check failed: exit code 1",
  check: { isSuccess: false, exitCode: 1, durationMs: 5, tail: `1 failing ${evil}` },
};

function write(server: TestServer, options: Partial<Parameters<typeof writeBatch>[0]> = {}): WrittenBatch {
  return writeBatch({ batches: server.batches, id: "b1", makeCells, plan, ...options });
}

function square(page: TestPage, cell: Cell | undefined, sign = "") {
  return page.locator(`.cell-grid [data-cell="${cell?.id}"]${sign && `.${sign}`}`);
}

/** The cell of a task and an arm. */
function find({ cells }: WrittenBatch, task: string, arm: string, repetition: number): Cell | undefined {
  return cells.find((cell) => cell.task.id === task && cell.arm.id === arm && cell.repetition === repetition);
}

describe("batches", () => {
  it("are listed with how they stand, and lead to a grid that fills by itself", async () => {
    const server = await serve();
    const page = await open(server, "#/batches");
    await page.waitForSelector("text=No batches yet");
    const batch = write(server, { isRunning: true });
    const line = page.locator(".batch-line", { hasText: "cart" });
    await line.getByText("0 of 18 done").waitFor();
    expect(await line.locator(".sign").getAttribute("aria-label")).toBe("Running");
    await line.click();
    const [first, second, third] = [1, 2, 3].map((number) => find(batch, "fix-total", "claude", number));
    await square(page, first, "waiting").waitFor();
    expect(await page.locator(".cell-grid .square").count()).toBe(18);
    batch.append(first, { type: "started" });
    await square(page, first, "running").waitFor();
    batch.append(first, { type: "done" });
    batch.append(second, failed);
    batch.append(
      third,
      { type: "started" },
      { type: "retrying", failure: { kind: "rate_limit", message: "429" } },
    );
    await square(page, first, "passed").waitFor();
    await square(page, second, "failed").waitFor();
    await square(page, third, "retrying").waitFor();
    await page.locator(".tiles", { hasText: "2 of 18" }).waitFor();
    await page.locator(".figures tr", { hasText: "claude" }).getByText("1 of 2").waitFor();
    batch.append(undefined, { type: "ended", reason: "cancelled" });
    await page.waitForSelector(".badge:has-text('Cancelled')");
    await page.waitForSelector("code:has-text('harness batch resume b1')");
    expectNoComplaints(page);
  });

  it("show a cell when it is pointed at or moved to, and open its run", async () => {
    const server = await serve();
    const runId = await record(server.directory, "claude", "files", { batch: { id: "b1", cell: "x" } });
    const batch = write(server, {
      outcomeOf: ({ task, arm, repetition }) =>
        task.id !== "fix-total" || repetition > 1
          ? []
          : arm.id === "claude"
            ? [{ type: "done", runId }]
            : [failed],
    });
    const good = find(batch, "fix-total", "claude", 1);
    const bad = find(batch, "fix-total", "codex-mini", 1);
    const waiting = find(batch, "add-coupon", "codex-mini", 1);
    if (bad === undefined) throw new Error("no cell");
    batch.writeFile(bad, "changes.patch", `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new ${evil}\n`);
    batch.writeFile(bad, "check.log", `all of it ${evil}`);
    const page = await open(server, "#/batch/b1");
    const panel = page.locator(".cell-panel");
    await square(page, bad).hover();
    await panel.getByText("the check failed: exit code 1").waitFor();
    await panel.getByText("1 failing <img src=x").waitFor();
    await panel.getByRole("button", { name: "Changes" }).click();
    await panel.locator(".diff .added", { hasText: "[U+202E]" }).waitFor();
    await panel.getByRole("button", { name: "Check log" }).click();
    await panel.getByText("all of it <img").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    // Keys go on from the cell that is shown.
    await square(page, bad).focus();
    await page.keyboard.press("ArrowDown");
    await panel.getByText("It has not been run.").waitFor();
    expect(page.url()).toContain(`#/batch/b1/${waiting?.id}`);
    await page.keyboard.press("Enter");
    await panel.getByText("It has not been run.").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    await panel.getByText("Open the run").waitFor();
    expect(await page.evaluate("document.activeElement.dataset.cell")).toBe(good?.id);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".run-head h1:has-text('files of claude')");
    // And back, to the same cell.
    await page.goBack();
    await panel.getByText("Open the run").waitFor();
    expectNoComplaints(page);
  });

  it("keep their runs out of the list of runs, and each of these leads back to its grid", async () => {
    const server = await serve();
    const batch = write(server);
    const [cell] = batch.cells;
    const runId = `${cell?.id}-a1`;
    await record(server.directory, "claude", "files", { runId, batch: { id: "b1", cell: cell?.id ?? "" } });
    await record(server.directory, "codex", "text");
    const page = await open(server);
    await page.waitForSelector(".run-line");
    expect(await page.locator(".run-line").count()).toBe(1);
    expect(await page.locator(".segments button").first().innerText()).toMatch(/all 1/i);
    await page.getByLabel("Runs of batches").check();
    await expect.poll(() => page.locator(".run-line").count()).toBe(2);
    expect(page.url()).toContain("batches=1");
    await page.locator(".run-line", { hasText: "files of claude" }).locator(".run-link").click();
    await page.locator(".run-head .chip", { hasText: "b1" }).click();
    await square(page, cell, "current").waitFor();
    expectNoComplaints(page);
  });

  it("are followed while a real one runs, and so are its runs", async () => {
    const server = await serve();
    const gate = join(server.home, "gate");
    const prompt = `echo '{"type":"say","text":"at work"}'; until [ -e ${gate} ]; do sleep 0.02; done; ${succeeds}`;
    const batch = await runBatch(
      planOf({
        tasks: [{ id: "real", prompt, check: "echo checked; false" }],
        arms: [{ agent: "x" }, { agent: "y" }],
        concurrency: 1,
      }),
      { batchesDirectory: server.batches, sessionsDirectory: server.directory, resolveArm: resolveShell },
    );
    const page = await open(server, `#/batch/${batch.batchId}`);
    const running = page.locator(".cell-grid .square.running");
    await running.waitFor();
    expect(await page.locator(".cell-grid .square.waiting").count()).toBe(1);
    await running.click();
    await page.getByText("at work").first().waitFor();
    await page.locator(".run-head .chip").click();
    writeFileSync(gate, "");
    await batch.result;
    await expect.poll(() => page.locator(".cell-grid .square.failed").count()).toBe(2);
    await page.waitForSelector(".badge:has-text('Completed')");
    await page.locator(".cell-panel .shell pre", { hasText: "checked" }).waitFor();
    await page.getByRole("button", { name: "Check log" }).click();
    await page.locator(".cell-panel .value pre", { hasText: "checked" }).waitFor();
    expectNoComplaints(page);
  });

  it("with 10,000 cells have only the visible squares in the document, and every cell in reach", async () => {
    const server = await serve();
    const tasks = Array.from({ length: 50 }, (_, index) => ({ id: `task-${index}` }));
    const batch = write(server, { plan: { ...plan, tasks, repeats: 100 }, isRunning: true });
    const page = await open(server, "#/batch/b1");
    await square(page, find(batch, "task-0", "claude", 1)).waitFor();
    await page.locator(".legend", { hasText: "10,000" }).waitFor();
    expect(await page.locator(".square").count()).toBeLessThan(1500);
    await page.locator(".cell-grid").evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const last = find(batch, "task-49", "codex-mini", 100);
    await square(page, last).waitFor();
    batch.append(last, { type: "done" });
    await square(page, last, "passed").waitFor();
    expectNoComplaints(page);
  });

  it("say which worker runs which cells", async () => {
    const server = await serve();
    const outcomeOf = (_: Cell, index: number): WrittenLine[] =>
      index < 3
        ? [{ type: "started", worker: index < 2 ? "oak" : "elm" }]
        : index < 5
          ? [{ type: "done", worker: "oak" }]
          : [];
    const batch = write(server, { outcomeOf, isRunning: true });
    const page = await open(server, "#/batch/b1");
    const row = page.locator(".figures tr", { hasText: "oak" });
    await row.waitFor();
    expect(await row.locator("td").allInnerTexts()).toMatchObject(["2", "2", expect.anything()]);
    await square(page, batch.cells[0]).click();
    await page.getByText("It runs on oak.").waitFor();
    expectNoComplaints(page);
  });
});

describe.each(["light", "dark"] as const)("in %s colours", (colorScheme) => {
  it("nothing is found by axe, and nothing is wider than a telephone", async () => {
    const server = await serve();
    const signs: WrittenLine[][] = [
      [{ type: "done" }],
      [failed],
      [{ type: "done", verdict: "error", reason: "the setup failed" }],
      [{ type: "started", worker: "oak" }],
      [{ type: "started" }, { type: "retrying", failure: { kind: "network", message: "reset" } }],
      [{ type: "skipped", reason: "its agent was stopped" }],
    ];
    const batch = write(server, { outcomeOf: (_, index) => signs[index] ?? [], isRunning: true });
    const page = await open(server, "#/batches", { colorScheme, viewport: { width: 390, height: 800 } });
    await page.waitForSelector(".batch-line");
    expect(await violations(page)).toEqual([]);
    await page.evaluate(`location.hash = "#/batch/b1/${batch.cells[1]?.id}"`);
    await page.waitForSelector(".cell-panel .shell");
    await page.waitForSelector(".figures");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    const main = await page
      .locator("main")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(main).toBe(0);
  });
});
