import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "VERSIONING.md", "CHANGELOG.md"];

/** What `npm run docs:build` says about the pages, without its packages: every page is on the site, every link leads somewhere. */
async function problemsOf(repository: string): Promise<string[]> {
  const { stagePages } = await import(new URL("../../site/stage.mjs", import.meta.url).href);
  const { checkAnchors } = await import(new URL("../../site/anchors.mjs", import.meta.url).href);
  const stage = temporaryDirectory();
  writeFileSync(join(stage, "index.md"), "# harness\n");
  return [...stagePages(repository, stage), ...checkAnchors(stage)];
}

it("every page is on the site, and every link leads to a page and a heading", async () => {
  expect(await problemsOf(root)).toEqual([]);
});

it("finds a missing page, a dead link and a missing heading", async () => {
  const copy = temporaryDirectory();
  for (const name of ["docs", ...pages]) cpSync(join(root, name), join(copy, name), { recursive: true });
  writeFileSync(join(copy, "docs/lost.md"), "# Lost\n");
  const page = join(copy, "docs/errors.md");
  writeFileSync(page, `${readFileSync(page, "utf8")}\n[a](nowhere.md) [b](events.md#no-such-heading)\n`);
  // Others are about files of the repository that were not copied.
  expect(await problemsOf(copy)).toEqual(
    expect.arrayContaining([
      "docs/lost.md is not in site/pages.mjs",
      "docs/errors.md links to nowhere.md, which does not exist",
      "errors.md links to events.md#no-such-heading, and there is no such heading",
    ]),
  );
});

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "site-links-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
