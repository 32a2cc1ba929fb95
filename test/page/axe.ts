import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TestPage } from "./support.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds on the page as it is now: the rule, and the elements. */
export async function violations(page: TestPage): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>("axe.run(document).then((result) => result.violations)");
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
}
