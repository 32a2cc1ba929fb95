import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { record } from "../server/support.js";
import { violations } from "./axe.js";
import { claudeLines, writeRecording } from "./recordings.js";
import { expectNoComplaints, open, serve, type TestPage, useBrowser } from "./support.js";

useBrowser();

/** Changes the sidecar of a recording. */
function amend(directory: string, id: string, change: object): void {
  const { meta } = recordingPaths(directory, id);
  writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, "utf8")), ...change }));
}

const prompts = (page: TestPage): Promise<string[]> => page.locator(".run-line .prompt").allTextContents();

function writeThree(directory: string): void {
  const runs = [
    ["20261115-120000-aaaaa1", "cheap", 1, "/projects/one", "small", 10],
    ["20261116-120000-aaaaa2", "dear", 9, "/projects/two", "large", 5],
    ["20261117-120000-aaaaa3", "played", 5, "/projects/two", "large", 90],
  ] as const;
  for (const [id, prompt, costUsd, cwd, model, minutes] of runs) {
    writeRecording(directory, id, { agent: "claude", lines: claudeLines(3), prompt });
    const day = `2026-11-${id.slice(6, 8)}`;
    const startedAt = `${day}T12:00:00.000Z`;
    const endedAt = new Date(Date.parse(startedAt) + minutes * 60_000).toISOString();
    const isDemo = prompt === "played" ? { isDemo: true } : {};
    const usage = { totalTokens: costUsd * 1000, scope: "run" };
    amend(directory, id, { costUsd, cwd, model, startedAt, endedAt, usage, ...isDemo });
  }
}

describe("the list of runs", () => {
  it("is sorted and filtered by the address, and says what is shown took together", async () => {
    const server = await serve();
    writeThree(server.directory);
    const page = await open(server);
    await expect.poll(() => prompts(page)).toEqual(["played", "dear", "cheap"]);
    // The demo is marked, and does not count.
    await page.waitForSelector(".run-line:has-text('played') .chip:has-text('demo')");
    expect(await page.locator(".totals").textContent()).toMatch(
      /^3 runs100 % succeeded\$10\.0010k tokens15m/,
    );
    for (const [sort, order] of [
      ["oldest", ["cheap", "dear", "played"]],
      ["costliest", ["dear", "played", "cheap"]],
      ["longest", ["played", "cheap", "dear"]],
      ["tokens", ["dear", "played", "cheap"]],
    ] as const) {
      await page.selectOption("[aria-label=Order]", sort);
      await expect.poll(() => prompts(page)).toEqual(order);
    }
    await page.selectOption("[aria-label=Model]", "large");
    await page.selectOption("[aria-label=Directory]", "/projects/two");
    await page.selectOption("[aria-label=Time]", "range");
    await page.fill("label:has-text('To') input[type=date]", "2026-11-16");
    await expect.poll(() => prompts(page)).toEqual(["dear"]);
    const parameters = new URLSearchParams(page.url().split("?")[1]);
    expect(Object.fromEntries(parameters)).toEqual({
      model: "large",
      directory: "/projects/two",
      period: "range",
      to: "2026-11-16",
      sort: "tokens",
    });
    await page.reload();
    await expect.poll(() => prompts(page)).toEqual(["dear"]);
    await page.click("text=Clear filters");
    await expect.poll(() => prompts(page)).toHaveLength(3);
    expectNoComplaints(page);
  });

  it("deletes the chosen runs after a question, and exports them as files", async () => {
    const server = await serve();
    writeThree(server.directory);
    const page = await open(server, "", { viewport: { width: 390, height: 800 } });
    for (const prompt of ["cheap", "dear"]) await page.check(`.run-line:has-text('${prompt}') input`);
    expect(await violations(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.selectOption("[aria-label='Export the chosen runs']", "markdown");
    expect((await download).suggestedFilename()).toBe("20261115-120000-aaaaa1.md");
    await page.click("text=Delete…");
    await page.waitForSelector("dialog:has-text('cannot be undone') li:has-text('dear')");
    expect(await violations(page)).toEqual([]);
    await page.click("dialog button:has-text('Keep')");
    expect(await prompts(page)).toHaveLength(3);
    await page.click("text=Delete…");
    await page.click("dialog button.danger");
    await expect.poll(() => prompts(page)).toEqual(["played"]);
    expect(existsSync(recordingPaths(server.directory, "20261115-120000-aaaaa1").folder)).toBe(false);
    expectNoComplaints(page);
  });
});

const patch = `diff --git a/src/one.ts b/src/one.ts
index 1111111..2222222 100644
--- a/src/one.ts
+++ b/src/one.ts
@@ -1,2 +1,2 @@
-const one = 1;
+const one = "<b>eins</b>";
 export { one };
`;

describe("comparing", () => {
  it("puts more than two runs side by side, with the diff of each", async () => {
    const server = await serve();
    const ids = [
      await record(server.directory, "claude", "files"),
      await record(server.directory, "codex", "files"),
      await record(server.directory, "pi", "files"),
    ];
    const [first = ""] = ids;
    const paths = recordingPaths(server.directory, first);
    writeFileSync(paths.patch, patch);
    const lines = readFileSync(paths.raw, "utf8").trimEnd().split("\n");
    const exit = lines.pop() ?? "";
    const { timestamp } = JSON.parse(exit);
    const file = { path: "src/one.ts", kind: "modified", insertions: 1, deletions: 1 };
    const changes = { timestamp, stream: "changes", root: "/w", files: [file], insertions: 1, deletions: 1 };
    writeFileSync(paths.raw, `${[...lines, JSON.stringify(changes), exit].join("\n")}\n`);
    const page = await open(server, `#/compare/${ids.join("/")}`);
    await page.waitForSelector("h1:has-text('Three runs compared')");
    await expect.poll(() => page.locator(".side-head .badge.completed").count()).toBe(3);
    await page.click(".changed-table button:has-text('src/one.ts')");
    await page.waitForSelector(`.compared-diff .added:has-text('<b>eins</b>')`);
    await expect.poll(() => page.locator(".compared-diff section:has-text('Not changed.')").count()).toBe(2);
    expect(await page.locator(".numbers-table >> nth=0").locator("th[scope=col]").allTextContents()).toEqual([
      "claude",
      "codex",
      "pi",
    ]);
    expect(await violations(page)).toEqual([]);
    expectNoComplaints(page);
  });
});
